import Foundation
import Core
import TestSupport
import Testing

@testable import Store

/// For any contents of a store: reading it gives rows or an error with table, id and column, and
/// nothing traps. A trap would end this whole process.
@Suite(.serialized) struct WildValuesTests {
  /// SQL literals. NaN can be stored only within a geometry; SQLite turns it into null.
  static let values = [
    "NULL", "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9007199254740993",
    "9223372036854775",
    "1e308", "9e999", "-9e999", "'NaN'", "'abc'", "x''", "x'00'", "x'47500001'", "zeroblob(70000)",
    "CAST(x'fffe80c0' AS TEXT)", "CAST(x'efbfbe' AS TEXT)",
    "'a' || char(0) || char(27) || '<&\"' || char(65535)",
    "replace(hex(zeroblob(60000)), '00', 'x' || char(0))",
    // Points with ordinates that are NaN, infinite, off the Earth, and on its edge.
    point("000000000000f87f", "000000000000f87f"), point("000000000000f07f", "0000000000000000"),
    point("0000000000007940", "0000000000005940"), point("0000000000806640", "0000000000805640"),
    "'2026-13-45'", "'99999-01-01T00:00:00Z'", "'2261-12-31T23:59:60.999Z'",
    "'2261-12-31T23:59:59-18:59'", "'1678-01-01T00:00:00+18:59'",
    "'0000-00-00T00:00:00Z'", "'2026-05-04'", "'{}'",
    "'{\"version\":1,\"session\":9223372036854774784}'", "'gnss'", "'open'",
  ]

  private static func point(_ x: String, _ y: String) -> String {
    "x'47500001e61000000101000000\(x)\(y)'"
  }

  @Test("every value in every column", .timeLimit(.minutes(10))) func exhaustive() throws {
    let store = try WildStore()
    let columns = try store.columns()
    #expect(columns.count > 85)
    var taken = 0
    for (table, column) in columns {
      for value in Self.values {
        let sql =
          "UPDATE \(table) SET \(column) = \(value) WHERE rowid = (SELECT max(rowid) FROM \(table))"
        guard let path = try store.changed(by: sql) else { continue }
        taken += 1
        try WildStore.use(path, sql, table: table)
      }
    }
    #expect(taken > 2500)
  }

  @Test("several values at once, seeded") func several() throws {
    let store = try WildStore()
    let columns = try store.columns()
    var random = SplitMix(seed: 20_261_122)
    for _ in 0..<150 {
      let changes = (0..<Int.random(in: 2...6, using: &random)).map { _ in
        let (table, column) = columns.randomElement(using: &random)!
        let value = Self.values.randomElement(using: &random)!
        return "UPDATE OR IGNORE \(table) SET \(column) = \(value)"
      }.joined(separator: ";")
      guard let path = try store.changed(by: changes) else { continue }
      try WildStore.use(path, changes)
    }
  }

  @Test("every number and text of the tracker's state") func state() throws {
    let store = try WildStore()
    let plain = try #require(try store.changed(by: "UPDATE meta SET value = value"))
    let text = try #require(try StoreReader(path: plain).trackerState())
    let state = try JSONValue(parsing: text)
    let wild: [JSONValue] = [
      .number(9_223_372_036_854_774_784), .number(-9_223_372_036_854_775_808), .number(1e308),
      .number(-1e308), .number(-1), .number(0.5), .number(0), .null, .string(""),
      .string("9223372036854775807"), .string("-9223372036854775808"),
      .string("2261-12-31T23:59:59Z"), .string("1678-01-01T00:00:00Z"), .array([]), .bool(true),
    ]
    var count = 0
    for value in wild {
      for changed in state.replacingEachLeaf(by: value) {
        let quoted = changed.text.replacingOccurrences(of: "'", with: "''")
        let sql = "UPDATE meta SET value = '\(quoted)' WHERE key = 'tracker_state'"
        let path = try #require(try store.changed(by: sql))
        try? WildStore.track(path)
        count += 1
      }
    }
    #expect(count > 500)
  }

  /// The program itself, on a few values: it prints rows or one line that names the row.
  @Test("the commands on wild stores") func commands() throws {
    let store = try WildStore()
    let columns = try store.columns()
    var random = SplitMix(seed: 7)
    for _ in 0..<15 {
      let (table, column) = columns.randomElement(using: &random)!
      let sql = "UPDATE \(table) SET \(column) = \(Self.values.randomElement(using: &random)!)"
      guard let path = try store.changed(by: sql) else { continue }
      for command in [
        "visits", "track", "destinations", "export gpx", "store check", "store repair", "visits",
      ] {
        let outcome = try Program.run(
          command.split(separator: " ").map(String.init) + ["--store", path])
        #expect([0, 1].contains(outcome.exitCode), "\(command) after \(sql)")
        if outcome.exitCode == 1 { #expect(outcome.messages.hasPrefix("godwit: "), "\(sql)") }
      }
    }
  }
}

extension JSONValue {
  /// A copy for each leaf value, with that value replaced.
  fileprivate func replacingEachLeaf(by value: JSONValue) -> [JSONValue] {
    switch self {
    case .object(let members):
      members.indices.flatMap { index in
        members[index].value.replacingEachLeaf(by: value).map { changed in
          var copy = members
          copy[index].value = changed
          return .object(copy)
        }
      }
    case .array(let items):
      // The track of the last hours is a long list of equal items.
      items.indices.filter { $0 < 5 || $0 == items.count - 1 }.flatMap { index in
        items[index].replacingEachLeaf(by: value).map { changed in
          var copy = items
          copy[index] = changed
          return .array(copy)
        }
      }
    default: [value]
    }
  }
}
