import Foundation
import Core
import Ports
import Records
import Store
import TestSupport
import Testing

@testable import godwit

/// `godwit power fit` on stores that a daemon might have written.
@Suite struct PowerFitCommandTests {
  private let scratch: ScratchFolder
  private static let start = UTCInstant(seconds: 1_777_852_800)

  init() throws { scratch = try ScratchFolder() }

  /// A day of searches at 30 mA, of tracking at 28 mA, and of sleep below the floor.
  private func store(
    _ name: String, basis: PowerSegment.Basis = .measured, shunt: Double = 100
  ) throws -> String {
    let path = scratch.file(name)
    let store = try GeoPackageStore(path: path)
    var records: [Record] = [
      .provenance(
        """
        {"kind":"real","power_monitor":"hwmon","settings":{"power_monitor.shunt_mOhm":\(shunt)}}
        """)
    ]
    for index in 0..<60 {
      let on = Self.start + Seconds(Double(index) * 600)
      let wobble = Double(index % 5) * 0.1
      func segment(_ state: GnssState, _ delay: Double, _ length: Double, _ milliamperes: Double) {
        let charge = Coulombs(milliamperes / 1000 * length)
        // 0.6 %, and 58 µA near zero.
        let uncertainty = max(milliamperes * 0.006, 0.058) / 1000 * length * 3.3
        records.append(
          .powerSegment(
            PowerSegment(
              state: state, start: on + Seconds(delay), duration: Seconds(length),
              charge: charge, energy: Joules(charge.value * 3.3),
              energyUncertainty: basis == .modelled ? nil : Joules(uncertainty), basis: basis)))
      }
      segment(.acquiring, 0, 4, 30 + wobble)
      segment(.tracking, 4, 31, 28 + wobble)
      segment(.sleeping, 35, 565, 0.015)
      var session = GnssSession(id: Int64(index + 1), on: on)
      session.timeToFirstFix = Seconds(3 + Double(index % 3))
      session.duration = 35
      session.off = on + 35
      session.outcome = .fixObtained
      records.append(.session(session))
      records.append(
        .trackPoint(
          TrackPoint(
            location: Location(
              time: on + 5, position: Coordinate(latitude: 53.2, longitude: 6.5), accuracy: 4),
            reason: .scheduled, session: session.id)))
    }
    try store.write(records)
    try store.close()
    return path
  }

  private func fit(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["power", "fit", "--config", "/dev/null"] + arguments)
  }

  @Test("the part file is accepted by --board, and overrides the data sheet's")
  func partFile() throws {
    let part = scratch.file("mine.toml")
    let outcome = try fit("--store", try store("a.gpkg"), "--out", part)
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    #expect(outcome.output.contains("acquiring_mA") && outcome.output.contains("60 segments"))
    #expect(outcome.output.contains("sleeping_mA") && outcome.output.contains("at most 0.3"))
    let text = try scratch.text("mine.toml")
    #expect(text.hasPrefix("# Receiver: mine, as measured\n"))
    #expect(text.contains("ina226 (hwmon), 100.0 mΩ ± 1.0 %"))
    #expect(text.contains("# cold_start_s: not in the data: no start after a cut"))
    try scratch.write(
      "[gnss]\nacquiring_mA = 32\ncold_start_s = 27\noff_mA = 0.015\n", to: "sheet.toml")
    let shown = try Program.run(
      "config", "show", "--config", "/dev/null", "--board", scratch.file("sheet.toml"), "--board",
      part)
    #expect(shown.exitCode == 0, "\(shown.messages)")
    func value(_ key: String) -> Double? {
      shown.output.split(separator: "\n").first { $0.contains("\(key) = ") }
        .flatMap { $0.split(separator: "=").last?.split(separator: " ").first }
        .flatMap { Double($0) }
    }
    #expect((30.1...30.3).contains(value("acquiring_mA") ?? 0), "\(shown.output)")
    #expect((28.1...28.3).contains(value("tracking_mA") ?? 0))
    #expect(value("cold_start_s") == 27 && value("off_mA") == 0.015)
    #expect((2...5).contains(value("hot_start_s") ?? 0))
  }

  @Test("JSON has every parameter, determined or not") func json() throws {
    let outcome = try fit("--store", try store("a.gpkg"), "--json")
    let report = try JSONValue(parsing: outcome.output)
    let parameters = try #require(report["parameters"]?.array)
    #expect(parameters.count == 9)
    func parameter(_ key: String) -> JSONValue? {
      parameters.first { $0["key"]?.string == "gnss.\(key)" }
    }
    let tracking = try #require(parameter("tracking_mA"))
    let value = try #require(tracking["value"]?.number)
    #expect(tracking["low"]?.number ?? 99 < value && value < tracking["high"]?.number ?? 0)
    #expect(tracking["segments"]?.integer == 60)
    #expect((tracking["systematic_uncertainty"]?.number ?? 0) / value < 0.007)
    #expect(parameter("sleeping_mA")?["at_most"]?.number ?? 0 > 0.2)
    #expect(parameter("off_mA")?["reason"]?.string?.contains("no measured segment") == true)
    #expect(report["supply_V"]?.number == 3.3 && report["starts"]?.integer == 60)
    #expect(report["times_to_first_fix"]?.array?.isEmpty == false && report["written"] == .null)
  }

  @Test("unmeasured data is refused with what to set") func nothingMeasured() throws {
    let modelled = try fit("--store", try store("m.gpkg", basis: .modelled))
    #expect(modelled.exitCode == 1 && modelled.messages.contains("power_monitor"))
    #expect(modelled.messages.contains("180 segments are computed from the currents"))
    let simulated = try fit("--store", try store("s.gpkg", basis: .simulated))
    #expect(simulated.exitCode == 1 && simulated.messages.contains("--simulated"))
    let none = try fit("--store", scratch.file("m.gpkg"), "--to", "2020-01-01")
    #expect(none.exitCode == 1 && none.messages.contains("there are no power segments"))
    let absent = try fit("--store", scratch.file("absent.gpkg"))
    #expect(absent.exitCode == 1 && absent.messages.contains("there is no store"))
  }

  @Test("stores of different monitors, and one store twice, are refused") func mixtures() throws {
    let paths = [try store("a.gpkg"), try store("b.gpkg", shunt: 10)]
    let mixed = try fit("--store", paths[0], "--store", paths[1])
    #expect(mixed.exitCode == 1 && mixed.messages.contains("different monitors"))
    #expect(mixed.messages.contains("10.0 mΩ") && mixed.messages.contains("100.0 mΩ"))
    let twice = try fit("--store", paths[0], "--store", scratch.path + "/./a.gpkg")
    #expect(twice.exitCode == 2 && twice.messages.contains("named twice"))
  }

  @Test("no existing file, store or board name is replaced")
  func outputs() throws {
    let path = try store("a.gpkg")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let ontoStore = try fit("--store", path, "--out", path)
    #expect(ontoStore.exitCode == 2 && ontoStore.messages.contains("that is the store"))
    #expect(try fit("--store", path, "--out", path + "-wal").exitCode == 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    try scratch.write("mine", to: "there.toml")
    let again = try fit("--store", path, "--out", scratch.file("there.toml"))
    #expect(again.exitCode == 2 && again.messages.contains("exists already"))
    #expect(try scratch.text("there.toml") == "mine")
    try FileManager.default.createDirectory(
      atPath: scratch.file("boards/known"), withIntermediateDirectories: true)
    try scratch.write("", to: "boards/known/board.toml")
    let named = try Program.run(
      [
        "power", "fit", "--config", "/dev/null", "--store", path, "--out",
        scratch.file("known.toml"),
      ], environment: ["GODWIT_BOARDS": scratch.file("boards")])
    #expect(named.exitCode == 2 && named.messages.contains("--name known"))
    let folder = try fit("--store", path, "--out", scratch.file("none/x.toml"))
    #expect(folder.exitCode == 1 && folder.messages.contains("--out"))
  }

  /// 100 readings a second for an hour would give the same: here one a second.
  private func recording(_ name: String, start: String, chip: String = "ina226") throws -> String {
    let samples = (0..<3600).map { second in
      let current = second % 600 < 4 ? 40.0 : second % 600 < 35 ? 38 : 0.9
      return """
        {"time_s":\(second),"current_mA":\(current + Double(second % 2) * 0.1),\
        "current_uncertainty_mA":0.2,"voltage_V":3.3,"new":true}
        """
    }
    try scratch.write(
      """
      {"metadata":{"chip":"\(chip)","kind":"hwmon","shunt_mOhm":100,\
      "shunt_tolerance_percent":1,"scope":"receiver","start_utc":"\(start)"},
      "samples":[\(samples.joined(separator: ",\n"))]}
      """, to: name)
    return scratch.file(name)
  }

  @Test("a recording measures what a store without a monitor has modelled") func recorded() throws {
    let path = try store("m.gpkg", basis: .modelled)
    let recording = try recording("r.json", start: "2026-05-04T00:00:00Z")
    let outcome = try fit("--store", path, recording, "--json")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let parameters = try #require(try JSONValue(parsing: outcome.output)["parameters"]?.array)
    func value(_ key: String) -> Double? {
      parameters.first { $0["key"]?.string == "gnss.\(key)" }?["value"]?.number
    }
    #expect((37.9...38.2).contains(value("tracking_mA") ?? 0), "\(outcome.output)")
    #expect((0.89...1.01).contains(value("sleeping_mA") ?? 0))
  }

  @Test("recordings of another time or monitor, without a date or a reading, are refused")
  func wrongRecordings() throws {
    let path = try store("a.gpkg")
    let elsewhere = try fit(
      "--store", path, try recording("e.json", start: "2026-06-04T00:00:00Z"))
    #expect(elsewhere.exitCode == 1 && elsewhere.messages.contains("no state of the receiver"))
    let other = try fit(
      "--store", path, try recording("o.json", start: "2026-05-04T00:00:00Z", chip: "ina228"))
    #expect(other.exitCode == 1 && other.messages.contains("another monitor"))
    let undated = try fit("--store", path, try recording("u.json", start: ""))
    #expect(undated.exitCode == 1 && undated.messages.contains("start_utc"))
    try scratch.write(String(try scratch.text("e.json").dropLast(50)), to: "c.json")
    let cut = try fit("--store", path, scratch.file("c.json"))
    #expect(cut.exitCode == 1 && cut.messages.contains("no state of the receiver"))
    #expect(try fit("--store", path, scratch.file("absent.json")).exitCode == 1)
    try scratch.write("{}", to: "empty.json")
    #expect(try fit("--store", path, scratch.file("empty.json")).messages.contains("no reading"))
  }

  @Test("a damaged row is named, and nothing is written") func damaged() throws {
    let path = try store("a.gpkg")
    let sql = "UPDATE power_segments SET duration_s = 'NaN' WHERE id = 7"
    #expect(try TestSupport.run("sqlite3", path, sql).status == 0)
    let outcome = try fit("--store", path, "--out", scratch.file("mine.toml"))
    #expect(outcome.exitCode == 1 && outcome.messages.contains("power_segments"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("mine.toml")))
  }

  @Test("a simulation can be fitted as a trial, and the file simulated again")
  func simulation() throws {
    let simulate = ["simulate", "--config", "/dev/null", "--set", "power_switch.kind=virtual"]
    let first = try Program.run(simulate + ["--store", scratch.file("s.gpkg")])
    #expect(first.exitCode == 0, "\(first.messages)")
    let part = scratch.file("part/board.toml")
    try FileManager.default.createDirectory(
      atPath: scratch.file("part"), withIntermediateDirectories: true)
    let fitted = try fit("--simulated", "--store", scratch.file("s.gpkg"), "--out", part)
    #expect(fitted.exitCode == 0, "\(fitted.messages)")
    let text = try scratch.text("part/board.toml")
    #expect(text.hasPrefix("# Receiver: part,"))
    #expect(text.contains("Data of a simulation were treated as measured."))
    let again = try Program.run(
      simulate + ["--board", part, "--store", scratch.file("t.gpkg")])
    #expect(again.exitCode == 0, "\(again.messages)")
  }
}
