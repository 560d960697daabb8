import CSQLite
import FuzzInput

/// The store's file through a separate connection that bypasses the store's types and rules.
final class WildFile {
  private var handle: OpaquePointer?
  private var inserts: [OpaquePointer] = []
  private var extents: OpaquePointer?

  init(path: String) {
    sqlite3_open(path, &handle)
    sqlite3_exec(handle, "PRAGMA synchronous = OFF", nil, nil, nil)
    for table in WildTable.all {
      let placeholders = Array(repeating: "?", count: table.usual.count).joined(separator: ",")
      inserts.append(prepared("INSERT OR REPLACE INTO \(table.name) VALUES (\(placeholders))"))
    }
    extents = prepared(
      "UPDATE gpkg_contents SET last_change = ?, min_x = ?, min_y = ?, max_x = ?, max_y = ?")
  }

  deinit {
    for statement in inserts { sqlite3_finalize(statement) }
    sqlite3_finalize(extents)
    sqlite3_close(handle)
  }

  private func prepared(_ sql: String) -> OpaquePointer {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard let statement else { fatalError("\(sql): \(String(cString: sqlite3_errmsg(handle)))") }
    return statement
  }

  /// Empties all tables and writes one or two rows into each, determined by the bytes. Rows that
  /// the file refuses (a forbidden null) are left out.
  func rewrite(_ bytes: inout InputBytes) {
    sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil)
    for (table, insert) in zip(WildTable.all, inserts) {
      sqlite3_exec(handle, "DELETE FROM \(table.name)", nil, nil, nil)
      repeat { run(insert, table.usual, &bytes) } while bytes.byte() & 192 == 64
    }
    sqlite3_exec(handle, "COMMIT", nil, nil, nil)
  }

  /// The same for the layers' extents.
  func rewriteExtents(_ bytes: inout InputBytes) {
    guard let extents else { return }
    let usual: [SQLValue] = [
      .text("2026-05-01T12:34:56.789Z"), .real(4), .real(51), .real(6), .real(53),
    ]
    run(extents, usual, &bytes)
  }

  private func run(_ statement: OpaquePointer, _ usual: [SQLValue], _ bytes: inout InputBytes) {
    for (index, value) in usual.enumerated() {
      SQLValue.wild(&bytes, usual: value).bind(to: statement, at: Int32(index + 1))
    }
    sqlite3_step(statement)
    sqlite3_reset(statement)
  }
}
