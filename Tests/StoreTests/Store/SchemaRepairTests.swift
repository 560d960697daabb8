import Core
import Ports
import Records
import TestSupport
import Testing

@testable import Store

/// Stores that have lost triggers and indexes of their own.
@Suite struct SchemaRepairTests {
  private let folder: ScratchFolder
  private var path: String { folder.file("life.gpkg") }

  init() throws { folder = try ScratchFolder() }

  private func sql(_ text: String) throws {
    let connection = try Connection(path: path, access: .readWriteCreating)
    defer { connection.close() }
    try connection.execute(text)
  }

  /// What the daemon reports when it opens the store.
  private func mended(keepsChangeLog: Bool? = true) throws -> String? {
    let store = try GeoPackageStore(path: path, mark: 1, keepsChangeLog: keepsChangeLog)
    defer { try? store.close() }
    return try store.ensureOpen()?.repaired
  }

  @Test("records without their trigger are reported as not sent automatically")
  func noted() throws {
    #expect(try mended() == nil)
    try sql("DROP TRIGGER visits_noted; DROP INDEX record_changes_record")
    let words = try #require(try mended())
    #expect(words.contains("the trigger visits_noted"), "\(words)")
    #expect(words.contains("godwit uplink queue --from"), "\(words)")
    #expect(words.contains("the index record_changes_record"), "\(words)")
    #expect(try StoreCheck(path: path).isSound)
    #expect(try mended() == nil)
    let store = try GeoPackageStore(path: path, mark: 2)
    try store.write([.visit(visit(1, from: 0))])
    try store.close()
    #expect(try StoreReader(path: path).changes(after: 0, atMost: 9).map(\.layer) == ["visits"])
  }

  @Test("without recipients nothing has to be queued") func alone() throws {
    #expect(try mended(keepsChangeLog: nil) == nil)
    try sql("DROP TRIGGER visits_noted")
    let words = try #require(try mended(keepsChangeLog: nil))
    #expect(words.contains("visits_noted") && !words.contains("queue"))
  }

  @Test("places stored without their triggers are found, and get a UUID and a version")
  func places() throws {
    let store = try GeoPackageStore(path: path)
    var place = StoredPlace()
    place.name = "Home"
    let row = StoredCircle(id: 0, centre: position(52.1, 5.2), radius: 50, place)
    try PlaceEditor(store).put([.circle(row)])
    try store.close()
    try sql(
      """
      DROP TRIGGER places_found; DROP TRIGGER places_made; DROP TRIGGER places_edited;
      INSERT INTO places (geom, radius_m, name, uuid) SELECT geom, 60, 'Work', uuid FROM places;
      """)
    #expect(try #require(try mended()).contains("the trigger places_edited"))
    var cursor = try PlaceCursor(
      StoreReader(path: path), near: GeographicBox(west: 5, south: 52, east: 6, north: 53))
    var found: [StoredPlace] = []
    while let row = try cursor.next() { found.append(row.place) }
    #expect(found.map(\.name) == ["Home", "Work"] && found.allSatisfy { $0.version == 1 })
    #expect(Set(found.map(\.uuid)).count == 2 && !found.contains { $0.uuid == nil })
    #expect(try StoreCheck(path: path).isSound)
  }

  @Test("a table that is missing with its triggers needs a repair") func table() throws {
    #expect(try mended() == nil)
    try sql("DROP TABLE record_changes")
    let error = thrown(PortError.self) { try mended() }
    #expect(error?.message.contains("its table record_changes is missing") == true)
    #expect(error?.message.contains("godwit store repair") == true)
  }

  @Test("for a missing column there is a backup, or a repair of the other tables") func column()
    throws
  {
    #expect(try mended() == nil)
    try sql("ALTER TABLE visits DROP COLUMN confidence")
    let message = thrown(PortError.self) { try mended() }?.message ?? ""
    for part in [
      "the store \(path) cannot be used", "the table visits has no column confidence",
      "godwit store restore FILE", "the rows of the other tables with `godwit store repair",
    ] { #expect(message.contains(part), "\(message)") }
    #expect(!message.contains("without it"), "\(message)")
  }
}
