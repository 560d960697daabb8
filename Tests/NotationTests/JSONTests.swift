import Notation
import Testing

@Suite struct JSONTests {
  @Test(arguments: [
    #"{"a":[1,2.5,-3e2,true,false,null],"b":{"c":"d\"\\\n"}}"#, "[]", "{}", "\"\"", "0", "-0.5",
  ])
  func readsAndWritesBack(text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(try JSONValue(parsing: value.text) == value)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\"}", "01", "1.", "+1", "\"\u{01}\"", "\"\\x\"", "[1] 2", "nul", "-",
    "1e",
    "\"abc", "{\"a\":1,}", "\"\\u12\"",
  ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test func nestingIsBounded() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) { try JSONValue(parsing: deep) }
  }

  @Test func surrogatesAndControlCharacters() throws {
    #expect(try JSONValue(parsing: #""\ud83d\ude00é\u0007""#).string == "😀é\u{07}")
    #expect(try JSONValue(parsing: #""\ud83dx""#).string == "\u{fffd}x")
    #expect(JSONValue.string("\u{07}\u{7f}").text == #""\u0007\u007f""#)
  }

  @Test func writerKeepsOrderAndRefusesNonNumbers() {
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
}
