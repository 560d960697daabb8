import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct MessageReaderTests {
  private func reader(_ text: String) throws -> MessageReader {
    try MessageReader(Array(text.utf8), atMost: 500)
  }

  private func error(_ text: String) -> String? {
    thrown(MessageError.self) { try reader(text) }?.description
  }

  @Test("a message is one JSON object of a known version") func form() throws {
    #expect(try reader("{\"type\":\"x\",\"version\":1,\"later\":[{}]}").type == "x")
    #expect(error("[]") == "it is not a JSON object: write one in { and }")
    #expect(error("{}") == "version: it is missing: add it")
    #expect(error("{\"version\":1.5}") == "version: a whole number is expected")
    #expect(error("{\"version\":0}") == "version: 0 is out of range: use at least 1")
    #expect(
      error("{\"version\":2}")
        == "version: 2 is newer than the supported version (1): update Godwit")
    #expect(error("{\"version\":1")?.hasPrefix("not JSON at byte 12") == true)
    #expect(error(String(repeating: " ", count: 501)) == "501 bytes: a message has at most 500")
    let broken = thrown(MessageError.self) { try MessageReader([0x7B, 0xFF, 0x7D], atMost: 9) }
    #expect(broken?.description == "it is not UTF-8: convert it to UTF-8")
  }

  @Test("every invalid member is an error with its name") func members() throws {
    let reader = try reader(
      "{\"type\":\"x\",\"version\":1,\"a\":null,\"n\":\"1\",\"p\":[\"ben\",\"Ben\"],\"t\":\"soon\","
        + "\"latitude\":91,\"longitude\":0,\"part\":{\"n\":\"1\"}}")
    func error(_ body: (MessageReader) throws -> Void) -> String? {
      thrown(MessageError.self) { try body(reader) }?.description
    }
    #expect(error { try $0.expect("y") }?.hasPrefix("type: it is \"x\" instead of \"y\"") == true)
    #expect(error { _ = try $0.text("a") } == "a: it is missing: add it")
    #expect(try reader.textIfAny("a") == nil)
    #expect(error { _ = try $0.number("n") } == "n: a number is expected")
    #expect(error { _ = try $0.people("p") }?.hasPrefix("p[1]: \"Ben\"") == true)
    #expect(error { _ = try $0.time("t") } == "t: a time such as 2026-05-01T12:34:56Z is expected")
    #expect(error { _ = try $0.id("n") }?.hasPrefix("n: a UUID") == true)
    #expect(error { _ = try $0.position() }?.hasPrefix("latitude: 91.0, 0.0 is not a pos") == true)
    #expect(error { _ = try $0.part("part").number("n") } == "part.n: a number is expected")
  }

  @Test("0, 0 is not a position: receivers output it when they have none") func nowhere() {
    let nowhere = Coordinate(latitude: 0, longitude: 0)
    let error = thrown(MessageError.self) { try MessageCheck.position(nowhere, at: "latitude") }
    #expect(error?.description.hasPrefix("latitude: 0, 0 is what receivers report") == true)
  }

  @Test("a date from an unset clock is ignored") func clock() {
    #expect(MessageCheck.plausible(UTCInstant(seconds: 192)) == nil)
    #expect(MessageCheck.plausible(nil) == nil)
    let date = UTCInstant(nanoseconds: 1_777_000_000_123_456_789)
    #expect(MessageCheck.plausible(date)?.nanoseconds == 1_777_000_000_123_000_000)
  }

  @Test("names are on one line, texts may have several") func texts() throws {
    try MessageCheck.text("two\nlines", atMost: 9, at: "text")
    thrown(MessageError.self) { try MessageCheck.text("two\nlines", atMost: 8, at: "text") }
    thrown(MessageError.self) { try MessageCheck.text("\u{1b}[2J", atMost: 9, at: "text") }
    thrown(MessageError.self) { try MessageCheck.name("two\nlines", atMost: 9, at: "name") }
  }
}
