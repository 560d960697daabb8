import Records
import GodwitSettings
import Core
import Platform
import Ports

/// Checks that the current can be measured.
enum MonitorDiagnosis {
  static func findings(_ settings: Settings) -> [Finding] {
    let part = "monitor"
    guard let monitor = ConfiguredDevices.monitor(settings) else {
      return [.ok(part, "power_monitor.kind is none: energy is modelled from section gnss")]
    }
    do {
      let current = try MeanCurrent.measure(by: monitor, for: 0.5)
      let warnings = monitor.takeWarnings().map { Finding.warn(part, $0) }
      let finding =
        current.objection.map { Finding.warn(part, "\($0) It reads \(current.text)") }
        ?? .ok(part, "\(monitor.name) reads \(current.text)")
      return [finding] + warnings
    } catch {
      return [.fail(part, error.message)]
    }
  }
}

/// Checks that the fuel gauge reports the battery's level.
enum BatteryDiagnosis {
  /// Nil: the settings name none.
  /// - Parameter sysfs: the mount point of sysfs.
  static func finding(_ settings: Settings, sysfs: String = "/sys") -> Finding? {
    guard let gauge = ConfiguredDevices.battery(settings, sysfs: sysfs) else { return nil }
    let part = "battery"
    do {
      let reading = try gauge.read()
      let level = FixedDecimal.text(reading.level * 100, digits: 1)
      return .ok(
        part,
        "\(gauge.name) holds \(level) % of the capacity of a new one"
          + (reading.isSupplied ? "; the board has another supply" : ""))
    } catch {
      return .fail(part, error.message)
    }
  }
}

/// The mean of some readings of a monitor.
struct MeanCurrent {
  let value: Amperes
  let uncertainty: Amperes
  let isBelowFloor: Bool
  /// Why it is not the receiver's current; nil: it can be.
  var objection: String?

  /// Takes about ten readings a second. For commands without an event loop.
  static func measure(
    by monitor: any PowerMonitorPort, for time: Seconds
  ) throws(PortError) -> MeanCurrent {
    let end = BootClock.now + time
    var current = Spread<Amperes>()
    var uncertainty = Spread<Amperes>()
    var below = 0
    var objections: [String] = []
    repeat {
      let reading = try monitor.read()
      current.add(reading.current)
      uncertainty.add(reading.currentUncertainty)
      below += reading.isBelowFloor ? 1 : 0
      if let objection = monitor.objection(to: reading) { objections.append(objection) }
      BootClock.wait(until: BootClock.now + max(0.1, min(monitor.window, 1)))
    } while BootClock.now < end
    return MeanCurrent(
      value: current.mean ?? 0, uncertainty: uncertainty.maximum ?? 0,
      isBelowFloor: below * 2 > current.count,
      objection: objections.count * 2 > current.count ? objections.first : nil)
  }

  var text: String {
    let figure = FixedDecimal.text(value.value * 1000, digits: 2)
    let error = FixedDecimal.text(uncertainty.value * 1000, digits: 2)
    return isBelowFloor ? "less than its floor (± \(error) mA)" : "\(figure) mA ± \(error) mA"
  }
}
