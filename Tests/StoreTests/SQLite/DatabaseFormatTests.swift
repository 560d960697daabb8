import CSQLite
import Foundation
import Store
import Testing

/// The program's own files, changed by another program.
@Suite struct DatabaseFormatTests {
  private static let kind = DatabaseFormat(
    .uplink, applicationID: DatabaseKind.uplinkID, pageSize: 1024, checkpointPages: 16,
    cacheKilobytes: 64, isDurable: true
  ) { (database) throws(Database.Failure) in
    try database.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, text TEXT UNIQUE)")
  }

  private static func failure(_ sql: String) throws -> Database.Failure? {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("own").path
    _ = try kind.open(path)
    var opened: OpaquePointer?
    sqlite3_open(path, &opened)
    #expect(sqlite3_exec(opened, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(opened)
    do {
      _ = try kind.open(path)
      return nil
    } catch { return error }
  }

  @Test("a file with a trigger or a view is not used")
  func programs() throws {
    #expect(try Self.failure("CREATE INDEX more ON items (text)") == nil)
    for sql in [
      "CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM items; END",
      "DROP TABLE items; CREATE VIEW items AS SELECT 1 AS id, 2 AS text",
    ] {
      guard let failure = try Self.failure(sql) else { #expect(Bool(false), "\(sql)"); continue }
      #expect(failure.kind == .damaged && failure.text.contains("not belong to godwit"))
    }
  }
}
