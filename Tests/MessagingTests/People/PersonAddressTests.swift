import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct PersonAddressTests {
  @Test(
    "a word of small letters and digits is an address", arguments: ["a", "anna", "ben-2", "3_x"])
  func words(text: String) throws {
    #expect(try PersonAddress(text).description == text)
  }

  @Test(
    "a text that a topic or a file name would misread is not an address",
    arguments: [
      "", "Anna", "anna b", "a/b", "a+b", "#", "$sys", "..", ".", "-rf", "_a", "änna", "a.b", "a\n",
      "e\u{301}", "everybody", "nobody", "a\0",
    ])
  func refused(text: String) {
    let error = thrown(MessageError.self) { try PersonAddress(text) }
    // The fault, and the remedy.
    #expect(error?.reason.contains(": ") == true)
  }

  @Test("an address has at most 64 bytes") func length() throws {
    #expect(try PersonAddress(String(repeating: "a", count: 64)).description.count == 64)
    let error = thrown(MessageError.self) { try PersonAddress(String(repeating: "a", count: 65)) }
    #expect(error?.description == "65 bytes: shorten it to at most 64")
  }

  @Test("a refused address is shown without terminal control characters") func terminal() {
    let error = thrown(MessageError.self) { try PersonAddress("a\u{1b}[2J") }
    #expect(error?.description.contains("\u{1b}") == false)
  }
}
