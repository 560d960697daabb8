import Foundation
import Core
import TestSupport
import Testing
import Tracking

@testable import godwit

/// `godwit power` on a sysfs of plain files: an INA226 across 100 mΩ at 3.3 V and 28.88 mA.
@Suite struct PowerCommandTests {
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    let folder = scratch.file("class/hwmon/hwmon0")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/device", withDestinationPath: "../../../devices/1-0040")
    let files = [
      "name": "ina226", "curr1_input": "29", "in1_input": "3300", "power1_input": "95000",
      "shunt_resistor": "100000", "update_interval": "35",
    ]
    for (name, text) in files {
      try "\(text)\n".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
  }

  func run(_ arguments: String..., settings: [String] = []) throws -> Program.Outcome {
    try run(arguments: arguments, settings: settings)
  }

  func run(arguments: [String], settings: [String] = []) throws -> Program.Outcome {
    let all = ["power_monitor.kind=hwmon"] + settings
    return try Program.run(
      ["power"] + arguments + ["--sysfs", scratch.path, "--config", "/dev/null"]
        + all.flatMap { ["--set", $0] })
  }

  func run(report folder: String, _ more: String...) throws -> Program.Outcome {
    try Program.run(["power", "report", folder] + more)
  }

  @Test("watch prints columns without a terminal")
  func watchPrintsColumnsWhereThereIsNoTerminal() throws {
    let outcome = try run("watch", "--for", "0.1", "--interval", "0.05")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: "\t") }
    // At 0, 50 and 100 ms; a busy machine may skip one.
    #expect((2...4).contains(lines.count))
    #expect(lines[0].first == "time_s" && lines[0].count == 7)
    #expect(lines.allSatisfy { $0.count == 7 })
    #expect(lines[1][1] == "28.8826" && lines[1][3] == "3.3000" && lines[1][6] == "1")
  }

  @Test("watch prints JSON") func watchSpeaksJSON() throws {
    let outcome = try run("watch", "--json", "--for", "0.05", "--interval", "0.05")
    let lines = outcome.output.split(separator: "\n")
    #expect((1...2).contains(lines.count))
    let object = try JSONValue(parsing: String(lines[0]))
    #expect(object["current_mA"]?.number == 28.882_576)
    #expect(object["new"] == .bool(true) && object["below_floor"] == .bool(false))
  }

  @Test("a recording keeps the conditions, every sample and the statistics")
  func recordKeepsSamplesAndStatistics() throws {
    let file = scratch.file("trace.json")
    let outcome = try run("record", "--for", "0.5", "--interval", "0.05", "--out", file, "--json")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let recorded = try JSONValue(parsing: try scratch.text("trace.json"))
    #expect(recorded["metadata"]?["chip"] == .string("ina226"))
    #expect(recorded["metadata"]?["shunt_mOhm"]?.number == 100)
    #expect(recorded["metadata"]?["window_s"]?.number == 0.035)
    #expect(recorded["metadata"]?["kernel"]?.string?.isEmpty == false)
    try checkProvenance(recorded["metadata"])
    let statistics = try #require(recorded["statistics"])
    #expect(recorded["samples"]?.array?.count == statistics["readings"]?.integer.map { Int($0) })
    #expect(statistics["current_mA"]?["mean"]?.number == 28.882_576)
    #expect(statistics["current_mA"]?["sd"]?.number == 0)
    let duration = try #require(statistics["measured_duration_s"]?.number)
    let energy = try #require(statistics["energy_J"]?.number)
    #expect(duration > 0.1 && duration < 0.6 && abs(energy - 0.095_312_5 * duration) < 1e-6)
    // 208.3 µA × 3.3 V.
    let systematic = try #require(statistics["energy_systematic_uncertainty_J"]?.number)
    #expect(abs(systematic / duration - 0.000_687_3) < 1e-6)
    #expect(statistics["energy_statistical_uncertainty_J"]?.number == 0)
    let printed = try JSONValue(parsing: outcome.output)
    #expect(printed["statistics"]?["readings"] == statistics["readings"])
  }

  @Test("a recording of reversed current has no energy, unless that is requested")
  func recordsReversed() throws {
    try "-29".write(
      toFile: scratch.file("class/hwmon/hwmon0/curr1_input"), atomically: false, encoding: .utf8)
    func record(_ more: String...) throws -> Program.Outcome {
      try run(arguments: ["record", "--for", "0.3", "--interval", "0.05"] + more)
    }
    let warned = try record()
    #expect(warned.exitCode == 0 && warned.messages.contains("are VIN+ and VIN- swapped?"))
    #expect(warned.messages.contains("So it has no energy") && !warned.output.contains(" J "))
    let file = scratch.file("reversed.json")
    let statistics = try JSONValue(parsing: try record("--json", "--out", file).output)[
      "statistics"]
    #expect(statistics?["energy_J"] == .null)
    #expect((statistics?["charge_mAh"]?.number).map { $0 < 0 } == true)
    let meant = try record("--charging")
    #expect(meant.output.contains(" J ") && !meant.messages.contains("no energy"))
    let report = try run(report: file)
    #expect(report.output.hasPrefix("UNRELIABLE: \(file): the current is reversed"))
    #expect(!(try run(report: file, "--charging").output.contains("is reversed")))
  }

  private func checkProvenance(_ metadata: JSONValue?) throws {
    let version = try Program.version()
    #expect(metadata?["program"]?.string == "godwit \(version)")
    for name in ["host", "machine"] { #expect(metadata?[name]?.string?.isEmpty == false) }
    #expect(metadata?["nominal_supply_V"]?.number == 3.3)
    #expect(metadata?["clock"] == .string("CLOCK_BOOTTIME"))
    let boot = try #require(metadata?["start_boottime_s"]?.number)
    #expect(boot > 0)
    #expect(metadata?["clock_is_set"] == .bool(true))
    let start = try #require(metadata?["start_utc"]?.string.flatMap { ISO8601.parse($0) })
    let age = Date().timeIntervalSince1970 - Double(start.nanoseconds) / 1e9
    #expect(age > 0 && age < 600)
  }

  @Test("a clock that was never set gives a recording no date")
  func unsetClock() {
    let start = RecordingStart(instant: .zero + Seconds(12.5), calendar: nil)
    let metadata = JSONValue.object(start.members)
    #expect(metadata["start_boottime_s"]?.number == 12.5)
    #expect(metadata["start_utc"] == .null && metadata["clock_is_set"] == .bool(false))
    let calendar = SystemDate(
      date: UTCInstant(seconds: 1_777_593_600), read: .zero + Seconds(20), isSynchronized: true)
    let dated = JSONValue.object(
      RecordingStart(instant: .zero + Seconds(12.5), calendar: calendar).members)
    #expect(dated["start_utc"]?.string == "2026-04-30T23:59:52.500000Z")
    #expect(dated["clock_is_synchronized"] == .bool(true))
  }

  /// Five times faster than the chip converts: most readings repeat the last one.
  @Test("a repeated reading is written, but counted separately")
  func duplicatesAreCounted() throws {
    let outcome = try run(
      "record", "--for", "0.3", "--interval", "0.007", "--json", "--out", scratch.file("t.csv"))
    let statistics = try #require(try JSONValue(parsing: outcome.output)["statistics"])
    let fresh = try #require(statistics["readings"]?.integer)
    let again = try #require(statistics["duplicates"]?.integer)
    #expect(fresh <= 9 && again > fresh)
    let rows = try scratch.text("t.csv").split(separator: "\n")
    #expect(rows.count == 1 + Int(fresh + again))
    #expect(rows[0].hasPrefix("time_s,current_mA,current_uncertainty_mA,voltage_V,power_mW,"))
    #expect(rows[1].hasPrefix("0.000000,28.882576,"))
  }

  @Test("errors name the setting") func mistakesNameTheSetting() throws {
    let nothing = try run("watch", settings: ["power_monitor.kind=none"])
    #expect(nothing.exitCode == 2 && nothing.messages.contains("power_monitor.kind"))
    let absent = try run("record", settings: ["power_monitor.address=0x41"])
    #expect(absent.exitCode == 1 && absent.messages.contains("ina226 at 1-0040 (hwmon0)"))
    let bus = try run("watch", settings: ["power_monitor.kind=i2c", "power_monitor.bus=250"])
    #expect(bus.exitCode == 1 && bus.messages.contains("power_monitor.bus"))
    let iio = try run("watch", settings: ["power_monitor.kind=iio"])
    #expect(iio.exitCode == 1 && iio.messages.contains("IIO devices: none"))
    let battery = try run("watch", settings: ["power_monitor.kind=power_supply"])
    #expect(battery.exitCode == 1 && battery.messages.contains("power_monitor.device"))
    let name = try run("record", "--out", scratch.file("x.txt"))
    #expect(name.exitCode == 2 && name.messages.contains(".csv"))
    let folder = try run("record", "--out", scratch.file("none/x.csv"))
    #expect(folder.exitCode == 1 && folder.messages.contains("--out"))
    #expect(folder.messages.contains("its folder must exist"))
    #expect(try run("watch", "--interval", "0").exitCode == 2)
    let past = try run("record", "--for", "-1")
    #expect(past.exitCode == 2 && past.messages.contains("--for -1.0: must be more than 0"))
  }

  @Test("a corrected shunt is reported") func aCorrectedShuntIsSaid() throws {
    try "10000\n".write(
      toFile: scratch.file("class/hwmon/hwmon0/shunt_resistor"), atomically: false, encoding: .utf8)
    let outcome = try run("watch", "--for", "0.01")
    #expect(outcome.messages.contains("assumed 10 mΩ"))
  }

  @Test("the plot scales and shows gaps") func thePlotScalesAndShowsHoles() {
    var plot = CurrentPlot(width: 4)
    for milliamperes in [100.0, 1, 40, 80] { plot.add(.init(milliamperes / 1000)) }
    #expect(plot.text == "█▁▄▇")
    plot.skip()
    #expect(plot.text == "▁▅█ ")
    #expect(CurrentPlot(width: -3).text == "")
  }
}
