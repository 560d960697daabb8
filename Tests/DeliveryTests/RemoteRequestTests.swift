import Core
import TestSupport
import Testing

@testable import Delivery

@Suite struct RemoteRequestTests {
  private static let now = UTCInstant(seconds: 1_777_593_600)

  private static func read(_ text: String) throws -> RemoteRequest {
    try RemoteRequest(parsing: Array(text.utf8))
  }

  @Test("requests are read, with defaults for omitted values") func actions() throws {
    #expect(try Self.read(#"{"id":"1","do":"position"}"#).action == .position)
    #expect(
      try Self.read(#"{"id":"1","do":"fix"}"#).action == .fix(within: 120, accuracy: nil))
    #expect(
      try Self.read(#"{"id":"1","do":"fix","within_s":60,"accuracy_m":20}"#).action
        == .fix(within: 60, accuracy: 20))
    #expect(
      try Self.read(#"{"id":"1","do":"track","from":"2026-05-01T00:00:00Z","most":5}"#).action
        == .track(from: Self.now, to: nil, most: 5))
    #expect(try Self.read(#"{"id":"1","do":"gnss","state":"off"}"#).action == .gnss(.off))
    for word in ["status", "places", "alerts", "budget"] {
      #expect(try Self.read(#"{"id":"1","do":"\#(word)"}"#).actionName == word)
    }
  }

  @Test(
    "an invalid request is refused with the valid forms",
    arguments: [
      "", "7", "[]", "{}", #"{"id":7,"do":"status"}"#, #"{"id":"","do":"status"}"#,
      #"{"id":"1","do":"reboot"}"#, #"{"id":"1","do":"gnss","state":"maybe"}"#,
      #"{"id":"1","do":"track"}"#, #"{"id":"1","do":"track","from":"yesterday"}"#,
      #"{"id":"1","do":"fix","within_s":1e9}"#, #"{"id":"1","do":"fix","within_s":"60"}"#,
      #"{"id":"1","do":"track","from":"2026-05-01T00:00:00Z","most":1e6}"#,
      #"{"id":"a\u0000b","do":"status"}"#,
      #"{"id":""# + String(repeating: "a", count: 65) + #"","do":"status"}"#,
      String(repeating: " ", count: 5000),
    ])
  func none(text: String) {
    let error = thrown(RemoteRequestError.self) { try Self.read(text) }
    #expect(error?.message.isEmpty == false)
  }

  @Test("commands carry their time, and stale ones are refused with their age") func stale() throws
  {
    func objection(_ text: String) throws -> String? {
      try Self.read(text).objection(at: Self.now)
    }
    #expect(try objection(#"{"id":"1","do":"position"}"#) == nil)
    #expect(try objection(#"{"id":"1","do":"fix"}"#)?.contains("\"sent\"") == true)
    #expect(try objection(#"{"id":"1","do":"fix","sent":"2026-04-30T23:30:00Z"}"#) == nil)
    let old = try objection(#"{"id":"1","do":"fix","sent":"2026-04-30T20:00:00Z"}"#)
    #expect(old?.contains("4 h") == true, "\(old ?? "")")
    #expect(
      try objection(#"{"id":"1","do":"fix","sent":"2026-04-30T20:00:00Z","valid_s":86400}"#) == nil)
    #expect(
      try objection(#"{"id":"1","do":"fix","sent":"2027-05-01T00:00:00Z"}"#)?.contains("clocks")
        == true)
  }

  @Test("an answer has the request's id, and is never ambiguous") func answers() throws {
    let request = try Self.read(#"{"id":"a1","do":"status"}"#)
    func text(_ answer: RemoteAnswer) -> String { String(decoding: answer.bytes, as: UTF8.self) }
    #expect(
      text(RemoteAnswer(to: request, [("n", .number(1))]))
        == #"{"id":"a1","do":"status","ok":true,"n":1}"#)
    #expect(
      text(RemoteAnswer(to: request, refusedBecause: "no"))
        == #"{"id":"a1","do":"status","ok":false,"error":"no"}"#)
  }
}
