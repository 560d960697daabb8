import ArgumentParser
import Config
import Records
import GodwitSettings
import Core
import Ports

struct PowerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "Read the power monitor of the settings.",
    discussion: """
      The monitor is read directly, which does not disturb a daemon that also reads it.
      """,
    subcommands: [
      PowerWatchCommand.self, PowerRecordCommand.self, PowerTestCommand.self,
      PowerReportCommand.self, PowerFitCommand.self,
    ])
}

/// The monitor to read, the interval and the duration.
struct PowerOptions: ParsableArguments {
  @OptionGroup var source: MonitorOptions

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp("Duration. Default: until interrupted.", valueName: "seconds"))
  var duration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Interval of the readings.", valueName: "seconds"))
  var interval: Double?

  func validate() throws {
    if let duration, !(duration > 0 && duration <= 31_622_400) {
      throw ValidationError("--for \(duration): must be more than 0 and at most 31622400 seconds")
    }
    if let interval, !(interval >= 0.000_1 && interval <= 86_400) {
      throw ValidationError("--interval \(interval): must be 0.0001 to 86400 seconds")
    }
  }

  var limit: Seconds? { duration.map { Seconds($0) } }
}

/// The monitor to read.
struct MonitorOptions: ParsableArguments {
  @OptionGroup var options: ConfigOptions
  @Option(
    help: ArgumentHelp("Path of sysfs.", valueName: "folder", visibility: .hidden))
  var sysfs = "/sys"

  /// Reads once, so that problems with the settings or the board are reported at once.
  func monitor() throws -> (any PowerMonitorPort, PowerReading, Configuration<Settings>) {
    let configuration = try options.load()
    let settings = configuration.settings
    guard let monitor = ConfiguredDevices.monitor(settings, sysfs: sysfs) else {
      throw CommandError.wrongUsage(
        "power_monitor.kind = \"\(settings.powerMonitor.kind.rawValue)\": there is nothing to "
          + "read. Describe the monitor in section power_monitor of the board file, or with "
          + "--set power_monitor.kind=hwmon")
    }
    do {
      let reading = try monitor.read()
      var messages = StandardError()
      let warnings = monitor.takeWarnings() + [monitor.objection(to: reading)].compactMap { $0 }
      for warning in warnings { print("godwit: \(warning)", to: &messages) }
      return (monitor, reading, configuration)
    } catch {
      throw CommandError.failed(error.message)
    }
  }
}

/// Readings and their figures for people.
enum PowerText {
  static func milliamperes(_ current: Amperes?) -> String {
    guard let current else { return "-" }
    let value = current.value * 1000
    let digits = value.magnitude < 1 ? 4 : value.magnitude < 100 ? 3 : 1
    return FixedDecimal.text(value, digits: digits)
  }

  static func reading(_ reading: PowerReading) -> String {
    let current =
      reading.isBelowFloor
      ? "below floor"
      : "\(milliamperes(reading.current)) ± \(milliamperes(reading.currentUncertainty)) mA"
    let voltage =
      FixedDecimal.text(reading.voltage.value, digits: 3)
      + (reading.isVoltageMeasured ? " V" : " V (nominal)")
    let power = "\(FixedDecimal.text(reading.power.value * 1000, digits: 2)) mW"
    return [current, voltage, power].joined(separator: "  ")
  }
}
