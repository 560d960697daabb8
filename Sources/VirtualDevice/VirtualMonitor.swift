import Energy
import MonitorProtocols
import Ports
import Quantities

/// The virtual board's current monitor: a TI INA226 across 100 mΩ, as its data sheet SBOS547B says.
/// 2.5 µV and thus 25 µA a step, an offset of up to 10 µV and thus 100 µA, a gain error of up to
/// 0.1 %, and a shunt of 1 %. A backup current of a few microamperes is lost in that, as in the
/// field.
public final class VirtualMonitor: PowerMonitorPort {
  public let name = "virtual ina226 across 100 mΩ"

  static let accuracy = MonitorAccuracy(.ina226, shunt: 0.1, tolerance: 0.01)
  static let voltageStep = MonitorChip.ina226.facts.busStep.value

  private let clock: VirtualClock
  private let receiver: VirtualReceiver
  private var random: SeededRandom
  /// This monitor's own errors: drawn once, they do not average out.
  private let offset: Double
  private let gain: Double

  init(clock: VirtualClock, receiver: VirtualReceiver, random: SeededRandom) {
    self.clock = clock
    self.receiver = receiver
    self.random = random
    // A maximum of a data sheet is taken as three standard deviations.
    offset = self.random.gaussian() / 3 * Self.accuracy.offset.value
    gain =
      1 + self.random.gaussian() / 3 * Self.accuracy.gain
      + self.random.gaussian() / 3 * Self.accuracy.shuntTolerance
  }

  public func read() throws(PowerMonitorError) -> PowerReading {
    let truth = receiver.model.current(in: receiver.gnssState).value
    // The receiver's current varies by 2 % with the load of its correlators.
    let ripple = truth * 0.02 * random.gaussian()
    let step = Self.accuracy.step.value
    let noise = step * 0.5 * random.gaussian()
    let current = Self.quantised((truth + ripple) * gain + offset + noise, step: step)
    let voltage = receiver.model.supply.value * (1 + 0.001 * random.gaussian())
    return PowerReading(
      taken: clock.now, current: Amperes(current),
      voltage: Volts(Self.quantised(voltage, step: Self.voltageStep)), accuracy: Self.accuracy)
  }

  static func quantised(_ value: Double, step: Double) -> Double { (value / step).rounded() * step }
}
