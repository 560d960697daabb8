import Delivery
import Core
import Ports
import Records
import TestSupport
import Testing

@testable import Store

/// The records of many boards in one file, each stored once.
@Suite struct CollectionStoreTests {
  private let folder: ScratchFolder
  private let store: CollectionStore
  private var path: String { folder.file("home.gpkg") }

  init() throws {
    folder = try ScratchFolder()
    store = try CollectionStore(path: folder.file("home.gpkg"))
  }

  private static func record(_ sequence: Int64, _ visit: Visit) -> CollectedRecord {
    CollectedRecord(sequence: sequence, layer: "visits", record: visit.id, visit)
  }

  @discardableResult private func take(
    _ records: CollectedRecord..., stream: String = "s1", of device: String = "ann/bike"
  ) throws -> Int64 {
    try store.store(CollectedBatch(stream: stream, records), of: device).through
  }

  @discardableResult private func sql(_ text: String) throws -> [String] {
    let result = try run("sqlite3", path, text)
    return result.output.split(separator: "\n").map(String.init)
  }

  private func visits() throws -> [String] {
    try sql("SELECT device, record, stream, sequence, departure FROM visits ORDER BY 1, 2, 3")
  }

  @Test(
    "no receipt is given for records in a file that has disappeared",
    arguments: ["rm watched.gpkg", "mv watched.gpkg other", "cp watched.gpkg a; mv a watched.gpkg"])
  func gone(how: String) throws {
    let watched = folder.file("watched.gpkg")
    let collection = try CollectionStore(path: watched, lock: try StoreLock(path: watched))
    let first = CollectedBatch(stream: "s1", [Self.record(1, visit(1, from: 0, to: 60))])
    #expect(try collection.store(first, of: "ann/bike").through == 1)
    _ = try run("sh", "-c", "cd '\(folder.path)' && \(how)")
    let second = CollectedBatch(stream: "s1", [Self.record(2, visit(2, from: 5))])
    let error = thrown(PortError.self) { try collection.store(second, of: "ann/bike") }
    guard case .moved(let why) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(why.contains("restart godwit collect"))
    collection.close()
    // A collection that starts over finds no log of the file before.
    let new = try CollectionStore(path: watched, lock: try StoreLock(path: watched))
    #expect(try new.store(second, of: "ann/bike").stream == "s1")
  }

  @Test("a duplicate is stored once, and the receipt covers the numbers without a gap")
  func once() throws {
    #expect(try take(Self.record(1, visit(1, from: 0, to: 60))) == 1)
    #expect(
      try take(Self.record(1, visit(1, from: 0, to: 60)), Self.record(3, visit(3, from: 9))) == 1)
    #expect(try take(Self.record(2, visit(2, from: 5))) == 3)
    #expect(
      try visits() == [
        "ann/bike|1|s1|1|2026-05-01T00:01:00.000Z", "ann/bike|2|s1|2|", "ann/bike|3|s1|3|",
      ])
    #expect(try sql("SELECT count(*) FROM streams_ahead") == ["0"])
  }

  @Test("a later version replaces an earlier one, in any order of arrival")
  func changes() throws {
    try take(Self.record(2, visit(1, from: 0, to: 60)))
    #expect(try take(Self.record(1, visit(1, from: 0))) == 2)
    #expect(try visits() == ["ann/bike|1|s1|2|2026-05-01T00:01:00.000Z"])
    try take(Self.record(3, visit(1, from: 0, to: 90)))
    #expect(try visits() == ["ann/bike|1|s1|3|2026-05-01T00:01:30.000Z"])
  }

  @Test("a withdrawn record is deleted, and does not return with an older message")
  func withdrawals() throws {
    try take(Self.record(1, visit(1, from: 0)), Self.record(2, visit(2, from: 5)))
    try take(CollectedRecord(sequence: 4, layer: "visits", record: 1, .withdrawn))
    #expect(try visits() == ["ann/bike|2|s1|2|"])
    #expect(try take(Self.record(3, visit(1, from: 0, to: 60))) == 4)
    #expect(try visits() == ["ann/bike|2|s1|2|"])
  }

  @Test("of two withdrawals the later one is kept, in any order of arrival")
  func withdrawnTwice() throws {
    try take(CollectedRecord(sequence: 4, layer: "visits", record: 1, .withdrawn))
    try take(CollectedRecord(sequence: 2, layer: "visits", record: 1, .withdrawn))
    try take(Self.record(3, visit(1, from: 0)), Self.record(1, visit(1, from: 0)))
    #expect(try visits() == [])
    try take(Self.record(5, visit(1, from: 9)))
    #expect(try visits() == ["ann/bike|1|s1|5|"])
  }

  @Test("records that a board dropped are counted, and block nothing") func dropped() throws {
    #expect(
      try take(
        CollectedRecord(sequence: 1, layer: "visits", record: 1, .dropped),
        Self.record(2, visit(2, from: 5))) == 2)
    #expect(try sql("SELECT through, dropped FROM streams") == ["2|1"])
  }

  @Test("boards are kept apart, and so are the numbers of a restored store")
  func streams() throws {
    try take(Self.record(1, visit(1, from: 0)))
    try take(Self.record(1, visit(1, from: 0)), of: "ben/boat")
    // The same once more, and another visit under a number that is already used.
    try take(
      Self.record(1, visit(1, from: 0)), Self.record(2, visit(2, from: 700)), stream: "s2")
    try take(Self.record(2, visit(2, from: 5)), stream: "s1")
    #expect(
      try visits() == [
        "ann/bike|1|s2|1|", "ann/bike|2|s1|2|", "ann/bike|2|s2|2|", "ben/boat|1|s1|1|",
      ])
    let receipts = try store.receipts().map { "\($0.device) \($0.receipt.stream)" }
    #expect(receipts == ["ann/bike s1", "ben/boat s1", "ann/bike s2"])
  }

  @Test("additional values of a newer board are kept unchanged") func newer() throws {
    let known =
      #"{"seq":1,"layer":"visits","id":1,"row":{"geom":[5,52],"mood":"good","#
      + #""arrival":"2026-05-01T00:00:00.000Z","arrival_earliest":"2026-05-01T00:00:00.000Z","#
      + #""arrival_latest":"2026-05-01T00:00:00.000Z","accuracy_m":3,"confidence":1,"#
      + #""locations":1}}"#
    let unknown = #"{"seq":2,"layer":"moods","id":7,"row":{"mood":"good","level":[1,2]}}"#
    let broken = #"{"seq":3,"layer":"visits","id":9,"row":{"geom":"nowhere"}}"#
    for text in [known, unknown, broken] {
      try take(try #require(CollectedRecord(try JSONValue(parsing: text))))
    }
    #expect(try sql("SELECT record, other FROM visits") == [#"1|{"mood":"good"}"#])
    #expect(
      try sql("SELECT layer, record, other FROM other_records ORDER BY record") == [
        #"moods|7|{"mood":"good","level":[1,2]}"#, #"visits|9|{"geom":"nowhere"}"#,
      ])
    #expect(try sql("SELECT through FROM streams") == ["3"])
  }

  @Test("every kind of record has its table, with all columns") func kinds()
    throws
  {
    for kind in Record.ofBoard {
      let names = try sql("SELECT name FROM pragma_table_info('\(kind.layout.name)')")
      #expect(Set(kind.layout.columns.map(\.name)).isSubset(of: names), "\(kind.layout.name)")
      #expect(
        kind.layout.columns.allSatisfy {
          CollectedRecord(
            .object([
              ("seq", .number(1)), ("layer", .string(kind.layout.name)), ("id", .number(1)),
              ("row", .object([($0.name, .null)])),
            ])) != nil
        }, "\(kind.layout.name)")
    }
    let session = session(1, at: 0, lasting: 60)
    try take(CollectedRecord(sequence: 1, layer: "gnss_sessions", record: 1, session))
    #expect(try sql("SELECT charge_mAh, energy_J FROM gnss_sessions") == ["0.25|2.97"])
  }

  @Test("it is a GeoPackage that GDAL reads, with all geometries") func geoPackage() throws {
    try take(Self.record(1, visit(1, from: 0)))
    try take(
      CollectedRecord(
        sequence: 2, layer: "track_points", record: (start + 5).wholeMicroseconds, point(at: 5)))
    store.close()
    let info = try run("ogrinfo", "-so", path, "track_points")
    #expect(!info.output.contains("Warning") && info.output.contains("Feature Count: 1"))
    // As the layers of a store, rounded outwards.
    #expect(info.output.contains("Extent: (5.120000, 52.090000)"), "\(info.output)")
    #expect(try run("ogrinfo", path).output.contains("visits (Point)"))
  }

  @Test("it continues after a restart with its records") func restart() throws {
    try take(Self.record(1, visit(1, from: 0)), Self.record(3, visit(3, from: 9)))
    store.close()
    let again = try CollectionStore(path: path)
    let batch = CollectedBatch(stream: "s1", [Self.record(2, visit(2, from: 5))])
    #expect(try again.store(batch, of: "ann/bike") == CollectorReceipt(stream: "s1", through: 3))
    #expect(try again.receipts().map(\.receipt.through) == [3])
  }

  private func columns(of layer: TableLayout) throws -> [String] {
    try sql("SELECT name FROM pragma_table_info('\(layer.name)')")
  }

  @Test("a collection of an older version gets the columns that were added since") func older()
    throws
  {
    try take(Self.record(1, visit(1, from: 0)))
    store.close()
    for layer in CollectionEntry.layers where !layer.laterColumns.isEmpty {
      let drops = layer.laterColumns.map { "ALTER TABLE \(layer.name) DROP COLUMN \($0.name)" }
      try sql(drops.joined(separator: ";"))
      let names = layer.laterColumns.map(\.name)
      #expect(try Set(names).isDisjoint(with: columns(of: layer)), "\(layer.name)")
    }
    let again = try CollectionStore(path: path)
    for layer in CollectionEntry.layers {
      let names = layer.columns.map(\.name)
      #expect(try Set(names).isSubset(of: columns(of: layer)), "\(layer.name)")
    }
    var coarse = visit(2, from: 5)
    coarse.isCoarse = true
    let batch = CollectedBatch(stream: "s1", [Self.record(2, coarse)])
    #expect(try again.store(batch, of: "ann/bike").through == 2)
    again.close()
    let rows = ["1||", "2|1|"]
    #expect(try sql("SELECT record, is_coarse, other FROM visits ORDER BY 1") == rows)
    let info = try run("ogrinfo", "-so", path, "visits").output
    #expect(info.contains("is_coarse: Integer(Boolean)"), "\(info)")
    // It is as if it had been made by this version.
    try CollectionStore(path: path).close()
    #expect(try sql("SELECT record, is_coarse, other FROM visits ORDER BY 1") == rows)
  }

  @Test(
    "what cannot be used says what is to be done with a collection, and stays as it was",
    arguments: [
      (
        "ALTER TABLE visits DROP COLUMN arrival", "the table visits has no column arrival",
        "put a copy of the collection"
      ),
      (
        "CREATE TRIGGER visits_watched AFTER INSERT ON visits BEGIN DELETE FROM visits; END",
        "the trigger visits_watched on visits", "remove it with sqlite3"
      ),
    ])
  func unusable(change: String, fault: String, advice: String) throws {
    store.close()
    // A column that could be added is none of its faults.
    try sql("ALTER TABLE visits DROP COLUMN is_coarse; \(change)")
    let before = try sql("SELECT sql FROM sqlite_schema ORDER BY name")
    let message = thrown(PortError.self) { try CollectionStore(path: path) }?.message ?? ""
    for part in ["the collection \(path) cannot be used", fault, "nothing was changed", advice] {
      #expect(message.contains(part), "\(message)")
    }
    // That takes stores alone.
    #expect(!message.contains("store repair"), "\(message)")
    #expect(try sql("SELECT sql FROM sqlite_schema ORDER BY name") == before)
  }

  @Test("a store, or any other file, is not accepted as a collection") func foreign() throws {
    let other = folder.file("track.gpkg")
    try GeoPackageStore(path: other).close()
    #expect(throws: PortError.self) { try CollectionStore(path: other) }
    #expect(try StoreCheck(path: other).isSound)
    #expect(throws: PortError.self) { try StoreReader(path: path) }
    try folder.write("notes", to: "notes.txt")
    #expect(throws: PortError.self) { try CollectionStore(path: folder.file("notes.txt")) }
    #expect(try folder.text("notes.txt") == "notes")
  }
}
