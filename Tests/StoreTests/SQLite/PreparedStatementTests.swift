import CSQLite
import Store
import Testing

/// Values into a statement, and out of its row.
@Suite struct PreparedStatementTests {
  private final class Statement: PreparedStatement {
    let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ sql: String) throws {
      var opened: OpaquePointer?
      try #require(sqlite3_open(":memory:", &opened) == SQLITE_OK)
      database = try #require(opened)
      var prepared: OpaquePointer?
      try #require(sqlite3_prepare_v2(database, sql, -1, &prepared, nil) == SQLITE_OK)
      handle = try #require(prepared)
    }

    func step() -> Bool { sqlite3_step(handle) == SQLITE_ROW }

    deinit {
      sqlite3_finalize(handle)
      sqlite3_close(database)
    }
  }

  @Test("a bound value is read back, in its own type only") func values() throws {
    let row = try Statement("SELECT ?1, ?2, ?3, ?4")
    row.bind(1, Int64.min)
    row.bind(2, 0.25)
    row.bind(3, "a\0b·é")
    row.bind(4, [UInt8](0...3))
    #expect(row.step())
    #expect(row.integer(0) == .min && row.real(0) == Double(Int64.min) && row.text(0) == nil)
    #expect(row.integer(1) == nil && row.real(1) == 0.25 && row.text(1) == nil)
    #expect(row.integer(2) == nil && row.real(2) == nil && row.text(2) == "a\0b·é")
    #expect(row.integer(3) == nil && row.real(3) == nil && row.text(3) == nil)
  }

  @Test("nil is NULL, and a reset statement has lost its values")
  func nothing() throws {
    let row = try Statement("SELECT ?1 IS NULL, ?2 IS NULL, ?3 IS NULL")
    row.bind(1, Int64(7))
    row.bind(2, 7.5)
    row.bind(3, "7")
    #expect(row.step() && row.integer(0) == 0 && row.integer(1) == 0 && row.integer(2) == 0)
    row.reset()
    #expect(row.step() && row.integer(0) == 1 && row.integer(1) == 1 && row.integer(2) == 1)
    row.reset()
    row.bind(1, Int64?.none)
    row.bind(2, Double?.none)
    row.bind(3, String?.none)
    #expect(row.step() && row.integer(0) == 1 && row.integer(1) == 1 && row.integer(2) == 1)
  }

  @Test("NaN reads as nil") func notFinite() throws {
    let row = try Statement("SELECT 9e999, -9e999, '12', x'31'")
    #expect(row.step())
    for column in Int32(0)..<4 { #expect(row.real(column) == nil && row.integer(column) == nil) }
  }
}
