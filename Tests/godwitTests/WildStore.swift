import Formats
import Foundation
import Core
import Ports
import GNSS
import Records
import Runtime
import TestSupport
import Testing

@testable import Store
@testable import godwit

/// A small store with rows in every table, whose values can be replaced, and every use that the
/// program makes of a store.
struct WildStore {
  let folder: ScratchFolder
  private let base: String

  init() throws {
    folder = try ScratchFolder(inMemory: true)
    base = folder.file("base.gpkg")
    let made = try Program.run(
      "simulate", "--days", "1", "--coarse", "--store", base, "--set", "policy.name=hybrid")
    #expect(made.exitCode == 0, "\(made.messages)")
    // A few rows of each are enough, and no constraint may reject a value.
    let tables = [
      "track_points", "visits", "destinations", "gnss_sessions", "coarse_observations",
      "power_segments", "events",
    ]
    let thin = tables.map {
      "DELETE FROM \($0) WHERE id NOT IN (SELECT id FROM \($0) ORDER BY id LIMIT 3)"
    }
    let lift = """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'
      """
    // By default the sqlite3 of Debian 13 changes no schema.
    let ended = try TestSupport.run(
      "sqlite3", "-cmd", ".dbconfig defensive off", base,
      (thin + ["UPDATE destinations SET label = 'Home' WHERE id = 1", lift])
        .joined(separator: ";"))
    try #require(ended.status == 0, "\(ended.output)")
    #expect(try TestSupport.run("sqlite3", base, "VACUUM").status == 0)
  }

  /// Every column of every table, as "table.column".
  func columns() throws -> [(table: String, column: String)] {
    let rows = try TestSupport.run(
      "sqlite3", "-separator", " ", base,
      """
      SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
      """)
    return rows.output.split(separator: "\n").map {
      let words = $0.split(separator: " ")
      return (String(words[0]), String(words[1]))
    }
  }

  /// A copy with a change; nil when SQLite refuses it (an id is always a whole number).
  func changed(by sql: String, name: String = "wild.gpkg") throws -> String? {
    let path = folder.file(name)
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    try FileManager.default.copyItem(atPath: base, toPath: path)
    let connection = try Connection(path: path, access: .readWriteCreating)
    defer { connection.close() }
    guard (try? connection.execute(sql)) != nil, connection.changes > 0 else { return nil }
    return path
  }

  /// The tables that the daemon reads when it starts.
  private static let resumed: Set = [
    "meta", "destinations", "visits", "gnss_sessions", "gpkg_contents",
  ]

  /// Reads, checks, exports, opens, tracks, tidies. None of it may trap; an error has to state
  /// where.
  ///
  /// - Parameter table: the only one that differs from the original store; nil: any may. The
  ///   daemon's run is left out where it does not read that table.
  static func use(_ path: String, _ what: String, table: String? = nil) throws {
    try read(path, what)
    do {
      for problem in try StoreCheck(path: path).problems where problem.kind == .row {
        #expect(problem.text.contains("id \(problem.id ?? 0), column "), "\(what)")
      }
    } catch {
      #expect(error.message.contains(path), "\(what)")
    }
    if table.map(resumed.contains) ?? true { try? track(path) }
    try? keep(path)
  }

  private static func read(_ path: String, _ what: String) throws {
    let reader: StoreReader
    do {
      reader = try StoreReader(path: path)
    } catch {
      #expect(error.message.contains(path), "\(what)")
      return
    }
    func all<Row>(
      _ table: String, _ rows: () throws(PortError) -> RowCursor<Row>, _ take: (Row) -> Void
    ) {
      do throws(PortError) {
        var cursor = try rows()
        while let row = try cursor.next() { take(row) }
      } catch {
        let isNamed =
          error.message.contains("in \(table), id ") && error.message.contains(", column ")
        #expect(isNamed, "\(what): \(error.message)")
      }
    }
    var json = JSONWriter()
    var exporters = ExportFormat.allCases.map { $0.exporter() }
    all("destinations", { () throws(PortError) in try reader.destinations() }) {
      for index in exporters.indices { exporters[index].destination($0) }
      Destination.columns.append($0, to: &json)
    }
    all("visits", { () throws(PortError) in try reader.visits() }) {
      for index in exporters.indices { exporters[index].visit($0) }
      Visit.columns.append($0, to: &json)
      _ = LocalTime.text($0.arrival.estimate)
      _ = $0.departure.map(\.estimate).map(LocalTime.text)
    }
    all("track_points", { () throws(PortError) in try reader.trackPoints() }) {
      for index in exporters.indices { exporters[index].point($0) }
      TrackPoint.columns.append($0, to: &json)
    }
    for index in exporters.indices { exporters[index].finish() }
    all("gnss_sessions", { () throws(PortError) in try reader.sessions() }) { _ in }
    all("power_segments", { () throws(PortError) in try reader.segments() }) { _ in }
    all("events", { () throws(PortError) in try reader.events() }) { _ in }
  }

  /// A daemon's run on the store: start from its state, some fixes, the end.
  static func track(_ path: String) throws {
    let store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    let composition = Composition(settings: .init(), world: .replay)
    let runtime = try composition.runtime(devices: Devices(store: store), at: .zero)
    runtime.start(restoring: try store.trackerState(), at: .zero)
    for minute in stride(from: 0, to: 40, by: 2) {
      var fix = Fix(received: .zero + .minutes(Double(minute)))
      fix.time = UTCInstant(seconds: 1_779_000_000) + .minutes(Double(minute))
      fix.mode = .threeD
      // A stay, a trip, a stay.
      let north = minute < 15 ? 0 : Double(min(minute, 25) - 15) * 0.003
      fix.position = Coordinate(latitude: Degrees(52.09 + north), longitude: 5.12)
      fix.horizontalError = 4
      runtime.replay(fix, at: fix.received)
    }
    runtime.stop(at: .zero + .minutes(41))
    try store.close()
  }

  /// The other changes to a store.
  private static func keep(_ path: String) throws {
    let store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    _ = try? store.setLabel("Home", destination: 1)
    let now = UTCInstant(seconds: 1_780_000_000)
    for limits in [
      RetentionLimits(points: 2), RetentionLimits(age: .days(20)),
      RetentionLimits(age: 0, points: 1),
    ] {
      _ = try? store.applyRetention(limits, now: now)
    }
    try store.close()
  }
}
