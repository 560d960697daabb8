import Core
import Testing

@Suite struct JSONTests {
  @Test(
    "JSON is read and written back",
    arguments: [
      #"{"a":[1,2.5,-3e2,true,false,null],"b":{"c":"d\"\\\n"}}"#, "[]", "{}", "\"\"", "0", "-0.5",
    ])
  func readsAndWritesBack(text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(try JSONValue(parsing: value.text) == value)
  }

  @Test(
    "malformed text is refused",
    arguments: [
      "", "{", "[1,]", "{\"a\"}", "01", "1.", "+1", "\"\u{01}\"", "\"\\x\"", "[1] 2", "nul", "-",
      "1e",
      "\"abc", "{\"a\":1,}", "\"\\u12\"",
    ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test("values nested too deep are refused") func nestingIsBounded() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) { try JSONValue(parsing: deep) }
  }

  @Test("surrogates and control characters are handled") func surrogatesAndControlCharacters()
    throws
  {
    #expect(try JSONValue(parsing: #""\ud83d\ude00é\u0007""#).string == "😀é\u{07}")
    #expect(try JSONValue(parsing: #""\ud83dx""#).string == "\u{fffd}x")
    #expect(try JSONValue(parsing: #""\ud83d\u0041""#).string == "\u{fffd}A")
    #expect(try JSONValue(parsing: #""\ud83d\ud83d\ude00""#).string == "\u{fffd}😀")
    #expect(JSONValue.string("\u{07}\u{7f}").text == #""\u0007\u007f""#)
  }

  @Test("the writer keeps the order and writes null for NaN")
  func writerKeepsOrderAndRefusesNonNumbers() {
    var writer = JSONWriter()
    writer.object {
      $0.key("z")
      $0.number(1.25, digits: 1)
      $0.key("a")
      $0.number(.nan, digits: 2)
      $0.key("n")
      $0.array {
        $0.number(-7)
        $0.bool(true)
      }
    }
    #expect(writer.text == #"{"z":1.3,"a":null,"n":[-7,true]}"#)
  }

  @Test("a number too large for a double is refused", arguments: ["1e999", "-1e999", "[1e309]"])
  func numbersAreFinite(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test("a field is a name and a value, null where there is none")
  func fields() {
    var json = JSONWriter()
    json.object {
      $0.field("text", "a")
      $0.field("count", 3)
      $0.field("number", 1.25, digits: 1)
      $0.field("flag", false)
      $0.field("time", UTCInstant(seconds: 0), digits: 0)
      $0.field("json", .array([.null]))
      $0.object("object") { $0.field("inner", nil as String?) }
      $0.array("array") { $0.number(1) }
      $0.field("nothing", nil as Int?)
      $0.field("nan", .nan, digits: 3)
    }
    #expect(
      json.text
        == "{\"text\":\"a\",\"count\":3,\"number\":1.3,\"flag\":false,"
        + "\"time\":\"1970-01-01T00:00:00Z\",\"json\":[null],\"object\":{\"inner\":null},"
        + "\"array\":[1],\"nothing\":null,\"nan\":null}")
  }

  @Test("a field without a value is left out on request")
  func knownFields() {
    var json = JSONWriter()
    json.object {
      $0.field("a", ifKnown: nil as Int?)
      $0.field("b", ifKnown: 2)
      $0.field("c", ifKnown: nil as Double?, digits: 1)
      $0.field("d", ifKnown: 0.5, digits: 1)
      $0.field("e", ifKnown: nil as UTCInstant?)
    }
    #expect(json.text == "{\"b\":2,\"d\":0.5}")
  }

  @Test("optional values become null")
  func optionals() {
    #expect(JSONValue.text(nil) == .null && JSONValue.text("a") == .string("a"))
    #expect(JSONValue.count(nil as Int?) == .null && JSONValue.count(UInt64(7)) == .number(7))
    #expect(JSONValue.rounded(nil, digits: 1) == .null)
    #expect(JSONValue.rounded(0.26, digits: 1) == .number(0.3))
  }
}
