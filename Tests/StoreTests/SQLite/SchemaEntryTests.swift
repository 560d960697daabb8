import Store
import Testing

/// What an entry of a schema creates, whatever its columns claim.
@Suite struct SchemaEntryTests {
  private static func entry(
    _ sql: String, type: String = "trigger", name: String = "t", table: String = "x"
  ) -> SchemaEntry { SchemaEntry(type: type, name: name, table: table, sql: sql) }

  @Test(
    "the table of a trigger is the one it is attached to",
    arguments: [
      "CREATE TRIGGER t AFTER INSERT ON x BEGIN SELECT 1; END",
      "create trigger [T] before update of a, \"on\" on 'X' begin select 1; end",
      "CREATE/* on y */TRIGGER -- on z\n `t` INSTEAD OF DELETE ON \"x\" BEGIN SELECT 1; END",
    ])
  func trigger(sql: String) {
    let entry = Self.entry(sql)
    #expect(entry.kind == .trigger && entry.name == "t" && entry.table == "x")
    #expect(entry.isConsistent)
  }

  @Test(
    "an entry that differs from its declaration is detected",
    arguments: [
      ("table", "CREATE VIEW t AS SELECT 1"), ("table", "CREATE TABLE y (id)"),
      ("index", "CREATE TRIGGER t AFTER INSERT ON x BEGIN SELECT 1; END"),
      ("trigger", "CREATE TRIGGER t AFTER INSERT ON y BEGIN SELECT 1; END"),
      ("trigger", "CREATE TRIGGER main.t AFTER INSERT ON x BEGIN SELECT 1; END"),
      ("view", "DROP TABLE x"), ("view", ""), ("table", "CREATE"),
    ])
  func forged(type: String, sql: String) {
    #expect(!Self.entry(sql, type: type).isConsistent)
  }

  @Test("spaces, comments and case make no difference, string literals do") func same() {
    let one = Self.entry("CREATE TABLE t (a TEXT DEFAULT 'b c')", type: "table", table: "t")
    let other = Self.entry(
      "create  table t(A text /* b */\n default 'b c')", type: "table", table: "t")
    let third = Self.entry("CREATE TABLE t (a TEXT DEFAULT 'B c')", type: "table", table: "t")
    #expect(one.isSame(as: other) && !one.isSame(as: third))
  }
}
