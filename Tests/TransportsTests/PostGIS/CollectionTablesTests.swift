import Records
import Testing

@testable import Transports

/// The statements that make and extend a collection in a database.
@Suite struct CollectionTablesTests {
  @Test("a later column is added to the collection's own table, where it is missing")
  func additions() {
    let additions = Visit.layout.laterColumns.map {
      CollectionTables.addition(of: $0, to: Visit.layout)
    }
    #expect(
      additions == [
        #"ALTER TABLE godwit.visits ADD COLUMN IF NOT EXISTS "last_seen" TIMESTAMPTZ"#,
        #"ALTER TABLE godwit.visits ADD COLUMN IF NOT EXISTS "unwatched_s" DOUBLE PRECISION"#,
        #"ALTER TABLE godwit.visits ADD COLUMN IF NOT EXISTS "gap_start" TIMESTAMPTZ"#,
        #"ALTER TABLE godwit.visits ADD COLUMN IF NOT EXISTS "gap_end" TIMESTAMPTZ"#,
        #"ALTER TABLE godwit.visits ADD COLUMN IF NOT EXISTS "gaps_s" TEXT"#,
        #"ALTER TABLE godwit.visits ADD COLUMN IF NOT EXISTS "is_coarse" BOOLEAN"#,
      ])
  }
}
