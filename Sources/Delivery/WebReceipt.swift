import Core

/// Whether an answer is a receipt: the decision that releases a record or keeps it. In doubt it is
/// kept. Whoever runs the network can answer instead of the receiver, and a captive portal answers
/// 200 to everything.
public enum WebReceipt: Hashable, Sendable {
  /// It has arrived.
  case received
  /// It may work later; not before this pause if the server gives one.
  case retry(after: Seconds?, why: String)
  /// It will not work without a person's action, and is kept until then.
  case refused(Ground, why: String)

  /// The reason for the refusal, which shows what else need not be tried.
  public enum Ground: Hashable, Sendable {
    /// This content only. Others may pass: it must not block them.
    case content
    /// The content is too long; fewer records at once may pass.
    case size
    /// The credentials or the device: nothing passes.
    case credentials
    /// The address or its method: nothing passes.
    case address
    /// Something missing on this machine, such as a library or a file: nothing passes.
    case setup
  }

  public init(
    of result: Result<UploadAnswer, UploadFailure>, from receiver: WebReceiver,
    at address: WebAddress
  ) {
    switch result {
    case .success(let answer): self.init(of: answer, from: receiver, at: address)
    case .failure(let failure):
      self =
        failure.isPassing
        ? .retry(after: nil, why: failure.message) : .refused(.setup, why: failure.message)
    }
  }

  public init(of answer: UploadAnswer, from receiver: WebReceiver, at address: WebAddress) {
    guard (200...299).contains(answer.status) else {
      self = Self.without(success: answer, receiver)
      return
    }
    switch Self.claim(of: answer, receiver, address) {
    case .receipt: self = .received
    case .refusal(let why): self = .refused(.content, why: "\(answer.status), but \(why)")
    case .doubt(let why):
      self = .retry(after: answer.retryAfter, why: "\(answer.status), but \(why)")
    }
  }
}

// MARK: Success

extension WebReceipt {
  /// What an answer with a success status means.
  private enum SuccessMeaning {
    case receipt
    /// From the receiver itself, but not a receipt.
    case refusal(String)
    /// Perhaps from elsewhere.
    case doubt(String)
  }

  private static func claim(
    of answer: UploadAnswer, _ receiver: WebReceiver, _ address: WebAddress
  ) -> SuccessMeaning {
    if looksLikePage(answer) {
      return .doubt(
        "with an HTML page: this network may require a sign-in, or the address is wrong")
    }
    guard receiver.successes.contains(answer.status) else {
      return .doubt("that is not the answer of its receiver: check the address")
    }
    switch receiver {
    case .ownTracks: return ownTracksClaim(answer.body, address)
    case .osmAnd: return osmAndClaim(answer, address)
    case .overland: return overlandClaim(answer.body, address)
    }
  }

  private static func looksLikePage(_ answer: UploadAnswer) -> Bool {
    let start = answer.body.drop { isSpace($0) || [0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = start.first else { return false }
    let isPageType = ["text/html", "application/xhtml+xml"].contains(answer.contentType)
    return isPageType || first == UInt8(ascii: "<")
  }

  /// OwnTracks' Recorder (http.c, dopublish), Home Assistant and Dawarich answer with an array of
  /// messages for the board, mostly empty; the Recorder with an encrypted one if it has a key of
  /// the user's. Traccar and earlier Dawarich versions answer with an empty body.
  private static func ownTracksClaim(_ body: [UInt8], _ address: WebAddress) -> SuccessMeaning {
    if body.allSatisfy(isSpace) { return bareSuccess(address) }
    guard let json = try? JSONValue(parsing: body) else { return .doubt(noOwnTracks) }
    if json.array != nil { return .receipt }
    if let error = json["error"] {
      let text = TerminalText.line(String((error.string ?? "an error").prefix(100)))
      return ownRefusal("OwnTracks' receiver reports \"\(text)\"", address)
    }
    if json["_type"]?.string == "encrypted", json["data"]?.string != nil { return .receipt }
    guard json == .object([]) else { return .doubt(noOwnTracks) }
    return bareSuccess(address)
  }

  /// A success status without a body is a receipt if TLS proves its origin, and if the server uses
  /// it for nothing else.
  private static func bareSuccess(_ address: WebAddress) -> SuccessMeaning {
    if address.isWebhook { return .doubt(unknownWebhook) }
    return address.isSecure ? .receipt : .doubt(nothingSaid)
  }

  private static let unknownWebhook =
    "without the answer of Home Assistant's webhook: it is starting, has failed, or has no "
    + "webhook at this address"
  private static let noOwnTracks = "without OwnTracks' array of messages: check the address"
  private static let nothingSaid =
    "without the specific answer of OwnTracks' receiver: over http any server may have sent it, "
    + "use an address with https"

  /// In bytes. A command for the tracker is one line.
  private static let longestCommand = 512
  private static let notTraccar =
    "over http any server may have sent it, and Traccar answers 200: use an address with https"
  /// Home Assistant's webhook for Traccar's clients.
  private static let homeAssistant = "Setting location for "

  /// Traccar answers 200 with an empty body, unless a command waits for the tracker
  /// (BaseHttpProtocolDecoder, OsmAndProtocolDecoder). Over http another server in the network may
  /// answer anything else.
  private static func osmAndClaim(_ answer: UploadAnswer, _ address: WebAddress) -> SuccessMeaning {
    let line = answer.body.reversed().drop(while: isSpace).reversed()
    if line.isEmpty {
      if address.isWebhook { return .doubt(unknownWebhook) }
      return answer.status == 200 || address.isSecure ? .receipt : .doubt(notTraccar)
    }
    guard line.count <= longestCommand, let text = String(validatingUTF8: Array(line)),
      !TerminalText.hasControlCharacter(text)
    else {
      return .doubt("with more than the one short line of OsmAnd's protocol: check the address")
    }
    if text.hasPrefix(homeAssistant) { return .receipt }
    if address.isWebhook { return .doubt(unknownWebhook) }
    return address.isSecure
      ? .receipt
      : .doubt("with a text: over http any server may have sent it, use an address with https")
  }

  private static func overlandClaim(_ body: [UInt8], _ address: WebAddress) -> SuccessMeaning {
    let result = (try? JSONValue(parsing: body))?["result"]
    if result == .string("ok") { return .receipt }
    guard let error = result?.string else {
      return .doubt("without Overland's {\"result\":\"ok\"}: check the address")
    }
    let text = TerminalText.line(String(error.prefix(100)))
    return ownRefusal("Overland's receiver reports \"\(text)\"", address)
  }

  /// A receiver's statement that it has not accepted something; over http it may come from anyone.
  private static func ownRefusal(_ why: String, _ address: WebAddress) -> SuccessMeaning {
    address.isSecure ? .refusal(why) : .doubt(why)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }
}

// MARK: Failure

extension WebReceipt {
  private static func without(success answer: UploadAnswer, _ receiver: WebReceiver) -> WebReceipt {
    let status = answer.status
    switch status {
    case 300...399:
      let other = answer.redirect.map { " to \($0)" } ?? ""
      return .retry(
        after: nil,
        why:
          "\(status): redirected\(other), which is not followed; this network may need a sign-in"
      )
    case 401, 403:
      return .refused(
        .credentials, why: "\(status): not authorized; check the user, the password or the key")
    case 404, 405, 410:
      return .refused(.address, why: "\(status): no receiver at this address; check its path")
    case 413: return .refused(.size, why: "413: too long for the receiver; send fewer at once")
    case 407:
      return .retry(after: nil, why: "407: a proxy in this network requires a sign-in")
    case 408, 421, 423, 425, 429:
      return .retry(after: answer.retryAfter, why: "\(status): the receiver requests a delay")
    case 511: return .retry(after: nil, why: "511: this network requires a sign-in")
    case 500...599:
      return .retry(
        after: answer.retryAfter, why: "\(status): internal error of the receiver")
    case 400 where receiver == .osmAnd:
      return .refused(
        .credentials,
        why: "400: the device is unknown there; add it to Traccar with this identifier")
    case 400...499:
      return .refused(.content, why: "\(status): the receiver does not accept this content")
    default:
      return .retry(
        after: nil, why: "\(status) is not an HTTP status: the server is not a receiver")
    }
  }
}

extension String {
  /// Nil if the bytes are not UTF-8.
  fileprivate init?(validatingUTF8 bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
