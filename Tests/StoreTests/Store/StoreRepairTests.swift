import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Store

/// What a repair saves of damaged stores: everything that can still be read.
@Suite struct StoreRepairTests {
  let life: Life

  init() throws { life = try Life() }

  /// Repairs, and compares with what can be read row by row.
  private func repairKeepsAllThatIsReadable(
    _ ids: [String: [Int64]], at location: SourceLocation = #_sourceLocation
  ) throws -> StoreRepair {
    let before = try life.bytes()
    let readable = try Life.readable(life.path, among: ids)
    let repair = try StoreRepair(path: life.path)
    let saved = try Life.readable(life.path, among: ids)
    for (table, rows) in readable {
      let missing = rows.subtracting(saved[table] ?? [])
      #expect(missing.isEmpty, "\(table) lacks \(missing.sorted())", sourceLocation: location)
    }
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: repair.keptAs))) == before)
    let check = try StoreCheck(path: life.path)
    #expect(check.isSound, "\(check.problems)", sourceLocation: location)
    #expect(life.folder.files == ["track.gpkg", "track.gpkg.damaged"])
    return repair
  }

  @Test("noise over pages loses only the rows of these pages", arguments: [1, 2, 3, 5, 8, 21, 55])
  func noise(pages: Int) throws {
    let ids = try life.ids()
    let all = ids.values.reduce(0) { $0 + $1.count }
    try life.damage(pages: pages, seed: UInt64(pages))
    #expect(try !StoreCheck(path: life.path).isSound)
    let repair = try repairKeepsAllThatIsReadable(ids)
    #expect(repair.saved < all && repair.saved > all / 3)
    #expect(repair.unread > 0)
    // The daemon continues with it.
    let store = try GeoPackageStore(path: life.path)
    try store.write([.trackPoint(point(at: .days(30)))])
    try store.close()
  }

  @Test("swapped pages lose no row")
  func misplacedPages() throws {
    let ids = try life.ids()
    let listing = try run(
      "sqlite3", life.path,
      "SELECT pageno FROM dbstat WHERE name = 'track_points' AND pagetype = 'leaf' ORDER BY path")
    let pages = listing.output.split(separator: "\n").compactMap { Int($0) }
    try #require(pages.count > 20, "\(listing.output)")
    var bytes = try life.bytes()
    for (one, other) in [(pages[5], pages[pages.count - 5]), (pages[8], pages[9])] {
      for offset in 0..<512 {
        bytes.swapAt((one - 1) * 512 + offset, (other - 1) * 512 + offset)
      }
    }
    try life.overwrite(bytes)
    let repair = try StoreRepair(path: life.path)
    let saved = try Life.readable(life.path, among: ids)
    for (table, rows) in ids {
      #expect(Set(rows).subtracting(saved[table] ?? []).isEmpty, "\(table) lacks rows")
    }
    #expect(repair.saved == ids.values.reduce(0) { $0 + $1.count })
  }

  @Test("the end of the file is cut off", arguments: [0.9, 0.6, 0.3])
  func truncated(share: Double) throws {
    let ids = try life.ids()
    let bytes = try life.bytes()
    try life.overwrite(Array(bytes.prefix(Int(Double(bytes.count) * share) / 512 * 512)))
    let repair = try repairKeepsAllThatIsReadable(ids)
    #expect(repair.saved > 0)
  }

  @Test("records in the log only are saved, and are lost without it")
  func log() throws {
    let store = try GeoPackageStore(path: life.path)
    try store.write([.trackPoint(point(at: .days(20)))])
    let left = try Life(points: 1)
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: left.path + suffix)
      try FileManager.default.copyItem(atPath: life.path + suffix, toPath: left.path + suffix)
    }
    #expect(try StoreRepair(path: left.path).tableResults.map(\.saved).reduce(0, +) > 0)
    #expect(try StoreReader(path: left.path).allPoints().last == point(at: .days(20)))
    // The damaged file still has its log.
    #expect(
      left.folder.files == ["track.gpkg", "track.gpkg.damaged", "track.gpkg.damaged-wal"])
    let kept = left.path + ".damaged"
    try FileManager.default.removeItem(atPath: kept + "-wal")
    let without = try StoreReader(path: kept).allPoints()
    #expect(without.count == 800 && without.last != point(at: .days(20)))
    #expect(try StoreRepair(path: kept).unread == 0)
    try store.close()
  }

  @Test("incomprehensible rows of other programs are left out, counted and named")
  func foreign() throws {
    try life.sql(
      """
      UPDATE visits SET arrival = '2026-13-45' WHERE id = 7;
      UPDATE destinations SET geom = x'00' WHERE id = 3;
      UPDATE track_points SET accuracy_m = 'good' WHERE id = (SELECT min(id) FROM track_points);
      UPDATE gpkg_contents SET min_x = 10, max_x = 5; CREATE TABLE layer_styles (id INTEGER);
      ALTER TABLE visits ADD COLUMN note TEXT; CREATE VIEW long AS SELECT id FROM visits
      """)
    let check = try StoreCheck(path: life.path)
    #expect(check.needsRepair)
    #expect(
      check.problems.filter { $0.kind == .row }.map(\.table)
        == ["destinations", "visits", "track_points"])
    #expect(check.problems.contains { $0.text.contains("visits, id 7, column arrival") })
    let repair = try StoreRepair(path: life.path)
    #expect(repair.refused == 3 && repair.unread == 0)
    #expect(repair.clearedReferences == 10)
    #expect(repair.leftOut == ["layer_styles", "long", "visits.note"])
    #expect(try StoreCheck(path: life.path).isSound)
  }

  @Test("if nothing can be read nothing is changed") func hopeless() throws {
    var bytes = try life.bytes()
    bytes.replaceSubrange(0..<100, with: [UInt8](repeating: 0xA5, count: 100))
    try life.overwrite(bytes)
    let check = try StoreCheck(path: life.path)
    #expect(check.problems.map(\.kind) == [.damage] && check.needsRepair)
    let error = thrown(PortError.self) { try StoreRepair(path: life.path) }
    guard case .corrupt? = error else { return #expect(Bool(false)) }
    #expect(try life.bytes() == bytes)
    #expect(life.folder.files == ["track.gpkg"])
  }

  @Test("a row with a duplicate key is counted among those left out") func twice() throws {
    try life.sql(
      """
      INSERT INTO meta (key, value) VALUES ('mark', 'first');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'UNIQUE', '') WHERE name = 'meta';
      DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_meta_1'
      """)
    try life.sql("INSERT INTO meta (key, value) VALUES ('mark', 'second')")
    let repair = try StoreRepair(path: life.path)
    let meta = try #require(repair.tableResults.first { $0.table == "meta" })
    #expect(meta.refusedCount == 1 && meta.refused.first?.contains("is repeated") == true)
    let kept = try StoreReader.connection(life.path).prepareOnce(
      "SELECT value FROM meta WHERE key = 'mark'")
    #expect(try kept.step() && kept.text(0) == "first")
  }

  @Test("beside a running daemon everything stays unchanged") func refusals() throws {
    let before = try life.bytes()
    let lock = try StoreLock(path: life.path)
    let busy = thrown(PortError.self) { try StoreRepair(path: life.path) }
    guard case .busy? = busy else { return #expect(Bool(false)) }
    lock.release()
    #expect(try life.bytes() == before)
    #expect(life.folder.files == ["track.gpkg"])
  }

  @Test("a sound store stays unchanged") func sound() throws {
    let ids = try life.ids()
    let repair = try repairKeepsAllThatIsReadable(ids)
    #expect(repair.saved == ids.values.reduce(0) { $0 + $1.count })
    #expect(repair.refused == 0 && repair.unread == 0 && repair.clearedReferences == 0)
    let second = try StoreRepair(path: life.path)
    #expect(second.keptAs.hasSuffix("track.gpkg.damaged-2"))
  }
}
