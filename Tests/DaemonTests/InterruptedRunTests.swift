import Foundation
import ReceiverStandIns
import TestSupport
import Testing

/// Commands interrupted while they make a file leave only the files that existed before. A seed
/// chooses the moments by the program's progress.
@Suite(.serialized) struct InterruptedRunTests {
  static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE]
  static let momentsEach = 3

  let folder: ScratchFolder
  let input: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    input = try ScratchFolder()
  }

  /// Signals have a shell foreground job's defaults. The lower priority makes sure that the signal
  /// arrives before the work is done, even on a busy machine.
  func start(_ arguments: [String]) throws -> ChildProcess {
    let program = ["--default-signal", "nice", "-n", "5", BuiltProgram.path("godwit")]
    return try #require(ChildProcess("/usr/bin/env", program + arguments))
  }

  /// Interrupts one run at each moment, up to the given change of the folder.
  func interrupt(_ arguments: [String], by signal: Int32, lastMoment: Int) throws {
    var random = SplitMix(seed: UInt64(signal))
    let before = folder.files
    for _ in 0..<Self.momentsEach {
      let moment = Int.random(in: 1...lastMoment, using: &random)
      let events = FileEvents(folder.path, FileEvents.changes)
      let process = try start(arguments)
      #expect(events.wait(for: moment, or: process))
      process.signal(signal)
      #expect(process.exitCode() == -signal, "after \(moment) changes: \(process.text)")
      #expect(folder.files == before, "after \(moment) changes")
    }
  }

  @Test("an interrupted simulate leaves nothing behind", arguments: signals)
  func simulate(signal: Int32) throws {
    try interrupt(
      ["simulate", "--days", "3650", "--store", folder.file("life.gpkg")], by: signal,
      lastMoment: 300)
  }

  @Test("an interrupted replay leaves nothing behind", arguments: signals)
  func replay(signal: Int32) throws {
    var text = "time,lat,lon\n"
    for second in 0..<100_000 {
      text += "\(1_777_593_600 + second),\(52 + Double(second) * 1e-4),5.1\n"
    }
    try input.write(text, to: "way.csv")
    try interrupt(
      ["replay", input.file("way.csv"), "--store", folder.file("life.gpkg")], by: signal,
      lastMoment: 30)
  }

  @Test("an interrupted export leaves existing files unchanged", arguments: signals)
  func export(signal: Int32) throws {
    let store = input.file("life.gpkg")
    try makeLongLife(store)
    try folder.write("what was there", to: "way.gpx")
    try interrupt(
      ["export", "gpx", "--store", store, "--output", folder.file("way.gpx")], by: signal,
      lastMoment: 20)
    #expect(try folder.text("way.gpx") == "what was there")
  }

  /// A store so large that reading it takes a while.
  func makeLongLife(_ store: String) throws {
    let made = try run(BuiltProgram.path("godwit"), "simulate", "--days", "1", "--store", store)
    #expect(made.status == 0, "\(made.output)")
    let grown = try run(
      "sqlite3", store,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO track_points (geom, time, accuracy_m, source, reason)
      SELECT p.geom, p.time, p.accuracy_m, p.source, p.reason FROM track_points p, n LIMIT 50000
      """)
    #expect(grown.status == 0, "\(grown.output)")
  }

  @Test(
    "an interrupted backup, repair or restore leaves existing files unchanged", arguments: signals)
  func care(signal: Int32) throws {
    let backup = input.file("backup.gpkg")
    try makeLongLife(backup)
    let store = folder.file("life.gpkg")
    try interrupt(["store", "backup", store, "--store", backup], by: signal, lastMoment: 80)
    try FileManager.default.copyItem(atPath: backup, toPath: store)
    // Damage for the repair.
    let change = try run("sqlite3", store, "UPDATE visits SET confidence = 'high' WHERE id = 1")
    #expect(change.status == 0, "\(change.output)")
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    for command in [["repair"], ["restore", backup], ["backup", "--force", store]] {
      let source = command[0] == "backup" ? backup : store
      // A busy machine delivers the signal late, so most of the copy must still follow at that
      // moment.
      try interrupt(["store"] + command + ["--store", source], by: signal, lastMoment: 80)
      #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before, "\(command)")
    }
  }

  func record(endedBy signal: Int32) throws -> ChildProcess {
    for (name, text) in [
      "name": "ina226", "curr1_input": "29", "in1_input": "3300", "power1_input": "95000",
      "shunt_resistor": "100000", "update_interval": "35",
    ] { try input.write("\(text)\n", to: "class/hwmon/hwmon0/\(name)") }
    try FileManager.default.createSymbolicLink(
      atPath: input.file("class/hwmon/hwmon0/device"),
      withDestinationPath: "../../../devices/1-0040")
    var random = SplitMix(seed: UInt64(signal))
    let events = FileEvents(input.file("class/hwmon/hwmon0/power1_input"), FileEvents.reads)
    let process = try start([
      "power", "record", "--interval", "0.002", "--sysfs", input.path, "--config", "/dev/null",
      "--set", "power_monitor.kind=hwmon", "--out", folder.file("trace.csv"),
    ])
    #expect(events.wait(for: Int.random(in: 20...60, using: &random), or: process))
    process.signal(signal)
    return process
  }

  @Test("an interrupted recording reports its results", arguments: [SIGINT, SIGTERM, SIGHUP])
  func recordingSaysItsResults(signal: Int32) throws {
    let process = try record(endedBy: signal)
    #expect(process.exitCode() == 0)
    #expect(process.text.contains("readings"))
    #expect(folder.files == ["trace.csv"])
    let rows = try folder.text("trace.csv").split(separator: "\n")
    #expect(rows.count > 10 && rows.allSatisfy { $0.split(separator: ",").count == 7 })
  }

  @Test("a discarded recording leaves nothing behind", arguments: [SIGQUIT, SIGPIPE])
  func recordingIsThrownAway(signal: Int32) throws {
    #expect(try record(endedBy: signal).exitCode() == -signal)
    #expect(folder.files == [])
  }

  /// SIGKILL cannot be caught, but the file that is left has another name.
  @Test("a killed simulate does not block the next one")
  func killed() throws {
    let store = folder.file("life.gpkg")
    let events = FileEvents(folder.path, FileEvents.changes)
    let process = try start(["simulate", "--days", "3650", "--store", store])
    #expect(events.wait(for: 100, or: process))
    process.signal(SIGKILL)
    #expect(process.exitCode() == -SIGKILL)
    #expect(folder.files.allSatisfy { $0.hasPrefix(".life.gpkg.") })
    let again = try start(["simulate", "--days", "1", "--store", store])
    #expect(again.exitCode() == 0, "\(again.text)")
    #expect(try run("sqlite3", "-readonly", store, "PRAGMA integrity_check").output == "ok\n")
  }

  /// SQLite would read another store's log into the new one.
  @Test("a log without its store is not taken for the new store's")
  func strayLog() throws {
    try folder.write("log", to: "life.gpkg-wal")
    let process = try start(["simulate", "--days", "1", "--store", folder.file("life.gpkg")])
    #expect(process.exitCode() == 2)
    #expect(process.text.contains("life.gpkg-wal is left over from a deleted store"))
    #expect(folder.files == ["life.gpkg-wal"])
  }
}
