import Core

extension Recipient {
  /// Receivers of OwnTracks' messages as web requests.
  public static let owntracksHTTP = Recipient("owntracks_http", over: .web, .ownTracksMessages)
}

/// OwnTracks' HTTP mode (OwnTracks Booklet, "HTTP mode"): Recorder, Home Assistant, Dawarich.
struct OwnTracksHTTP: WebProtocol {
  static let recipient = Recipient.owntracksHTTP
  static let doc = "Locations and crossings of places to a receiver of OwnTracks' HTTP mode."
  static let example = "https://recorder.example.org/pub"
  static let successes: Set<Int> = [200]
  static let answersWithMessages = true

  func item(for change: ChangedRecord, _ state: inout OutboxState) -> OutboxItem? {
    OwnTracksDispatch.item(to: Self.recipient, for: change)
  }

  /// Booklet, tech/http: the server identifies the sender by these.
  func headers(_ topics: UplinkTopics) -> [UploadRequest.Header] {
    [
      UploadRequest.Header("X-Limit-U", topics.user),
      UploadRequest.Header("X-Limit-D", topics.device),
    ]
  }

  /// OwnTracks' Recorder (http.c, dopublish), Home Assistant and Dawarich answer with an array of
  /// messages for the board, mostly empty; the Recorder with an encrypted one if it has a key of
  /// the user's. Traccar and earlier Dawarich versions answer with an empty body.
  func claim(of answer: UploadAnswer, at address: WebAddress) -> WebReceipt.Claim {
    let body = answer.body
    if body.allSatisfy(\.isSpace) { return bareSuccess(address) }
    guard let json = try? JSONValue(parsing: body) else { return .doubt(Self.notOwnTracks) }
    if json.array != nil { return .receipt }
    if let error = json["error"] {
      let text = TerminalText.line(String((error.string ?? "an error").prefix(100)))
      return .refused("OwnTracks' receiver reports \"\(text)\"", at: address)
    }
    if json["_type"]?.string == "encrypted", json["data"]?.string != nil { return .receipt }
    guard json == .object([]) else { return .doubt(Self.notOwnTracks) }
    return bareSuccess(address)
  }

  /// A success status without a body is a receipt if TLS proves its origin, and if the server uses
  /// it for nothing else.
  private func bareSuccess(_ address: WebAddress) -> WebReceipt.Claim {
    if address.isWebhook { return .unknownWebhook }
    return address.isSecure ? .receipt : .doubt(Self.nothingSaid)
  }

  private static let notOwnTracks = "without OwnTracks' array of messages: check the address"
  private static let nothingSaid =
    "without the specific answer of OwnTracks' receiver: over http any server may have sent it, "
    + "use an address with https"
}
