import Records
import Platform
import Ports
import Core

/// A battery or fuel gauge of the kernel's power_supply class, which measures the whole board. A
/// supply selected by name may also be a mains or USB input. Values are in µA, µV, µW and µAh
/// (Documentation/ABI/testing/sysfs-class-power).
public final class PowerSupplyMonitor: PowerMonitorPort {
  private let settings: MonitorSettings
  private let root: String
  private let clock: () -> BootInstant
  private var found: String?
  /// The last reading that was new.
  private var last: PowerReading?

  /// A gauge converts a few times per second at most (MAX17055: every 0.18 s), and the kernel
  /// repeats the values until then. The same values after a longer time mean a steady load.
  private static let refresh: Seconds = 1

  /// - Parameter root: where sysfs is.
  public init(
    _ settings: MonitorSettings, root: String = "/sys", clock: (() -> BootInstant)? = nil
  ) {
    self.settings = settings
    self.root = root
    self.clock = clock ?? { BootClock.now }
  }

  public var name: String { "power supply \(found ?? settings.device ?? "(first battery)")" }
  public var scope: PowerScope { .board }

  public func read() throws(PortError) -> PowerReading {
    let supply: PowerSupplyFolder
    do throws(NoPowerSupply) {
      supply = try PowerSupplyFolder(settings.device, root: root)
    } catch {
      throw PortError(error.message(setting: "power_monitor.device"))
    }
    found = supply.name
    let before = clock()
    do throws(AttributeFault) {
      let volts = try supply.number("voltage_now").map { Volts($0 * 1e-6) }
      guard let magnitude = try magnitude(supply, at: volts) else {
        throw AttributeFault(path: supply.file(""), reason: .noCurrent)
      }
      let current = Self.signed(
        magnitude, status: supply.word("status"), type: supply.word("type"))
      let charge = try supply.number("charge_counter")
      let accuracy = Self.accuracy
      var reading = PowerReading(
        taken: BootInstant.middle(before, clock()), current: current,
        voltage: volts ?? settings.nominalSupply, accuracy: accuracy)
      reading.isVoltageMeasured = volts != nil
      // The counter falls while the battery discharges: the charge drawn is its negative.
      reading.accumulatedCharge = charge.map { Coulombs(-$0 * 1e-6 * 3600) }
      reading.isNew = !repeats(reading)
      if reading.isNew { last = reading }
      return reading
    } catch {
      throw PortError("\(name): \(error.message)\(error.advice)")
    }
  }

  /// The kernel does not report a fuel gauge's accuracy: 2 % and 1 mA are typical of data sheets
  /// (Maxim MAX17055: ±1 % of gain and of the shunt, 1.56 mA of offset at 10 mΩ).
  private static let accuracy = MonitorAccuracy(
    offset: 0.00156, gain: 0.01, shuntTolerance: 0.01, step: 0.001)

  private func repeats(_ reading: PowerReading) -> Bool {
    guard let last, reading.taken - last.taken < Self.refresh else { return false }
    return reading.current == last.current && reading.voltage == last.voltage
      && reading.accumulatedCharge == last.accumulatedCharge
  }

  private func magnitude(
    _ supply: PowerSupplyFolder, at volts: Volts?
  ) throws(AttributeFault) -> Amperes? {
    if let current = try supply.number("current_now") { return Amperes(current * 1e-6) }
    guard let power = try supply.number("power_now"), let volts, volts > 0 else { return nil }
    return Watts(power * 1e-6) / volts
  }

  /// Discharge is positive. Drivers differ in the sign of `current_now`, so the status decides if
  /// it can. An input has neither: its current is the board's consumption.
  static func signed(_ current: Amperes, status: String?, type: String?) -> Amperes {
    switch (status, type) {
    case (_, "Mains"), (_, "USB"), (_, "Wireless"): current.magnitude
    case ("Discharging", _): current.magnitude
    case ("Charging", _): -current.magnitude
    default: -current
    }
  }
}
