import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct LetterMessageTests {
  private typealias Bench = LetterBench

  private static let id = "123e4567-e89b-42d3-a456-426614174000"
  private static let plain =
    "{\"type\":\"letter\",\"version\":1,\"id\":\"\(id)\",\"from\":\"ben\",\"to\":[\"anna\"],"
    + "\"written\":\"2026-05-01T12:00:00.000Z\",\"latitude\":48.2081743,\"longitude\":16.3738189,"
    + "\"radius_m\":20,\"place\":\"Kitchen door\",\"text\":\"Hello\"}"

  private static let messages: [String] = [
    plain,
    "{\"type\":\"letter\",\"version\":1,\"id\":\"\(id)\",\"from\":\"ben\",\"to\":\"everybody\","
      + "\"expires\":\"2026-05-01T12:00:00.250Z\",\"answers\":"
      + "\"00000000-0000-0000-0000-000000000000\",\"latitude\":-0.5000001,\"longitude\":180,"
      + "\"radius_m\":12.5,\"text\":\"a \\\"b\\\"\\n\\tü \\\\ 🙂\"}",
    "{\"type\":\"letter\",\"version\":1,\"id\":\"\(id)\",\"from\":\"ben\","
      + "\"to\":[\"anna\",\"carl\"],\"box\":\"\(id)\",\"text\":\"x\"}",
    "{\"type\":\"letterbox\",\"version\":1,\"id\":\"\(id)\",\"owner\":\"ben\",\"revision\":3,"
      + "\"name\":\"Door\",\"for\":[\"anna\"],\"latitude\":1,\"longitude\":2,\"radius_m\":30.1}",
    "{\"type\":\"letter_receipt\",\"version\":1,\"letter\":\"\(id)\",\"to\":\"ben\","
      + "\"by\":\"anna\",\"outcome\":\"refused\","
      + "\"at\":\"2026-05-01T12:00:00.000Z\",\"reason\":\"no room\"}",
    "{\"type\":\"letter_withdrawal\",\"version\":1,\"letter\":\"\(id)\",\"from\":\"ben\"}",
  ]

  private func error(_ text: String) -> String? {
    thrown(MessageError.self) { try PeerMessage(Array(text.utf8)) }?.description
  }

  private func replaced(_ part: String, _ other: String) -> String? {
    #expect(Self.plain.contains(part))
    return error(Self.plain.replacing(part, with: other))
  }

  @Test("a message is written as it was read, byte for byte", arguments: messages)
  func bytes(text: String) throws {
    let message = try PeerMessage(Array(text.utf8))
    #expect(String(decoding: message.bytes, as: UTF8.self) == text)
    #expect(try PeerMessage(message.bytes) == message)
  }

  @Test("a letter message has at most 16384 bytes, however it is padded") func size() {
    let padding = String(
      repeating: " ", count: MessagingLimits.letterMessage - Self.plain.utf8.count)
    #expect(throws: Never.self) { try PeerMessage(Array((Self.plain + padding).utf8)) }
    #expect(error(Self.plain + padding + " ") == "16385 bytes: a letter has at most 16384")
  }

  @Test("a written message is read back, whatever its numbers and characters")
  func values() throws {
    var chance = SplitMix(seed: 4)
    for _ in 0..<300 {
      let position = Coordinate(
        latitude: Degrees(.random(in: -90...90, using: &chance)),
        longitude: Degrees(.random(in: -180...180, using: &chance)))
      let circle = try LetterCircle(
        centre: position, radius: Metres(.random(in: 1...10_000, using: &chance)))
      let written = UTCInstant(seconds: .random(in: 1.6e9...9e9, using: &chance))
      let scalar = Unicode.Scalar(UInt32.random(in: 0xA0...0xD000, using: &chance))
      let letter = try Letter(
        id: .made(using: &chance), from: Bench.ben, to: .everybody, at: .circle(circle),
        written: written, expires: written + 60, text: "x\(scalar.map(String.init) ?? "")")
      let message = PeerMessage.letter(letter)
      #expect(try PeerMessage(message.bytes) == message)
    }
  }

  @Test("unknown members are ignored, and others may be omitted") func lenient() throws {
    let text = Self.plain.replacing("\"text\"", with: "\"colour\":[{}],\"text\"")
      .replacing("\"radius_m\":20,", with: "").replacing("\"place\":\"Kitchen door\",", with: "")
    guard case .letter(let letter) = try PeerMessage(Array(text.utf8)),
      case .circle(let circle) = letter.spot
    else { throw MessageError("no letter") }
    #expect(circle.radius == 20 && circle.name == nil)
  }

  @Test("a letter of 1970 is read without its dates") func clock() throws {
    let text = Self.plain.replacing(
      "\"written\":\"2026-05-01T12:00:00.000Z\"",
      with: "\"written\":\"1970-01-01T00:03:12Z\",\"expires\":\"1970-01-02T00:00:00Z\"")
    guard case .letter(let letter) = try PeerMessage(Array(text.utf8)) else { return }
    #expect(letter.written == nil && letter.expires == nil)
  }

  @Test("every invalid member is an error with its place and the remedy") func wrong() {
    #expect(replaced("\"letter\"", "\"poem\"")?.hasPrefix("type: it is not one of letter") == true)
    #expect(replaced("\"version\":1", "\"version\":7")?.hasPrefix("version: 7 is newer") == true)
    #expect(replaced("[\"anna\"]", "[]") == "to: it is empty: name at least one person")
    #expect(
      replaced("[\"anna\"]", "[\"anna\",\"anna\"]")
        == "to[1]: anna is listed twice: remove one of the two")
    #expect(replaced("[\"anna\"]", "\"Anna\"")?.hasPrefix("to: \"Anna\" does not begin") == true)
    #expect(replaced("48.2081743", "98")?.hasPrefix("latitude: 98.0, ") == true)
    #expect(replaced("48.2081743", "\"48\"") == "latitude: a number is expected")
    #expect(
      replaced("\"radius_m\":20", "\"radius_m\":0")
        == "radius_m: 0.0 m is not a valid radius: use 1.0 m to 10000.0 m")
    #expect(replaced("Hello", " ") == "text: it is empty: write a text")
    #expect(
      replaced("Hello", String(repeating: "x", count: 2001))
        == "text: 2001 bytes: shorten it to at most 2000")
    #expect(replaced("Hello", "\\u001b[2J")?.hasPrefix("text: it has a control char") == true)
    #expect(replaced("Kitchen door", "a\\nb")?.hasPrefix("place: it has a line break") == true)
    #expect(
      replaced("\"text\"", "\"box\":\"\(Self.id)\",\"text\"")
        == "box: the letter has a letterbox and a position: leave one of the two out")
    #expect(
      replaced("\"text\"", "\"answers\":\"\(Self.id)\",\"text\"")?.hasPrefix("answers: it is the l")
        == true)
    #expect(
      replaced("\"text\"", "\"expires\":\"2026-05-01T12:00:00Z\",\"text\"")?
        .hasPrefix("expires: it is not after the time of writing") == true)
    #expect(error(Self.messages[3].replacing(":3,", with: ":0,"))?.hasPrefix("revision: 0") == true)
    #expect(
      error(Self.messages[4].replacing("refused", with: "eaten"))
        == "outcome: one of delivered, expired, refused is expected")
  }

  @Test("no bytes crash the reader", arguments: 1...20 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) {
    var chance = SplitMix(seed: seed)
    for text in Self.messages {
      var bytes = Array(text.utf8)
      for _ in 0..<3 {
        let index = Int.random(in: 0..<bytes.count, using: &chance)
        bytes[index] = UInt8.random(in: 0...255, using: &chance)
      }
      guard let message = try? PeerMessage(bytes) else { continue }
      // An accepted message can be written and accepted again.
      #expect((try? PeerMessage(message.bytes)) == message)
    }
  }

  @Test("a stored record is read as it was written, and a damaged one is an error")
  func records() throws {
    var bench = Bench()
    for number in 1...3 { try bench.step(.arrived(Bench.letter(number))) }
    try bench.come(0)
    try bench.step(.read(Bench.letter(1).key))
    for record in bench.inbox.records { #expect(try LetterRecord(record.bytes) == record) }
    let text =
      "{\"type\":\"letter_record\",\"version\":1,\"letter\":\"\(Self.id)\",\"from\":\"ben\","
      + "\"number\":1,\"standing\":\"waiting\"}"
    #expect(
      thrown(MessageError.self) { try LetterRecord(Array(text.utf8)) }?.path == "content")
  }
}
