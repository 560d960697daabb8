import Ports
import TestSupport
import Testing

@testable import Hardware

@Suite struct CommandRequestTests {
  private func sent(_ value: String) throws -> String? {
    let request = try CommandRequest(
      NoticeCommandInput(id: 1, facts: [NoticeCommandInput.Fact("PLACE", value)]))
    return try CommandRequest(line: request.line.dropLast()).variables["GODWIT_PLACE"]
  }

  @Test("a notice is one line of JSON") func form() throws {
    let order = NoticeCommandInput(id: 12, facts: [NoticeCommandInput.Fact("PLACE", "Home")])
    let text = String(decoding: try CommandRequest(order).line, as: UTF8.self)
    #expect(text == "{\"id\":12,\"facts\":{\"PLACE\":\"Home\"}}\n")
    let timed = try CommandRequest(order, timeout: 90)
    #expect(
      String(decoding: timed.line, as: UTF8.self)
        == "{\"id\":12,\"timeout_s\":90,\"facts\":{\"PLACE\":\"Home\"}}\n")
    #expect(try CommandRequest(line: timed.line.dropLast()) == timed)
    #expect(
      try CommandRequest(order).variables == ["GODWIT_NOTICE": "12", "GODWIT_PLACE": "Home"])
  }

  @Test("names of places are unchanged, whatever they mean to a shell") func words() throws {
    for value in ["", " ", "$(reboot)", "`id`", "'; rm -rf / #", "-rf", "a=b", "日本", "👍🏽"] {
      #expect(try sent(value) == value)
    }
  }

  @Test("characters that break a line, end a variable or control a terminal are replaced")
  func orders() throws {
    #expect(
      try sent("a\0b\nc\r\u{1b}[2J\u{202e}d") == "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}[2J\u{fffd}d")
  }

  @Test("a value that is too long is cut between two characters") func long() throws {
    #expect(try sent(String(repeating: "x", count: 5000))?.utf8.count == 4096)
    #expect(try sent("x" + String(repeating: "é", count: 4000))?.utf8.count == 4095)
    let exact = String(repeating: "é", count: 2048)
    #expect(try sent(exact) == exact)
  }

  private static let bad: [String] = [
    "", "12", "{}", "{\"id\":1}", "{\"id\":1.5,\"facts\":{}}", "{\"id\":\"1\",\"facts\":{}}",
    "{\"id\":-1,\"facts\":{}}", "{\"id\":1,\"facts\":[]}", "{\"id\":1,\"facts\":{\"A\":1}}",
    "{\"id\":1,\"facts\":{\"PATH=\":\"x\"}}", "{\"id\":1,\"facts\":{\"a\":\"x\"}}",
    "{\"id\":1,\"facts\":{\"A\":\"\\u0000\"}}", "{\"id\":1,\"facts\":{\"A\":\"\\n\"}}",
    "{\"id\":1,\"facts\":{\"A\":\"x\",\"A\":\"y\"}}", "{\"id\":1,\"facts\":{\"NOTICE\":\"2\"}}",
    "{\"id\":1,\"timeout_s\":\"9\",\"facts\":{}}",
    "{\"id\":1,\"timeout_s\":0,\"facts\":{}}", "{\"id\":1,\"timeout_s\":9999,\"facts\":{}}",
    "{\"id\":1,\"facts\":{\"A\":\"" + String(repeating: "x", count: 4097) + "\"}}",
  ]

  @Test("a line that the daemon does not write is refused", arguments: bad)
  func refused(line: String) {
    #expect(throws: CommandRequest.Fault.self) { try CommandRequest(line: Array(line.utf8)) }
  }

  @Test("the longest answer is readable") func longestAnswer() {
    let answer = CommandAnswer(to: 1 << 53, .failed(String(repeating: "\u{1F4CD}", count: 5000)))
    #expect(answer.line.count <= CommandAnswer.longestLine)
    #expect(CommandAnswer(line: answer.line.dropLast(), to: 1 << 53) == answer.read)
    let quoted = CommandAnswer(to: 1, .failed(String(repeating: "\"", count: 5000)))
    #expect(quoted.line.count <= CommandAnswer.longestLine)
  }
}

extension CommandAnswer {
  /// The answer as it is read.
  fileprivate var read: CommandAnswer? { CommandAnswer(line: line.dropLast(), to: 1 << 53) }
}
