import Records
import Ports
import Core

/// The chip of a virtual board's monitor, the resistor that it measures across, and how far off
/// both are.
public struct VirtualMonitorSettings: Sendable {
  /// How an error of one chip or resistor is drawn from the limits of its kind. Drawn once, it does
  /// not average out.
  public enum Spread: Sendable {
    /// The limit is three standard deviations: most are far better.
    case usual
    /// Anywhere within the limits alike, as whoever knows no more has to suppose (JCGM 100:2008,
    /// 4.3.7).
    case anywhere
  }

  public var chip: MonitorChip
  public var shunt: Ohms
  /// Largest relative error of the resistor.
  public var shuntTolerance: Double
  public var spread: Spread
  /// Which run of the same board it is: its errors stay, the noise of its readings is another.
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

/// The virtual board's current monitor: if nothing else is said, a TI INA226 across 100 mΩ, as its
/// data sheet SBOS547B says. 2.5 µV and thus 25 µA a step, an offset of up to 10 µV and thus 100
/// µA, a gain error of up to 0.1 %, and a shunt of 1 %. A backup current of a few microamperes is
/// lost in that, as in the field.
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
