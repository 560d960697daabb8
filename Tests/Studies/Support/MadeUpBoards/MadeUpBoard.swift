import Records
import Core
import VirtualDevice

/// A generated board: its receiver and its monitor are drawn by a seed, from the range of the
/// modules and chips in `board/`.
public struct MadeUpBoard: Sendable {
  public let seed: UInt64
  /// Its true currents and start times.
  public let truth: ReceiverEnergyModel
  /// Its data sheet's values: up to a quarter off.
  public let dataSheet: ReceiverEnergyModel
  public let monitor: VirtualMonitorSettings
  /// Whether its navigation data survives a power cut.
  public let hasBackup: Bool
  /// Whether it is put to sleep by command; otherwise a switch cuts its supply.
  public let sleeps: Bool

  public init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed, stream: 77)
    func draw(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    var truth = ReceiverEnergyModel.ubloxM8
    truth.supply = Volts(draw(3.0...5.0))
    truth.acquiring = Amperes(milliamperes: draw(12...60))
    truth.tracking = truth.acquiring * draw(0.8...1)
    truth.off = Amperes(milliamperes: draw(0.007...0.05))
    hasBackup = draw(0...1) < 0.75
    sleeps = hasBackup && draw(0...1) < 0.4
    // Half of them as little as V_BCKP draws, half as much as was measured on an M10 or an MTK3339.
    truth.sleeping =
      draw(0...1) < 0.5 ? truth.off * 1.5 : Amperes(milliamperes: draw(0.5...5.5))
    truth.coldStart = Seconds(draw(25...80))
    truth.warmStart = Seconds(draw(6...30))
    truth.hotStart = min(Seconds(draw(1...6)), truth.warmStart * 0.5)
    let usesINA228 = draw(0...1) < 0.5
    monitor = VirtualMonitorSettings(
      chip: usesINA228 ? .ina228 : .ina226, shunt: Ohms(draw(0...1) < 0.5 ? 0.1 : 0.05),
      shuntTolerance: draw(0...1) < 0.5 ? 0.01 : 0.005, spread: .anywhere)
    func roughly<Value: Quantity>(_ value: Value) -> Value { value * draw(0.8...1.25) }
    dataSheet = ReceiverEnergyModel(
      supply: truth.supply, acquiring: roughly(truth.acquiring),
      tracking: roughly(truth.tracking), sleeping: roughly(truth.sleeping),
      off: roughly(truth.off), coldStart: roughly(truth.coldStart),
      warmStart: roughly(truth.warmStart), hotStart: roughly(truth.hotStart))
    // Half of them have some slow starts; no data sheet states how many.
    if draw(0...1) < 0.5 {
      truth.slowStartPercent = draw(2...25)
      truth.slowStart = Seconds(draw(28...45))
    }
    self.truth = truth
  }
}
