import Delivery
import Core
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
    "the error for an invalid request names the valid ones",
    arguments: [
      "{}", "7", #"{"command":7}"#, #"{"command":"gnss","state":"maybe"}"#, #"{"command":"gnss"}"#,
      #"{"command":"gnss","restart":"tepid"}"#, #"{"command":"gnss","restart":1}"#,
      #"{"command":"gnss","state":"on","restart":"cold"}"#, #"{"command":"uplink"}"#,
      #"{"command":"device"}"#, #"{"command":"device","name":"guide","lat":52}"#,
      #"{"command":"device","name":""}"#, #"{"command":"fix"}"#,
      #"{"command":"fix","within_s":1e9}"#,
      #"{"command":"fix","within_s":60,"accuracy_m":"good"}"#,
      #"{"command":"uplink","report":{"time":"2026-05-04T07:12:02Z","waiting":-1}}"#,
      #"{"command":"uplink","report":{"time":"yesterday","waiting":1,"bytes_today":0}}"#,
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
      (.deviceSought("guide"), #"{"command":"device","name":"guide"}"#),
      (
        .fix(within: 120, accuracy: nil),
        #"{"command":"fix","within_s":120,"accuracy_m":null}"#
      ),
      (
        .fix(within: 60, accuracy: 20), #"{"command":"fix","within_s":60,"accuracy_m":20}"#
      ),
      (
        .uplink(
          UplinkReport(
            at: UTCInstant(seconds: 1_777_593_600), waiting: 2,
            oldest: UTCInstant(seconds: 1_777_593_000), bytesToday: 412,
            failures: [UplinkReport.Failure(.web(.osmand), count: 3, why: "500: a fault")],
            refused: 3)),
        #"{"command":"uplink","report":{"time":"2026-05-01T00:00:00Z","waiting":2,"#
          + #""oldest":"2026-04-30T23:50:00Z","bytes_today":412,"refused":3,"failures":"#
          + #"[{"way":"osmand","in_a_row":3,"why":"500: a fault"}]}}"#
      ),
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
