import Notation
import Testing

@testable import Runtime

@Suite struct ControlRequestTests {
  @Test("requests are read")
  func requests() throws {
    let gnss = JSONValue.object([("command", .string("gnss")), ("state", .string("off"))])
    #expect(try ControlRequest(gnss) == .gnss(.off))
    #expect(try ControlRequest(.object([("command", .string("status"))])) == .status)
    let cold = JSONValue.object([("command", .string("gnss")), ("restart", .string("cold"))])
    #expect(try ControlRequest(cold) == .restart(.cold))
    #expect(try ControlRequest(.object([("command", .string("commit"))])) == .commit)
  }

  @Test(
    "what is no request is told what would be one",
    arguments: [
      "{}", "7", #"{"command":7}"#, #"{"command":"gnss","state":"maybe"}"#, #"{"command":"gnss"}"#,
      #"{"command":"gnss","restart":"tepid"}"#, #"{"command":"gnss","restart":1}"#,
      #"{"command":"gnss","state":"on","restart":"cold"}"#,
    ])
  func refusals(text: String) throws {
    let json = try JSONValue(parsing: text)
    #expect(throws: ControlRequest.Refusal.self) { try ControlRequest(json) }
  }

  @Test(
    "a request is written as it is read",
    arguments: [
      (ControlRequest.gnss(.on), #"{"command":"gnss","state":"on"}"#),
      (.restart(.cold), #"{"command":"gnss","restart":"cold"}"#),
      (.restart(.warm), #"{"command":"gnss","restart":"warm"}"#),
      (.restart(.hot), #"{"command":"gnss","restart":"hot"}"#), (.watch, #"{"command":"watch"}"#),
    ])
  func written(request: ControlRequest, text: String) throws {
    #expect(request.json.text == text)
    #expect(try ControlRequest(JSONValue(parsing: text)) == request)
  }

  @Test("lines are the same however they arrive", arguments: 1...7)
  func lines(piece: Int) {
    let bytes = Array("one\n\ntwo\nrest".utf8)
    var requests = RequestLines()
    var lines: [String] = []
    var index = 0
    while index < bytes.count {
      let end = min(index + piece, bytes.count)
      requests.append(bytes[index..<end])
      while let line = requests.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      index = end
    }
    #expect(lines == ["one", "", "two"])
    #expect(!requests.isOverlong)
  }

  @Test("a line without an end becomes overlong")
  func overlong() {
    var requests = RequestLines()
    requests.append(Array(repeating: 0x41, count: RequestLines.maxLength))
    #expect(requests.next() == nil && !requests.isOverlong)
    requests.append([0x41])
    #expect(requests.next() == nil && requests.isOverlong)
  }
}
