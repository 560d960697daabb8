import Records
import Ports
import Core

/// The chip of a virtual board's monitor, its shunt resistor, and the errors of both.
public struct VirtualMonitorSettings: Sendable {
  /// How the error of one chip or resistor is chosen within the limits of its kind. It is constant
  /// and does not average out.
  public enum Spread: Sendable {
    /// The limit is three standard deviations: most errors are far smaller.
    case usual
    /// Uniform within the limits, the assumption if no more is known (JCGM 100:2008, 4.3.7).
    case anywhere
  }

  var chip: MonitorChip
  var shunt: Ohms
  /// Largest relative error of the resistor.
  var shuntTolerance: Double
  var spread: Spread
  /// The run of the same board: its errors stay, the noise of its readings differs.
  public var run: UInt64

  public init(
    chip: MonitorChip = .ina226, shunt: Ohms = 0.1, shuntTolerance: Double = 0.01,
    spread: Spread = .usual, run: UInt64 = 0
  ) {
    self.chip = chip
    self.shunt = shunt
    self.shuntTolerance = shuntTolerance
    self.spread = spread
    self.run = run
  }
}

/// The virtual board's current monitor: by default a TI INA226 across 100 mΩ, according to its data
/// sheet SBOS547B. The resolution is 2.5 µV and thus 25 µA, the offset up to 10 µV and thus 100 µA,
/// the gain error up to 0.1 %, and the shunt's tolerance 1 %. A backup current of a few
/// microamperes is not measurable with that, as in the field.
public final class VirtualMonitor: PowerMonitorPort {
  public let name: String

  private let accuracy: MonitorAccuracy
  private let voltageStep: Double
  private let clock: VirtualClock
  private let receiver: VirtualReceiver
  private var random: SeededRandom
  private let offset: Double
  private let gain: Double

  init(
    settings: VirtualMonitorSettings = .init(), clock: VirtualClock, receiver: VirtualReceiver,
    random: SeededRandom
  ) {
    let shunt = Int((settings.shunt.value * 1000).rounded())
    name = "virtual \(settings.chip.rawValue) across \(shunt) mΩ"
    let accuracy = MonitorAccuracy(
      settings.chip, shunt: settings.shunt, tolerance: settings.shuntTolerance)
    self.accuracy = accuracy
    voltageStep = settings.chip.facts.busStep.value
    self.clock = clock
    self.receiver = receiver
    var random = random
    func error(within limit: Double) -> Double {
      switch settings.spread {
      case .usual: random.gaussian() / 3 * limit
      case .anywhere: random.uniform(in: -limit...limit)
      }
    }
    offset = error(within: accuracy.offset.value)
    gain = 1 + error(within: accuracy.gain) + error(within: accuracy.shuntTolerance)
    self.random =
      settings.run == 0 ? random : SeededRandom(seed: random.next(), stream: settings.run)
  }

  public func read() throws(PortError) -> PowerReading {
    let truth = receiver.model.current(in: receiver.gnssState).value
    // The receiver's current varies by 2 % with the load of its correlators.
    let ripple = truth * 0.02 * random.gaussian()
    let step = accuracy.step.value
    let noise = step * 0.5 * random.gaussian()
    let current = Self.quantised((truth + ripple) * gain + offset + noise, step: step)
    let voltage = receiver.model.supply.value * (1 + 0.001 * random.gaussian())
    return PowerReading(
      taken: clock.now, current: Amperes(current),
      voltage: Volts(Self.quantised(voltage, step: voltageStep)), accuracy: accuracy)
  }

  static func quantised(_ value: Double, step: Double) -> Double { (value / step).rounded() * step }
}
