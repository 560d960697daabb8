import Core
import TestSupport
import Testing

@testable import Config

@Suite struct TOMLParserTests {
  func parse(_ text: String) throws -> WrittenTable { try TOMLParser.parse(text, file: "t.toml") }

  func content(_ text: String) throws -> WrittenValue.Content? {
    try parse("x = \(text)")["x"]?.content
  }

  @Test(
    "strings are read",
    arguments: [
      ("\"a\\tb\\u00e9\\U0001F600\\\\\"", "a\tbé😀\\"), ("'C:\\path'", "C:\\path"), ("''", ""),
      ("\"\"\"\nfirst\r\nsecond\"\"\"", "first\nsecond"), ("'''\nraw\\n'''", "raw\\n"),
      ("\"\"\"fold \\\n\n   ed\"\"\"", "fold ed"), ("\"\"\"\"quoted\"\"\"\"\"", "\"quoted\"\""),
      ("''''quoted'''''", "'quoted''"),
    ])
  func strings(text: String, expected: String) throws {
    #expect(try content(text) == .string(expected))
  }

  @Test(
    "integers are read",
    arguments: [
      ("0", 0), ("+99", 99), ("-17", -17), ("1_000", 1000), ("0xdead_BEEF", 0xdead_beef),
      ("0o755", 0o755), ("0b1101", 13), ("-9223372036854775808", Int64.min),
      ("9223372036854775807", Int64.max),
    ])
  func integers(text: String, expected: Int64) throws {
    #expect(try content(text) == .integer(expected))
  }

  @Test(
    "floats are read",
    arguments: [
      ("1.0", 1), ("-0.01", -0.01), ("5e+22", 5e22), ("1e06", 1e6), ("6.626e-34", 6.626e-34),
      ("9_224_617.445_991", 9_224_617.445991), ("inf", .infinity), ("-inf", -.infinity),
    ])
  func floats(text: String, expected: Double) throws {
    #expect(try content(text) == .float(expected))
  }

  @Test("nan is read as not a number") func notANumber() throws {
    guard case .float(let value)? = try content("-nan") else {
      Issue.record("not a float")
      return
    }
    #expect(value.isNaN)
  }

  @Test(
    "dates and times are kept as written",
    arguments: [
      "1979-05-27", "07:32:01.25", "1979-05-27 07:32:01.25", "1979-05-27T07:32:01.25-08:30",
      "2024-02-29t00:00:00z",
    ])
  func datesAndTimesStayAsWritten(text: String) throws {
    #expect(try content(text) == .dateTime(text))
  }

  @Test(
    "impossible dates and times are refused",
    arguments: [
      "2023-02-29", "1979-05-27T24:00:00Z", "1979-05-27T07:32Z", "07:32", "1979-05-27T07:32:01.",
      "1979-05-27T07:32:01+0830", "07:32:01Z", "1979-13-01", "1979-05-271",
    ])
  func noDatesAndTimes(text: String) {
    #expect(throws: TOMLError.self) { try content(text) }
  }

  @Test("all kinds of tables are read") func tablesOfAllKinds() throws {
    let table = try parse(
      """
      title = "x" # a comment
      a.b.c = 1
      [server]
      point = { x = 1, y.z = 2 }
      "quoted key".'other' = true
      [server.inner] # deeper
      list = [
        1, # first
        [2, 3],
      ]
      [[fruit]]
      name = "apple"
      [[fruit.kind]]
      name = "red"
      [[fruit]]
      """)
    #expect(table.keys == ["title", "a", "server", "fruit"])
    #expect(table[["a", "b", "c"]]?.content == .integer(1))
    #expect(table[["server", "point", "y", "z"]]?.content == .integer(2))
    #expect(table[["server", "quoted key", "other"]]?.line == 5)
    #expect(table[["server", "inner", "list"]]?.line == 7)
    guard case .array(let fruit)? = table["fruit"]?.content else {
      Issue.record("no array of tables")
      return
    }
    #expect(fruit.map(\.line) == [11, 15])
  }

  /// Line and column are those of the offending character.
  @Test(
    "a refusal points at the offending character",
    arguments: [
      ("a = 1\nb = ", 2, 5), ("a = 1 2", 1, 7), ("é = 1", 1, 1), ("\"é\" = \"x", 1, 9),
      ("[a]\n[a]", 2, 1), ("a = 1\na = 2", 2, 1), ("a.b = 1\na = 2", 2, 1),
      ("a = 1\na.b = 2", 2, 1), ("[a.b]\n[a]\nb.c = 1", 3, 1), ("a = {b = 1}\n[a.c]", 2, 1),
      ("a = [1]\n[[a]]", 2, 1), ("a = {b = 1,}", 1, 12), ("a = [1 2]", 1, 8), ("a = 01", 1, 5),
      ("a = 1__0", 1, 5), ("a = .5", 1, 5), ("a = 9223372036854775808", 1, 5),
      ("a = \"\\q\"", 1, 6), ("a = \"\\ud800\"", 1, 6), ("a = \"x\ty\u{1}\"", 1, 9), ("[a", 1, 3),
      ("a = yes", 1, 5), ("= 1", 1, 1), ("a", 1, 2), ("a = \"\"\"x", 1, 9), ("a = 1\r", 1, 6),
    ])
  func refusalsPointAtTheCharacter(text: String, line: Int, column: Int) {
    let error = thrown(TOMLError.self) { try parse(text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test("a message says what was found, where, and what was expected")
  func messageSaysWhatWhereAndWhatElse() {
    let error = thrown(TOMLError.self) { try parse("[gate]\nlimit_m = fifty") }
    #expect(
      error?.description == "t.toml:2:11: found 'fifty', expected a value: text in quotes, "
        + "a number, true, false, a date, an array or a table")
  }

  @Test(
    "a lone carriage return is named, with its line and column",
    arguments: [
      ("a = 1\nb = 2\rc = 3\n", 2, 6), ("# all of a file\ra = 1\r", 1, 16), ("a = 1\r", 1, 6),
      ("\ra = 1", 1, 1), ("a = [1,\r2]", 1, 8), ("a = \"x\ry\"", 1, 7), ("[a]\r[b]", 1, 4),
    ])
  func loneCarriageReturn(text: String, line: Int, column: Int) {
    let error = thrown(TOMLError.self) { try parse(text) }
    #expect(error?.found.contains("a carriage return without a line feed") == true)
    #expect(error?.line == line && error?.column == column)
  }

  @Test("size and depth are limited") func boundsHold() throws {
    let deep = "a = " + String(repeating: "[", count: 100_000)
    #expect(throws: TOMLError.self) { try parse(deep) }
    let long = String(repeating: "a.", count: 100_000) + "b = 1"
    #expect(throws: TOMLError.self) { try parse(long) }
    let large = String(repeating: "# comment\n", count: 110_000)
    #expect(throws: TOMLError.self) { try parse(large) }
    #expect(throws: TOMLError.self) { try TOMLParser.parse([0x61, 0xff, 0x3d], file: "t") }
  }

  /// Half a million bytes of the most expensive lines must not take quadratic time.
  @Test("many tables and keys are read", .timeLimit(.minutes(1))) func manyTablesAndKeys() throws {
    let tables = try parse(String(repeating: "[[a]]\n", count: 85_000))
    guard case .array(let elements)? = tables["a"]?.content else {
      Issue.record("no array of tables")
      return
    }
    #expect(elements.count == 85_000)
    let keys = try parse((0..<45_000).map { "k\($0)=1\n" }.joined())
    #expect(keys.keys.count == 45_000)
  }
}
