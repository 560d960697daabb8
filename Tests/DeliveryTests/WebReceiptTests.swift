import Core
import Testing

@testable import Delivery

extension Recipient {
  /// Short names for the tables.
  fileprivate static let ownTracks = Recipient.owntracksHTTP
}

/// Which answers release a record, and which keep it.
@Suite struct WebReceiptTests {
  private enum Expected: Equatable { case received, retry, refused(WebReceipt.Ground) }

  private static func kind(_ receipt: WebReceipt) -> Expected {
    switch receipt {
    case .received: .received
    case .retry: .retry
    case .refused(let ground, _): .refused(ground)
    }
  }

  private static func receipt(
    _ status: Int, _ body: String, _ receiver: Recipient, type: String? = nil,
    at address: String = "http://receiver.example/pub"
  ) throws -> WebReceipt {
    WebReceipt(
      of: UploadAnswer(status: status, body: Array(body.utf8), contentType: type),
      from: plan(receiver, at: try WebAddress(parsing: address)))
  }

  private static func plan(_ receiver: Recipient, at address: WebAddress) -> WebPlan {
    WebPlan(WebSettings(receiver), at: address, nil, UplinkTopics(user: "ann", device: "bike"))
  }

  private static let portal = "<html>Log in to this network</html>"

  private static let cases: [(Int, String, Recipient, Expected)] = [
    (200, "[]", .ownTracks, .received), (200, "", .ownTracks, .retry),
    (200, #"[{"_type":"cmd"}]"#, .ownTracks, .received), (200, "[1]", .ownTracks, .received),
    (200, #"{"_type":"encrypted","data":"x"}"#, .ownTracks, .received),
    (200, #"{"_type":"encrypted"}"#, .ownTracks, .retry), (200, "{}", .ownTracks, .retry),
    (200, #"{"error":"no"}"#, .ownTracks, .retry),
    (200, #"{"_type":"encrypted","data":"x","error":1}"#, .ownTracks, .retry),
    (201, "[]", .ownTracks, .retry), (204, "", .ownTracks, .retry),
    (206, "[]", .ownTracks, .retry),
    (200, portal, .ownTracks, .retry), (200, "OK", .ownTracks, .retry),
    (200, "\"text\"", .ownTracks, .retry), (200, "[1", .ownTracks, .retry),
    (200, "", .osmand, .received), (200, " \r\n", .osmand, .received),
    (200, "Setting location for bike", .osmand, .received), (200, "OK", .osmand, .retry),
    (200, "engineStop\r\n", .osmand, .retry), (200, portal, .osmand, .retry),
    (200, "two\nlines", .osmand, .retry), (204, "", .osmand, .retry), (202, "", .osmand, .retry),
    (201, "", .osmand, .retry), (200, String(repeating: "x", count: 600), .osmand, .retry),
    (400, "", .osmand, .refused(.credentials)), (400, "", .ownTracks, .refused(.content)),
    (200, #"{"result":"ok"}"#, .overland, .received),
    (201, #"{"result": "ok", "saved": 3}"#, .overland, .received),
    (204, #"{"result":"ok"}"#, .overland, .retry), (206, #"{"result":"ok"}"#, .overland, .retry),
    (200, "", .overland, .retry), (200, "ok", .overland, .retry), (200, "[]", .overland, .retry),
    (200, #"{"result":true}"#, .overland, .retry), (200, #"{"result":"error"}"#, .overland, .retry),
    (200, #"{"result":"ok"}x"#, .overland, .retry), (200, portal, .overland, .retry),
    (301, "", .ownTracks, .retry), (302, "", .overland, .retry),
    (401, "", .ownTracks, .refused(.credentials)), (403, "", .osmand, .refused(.credentials)),
    (404, "", .ownTracks, .refused(.address)), (405, "", .overland, .refused(.address)),
    (413, "", .overland, .refused(.size)), (422, "", .ownTracks, .refused(.content)),
    (408, "", .ownTracks, .retry), (429, "", .ownTracks, .retry), (500, "", .ownTracks, .retry),
    (503, "[]", .ownTracks, .retry), (511, "", .ownTracks, .retry), (99, "", .ownTracks, .retry),
    (999, "", .ownTracks, .retry),
  ]

  @Test("an answer is a receipt only if it can be one", arguments: cases.indices)
  func answers(_ index: Int) throws {
    let (status, body, receiver, expected) = Self.cases[index]
    let receipt = try Self.receipt(status, body, receiver)
    #expect(Self.kind(receipt) == expected, "\(status) \(body.prefix(40)): \(receipt)")
  }

  private static let secureCases: [(Int, String, Recipient, Expected)] = [
    (200, "", .ownTracks, .received), (200, " \n", .ownTracks, .received),
    (200, "{}", .ownTracks, .received), (200, #"{"error":"no"}"#, .ownTracks, .refused(.content)),
    (204, "", .ownTracks, .retry), (200, portal, .ownTracks, .retry),
    (200, "OK", .ownTracks, .retry), (200, "engineStop\r\n", .osmand, .received),
    (202, "", .osmand, .received), (200, "two\nlines", .osmand, .retry),
    (200, portal, .osmand, .retry), (200, "", .overland, .retry),
    (200, #"{"_type":"encrypted","data":"x","error":1}"#, .ownTracks, .refused(.content)),
    (200, #"{"result":"bad point"}"#, .overland, .refused(.content)),
    (200, #"{"result":true}"#, .overland, .retry),
  ]

  @Test(
    "a brief answer is accepted as a receipt if TLS authenticates the server",
    arguments: secureCases.indices)
  func secure(_ index: Int) throws {
    let (status, body, receiver, expected) = Self.secureCases[index]
    let receipt = try Self.receipt(status, body, receiver, at: "https://receiver.example/pub")
    #expect(Self.kind(receipt) == expected, "\(status) \(body.prefix(40)): \(receipt)")
  }

  private static let webhookCases: [(String, Recipient, Expected)] = [
    ("", .ownTracks, .retry), (" \n", .ownTracks, .retry), ("{}", .ownTracks, .retry),
    ("[]", .ownTracks, .received), (#"{"_type":"encrypted","data":"x"}"#, .ownTracks, .received),
    ("", .osmand, .retry), ("\r\n", .osmand, .retry), ("engineStop", .osmand, .retry),
    ("Setting location for bike", .osmand, .received),
  ]

  @Test(
    "Home Assistant answers 200 with an empty body to lost data, so only its webhooks' text counts",
    arguments: webhookCases.indices,
    [
      "http://ha.example:8123/api/webhook/ID", "https://ha.example/api/webhook/ID",
      "https://hooks.nabu.casa/ID",
    ])
  func webhooks(_ index: Int, address: String) throws {
    let (body, receiver, expected) = Self.webhookCases[index]
    let receipt = try Self.receipt(200, body, receiver, at: address)
    #expect(Self.kind(receipt) == expected, "\(body) \(receiver.rawValue) \(address): \(receipt)")
  }

  @Test("a web page is not a receipt, whatever it contains") func pages() throws {
    #expect(try Self.kind(Self.receipt(200, "[]", .ownTracks, type: "text/html")) == .retry)
    #expect(try Self.kind(Self.receipt(200, "\u{FEFF} <!doctype>", .osmand)) == .retry)
  }

  @Test("permanent failures are distinguished from temporary ones") func failures() throws {
    let address = try WebAddress(parsing: "https://receiver.example/pub")
    func kind(_ cause: UploadFailure.Cause) -> Expected {
      Self.kind(
        WebReceipt(
          of: .failure(UploadFailure(cause, at: address)),
          from: Self.plan(.ownTracks, at: address)))
    }
    #expect(kind(.nameNotResolved) == .retry)
    #expect(kind(.certificateNotYetValid) == .retry)
    #expect(kind(.libraryMissing) == .refused(.setup))
    #expect(kind(.clientCertificateUnusable) == .refused(.setup))
  }

  @Test("a server's requested pause is respected, up to a day") func pauses() throws {
    let address = try WebAddress(parsing: "https://receiver.example/pub")
    func pause(_ lines: String...) -> Seconds? {
      var headers = AnswerHeaders()
      for line in lines {
        let isTaken = headers.take(line.utf8)
        #expect(isTaken)
      }
      let answer = UploadAnswer(status: 503, body: [], headers: headers)
      guard
        case .retry(let after, _) = WebReceipt(
          of: answer, from: Self.plan(.ownTracks, at: address))
      else {
        return -1
      }
      return after
    }
    #expect(pause("HTTP/1.1 503", "Retry-After: 120\r\n") == 120)
    #expect(pause("retry-after: 999999999") == .hours(24))
    #expect(
      pause(
        "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 08:50:37 GMT") == 60)
    for text in ["-5", "", "soon", "1e9", "Sun, 31 Feb 1994 08:49:37 GMT"] {
      #expect(pause("Retry-After: \(text)") == nil, "\(text)")
    }
  }

  @Test("endless headers are refused") func headers() {
    var headers = AnswerHeaders()
    let line = Array(repeating: UInt8(ascii: "x"), count: 10_000)
    let taken = (1...7).map { _ in headers.take(line) }
    #expect(taken == Array(repeating: true, count: 6) + [false])
  }
}
