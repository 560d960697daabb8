import Notation
import Quantities

/// Whether an answer is a receipt: the decision that frees a record or keeps it. In doubt it is
/// kept. Between the board and its receiver stands whoever runs the network, and a captive portal
/// says 200 to everything.
public enum WebReceipt: Hashable, Sendable {
  /// It has arrived.
  case received
  /// It may work later; not before this pause where the server names one.
  case retry(after: Seconds?, why: String)
  /// It will not get better by itself, and is kept until a person has done something about it.
  case refused(Ground, why: String)

  /// What the refusal is about, and so what else need not be tried either.
  public enum Ground: Hashable, Sendable {
    /// This very content. Others may pass: it is not to stand in their way.
    case content
    /// The content is too long; fewer records at once may pass.
    case size
    /// Who uploads, and as which device: nothing passes.
    case credentials
    /// The address or its method: nothing passes.
    case address
    /// What this machine lacks, such as a library or a file: nothing passes.
    case setup
  }

  public init(of result: Result<UploadAnswer, UploadFailure>, from receiver: WebReceiver) {
    switch result {
    case .success(let answer): self.init(of: answer, from: receiver)
    case .failure(let failure):
      self =
        failure.isPassing
        ? .retry(after: nil, why: failure.message) : .refused(.setup, why: failure.message)
    }
  }

  public init(of answer: UploadAnswer, from receiver: WebReceiver) {
    guard (200...299).contains(answer.status) else {
      self = Self.without(success: answer, receiver)
      return
    }
    if let doubt = Self.doubt(about: answer, receiver) {
      self = .retry(after: answer.retryAfter, why: "\(answer.status), but \(doubt)")
    } else {
      self = .received
    }
  }
}

// MARK: What a success has to look like

extension WebReceipt {
  /// Why an answer that says success is not the receiver's; nil: it is.
  private static func doubt(about answer: UploadAnswer, _ receiver: WebReceiver) -> String? {
    if looksLikePage(answer) {
      return "with a page for people: this network may want a sign-in, or the address is another's"
    }
    switch receiver {
    case .ownTracks: return ownTracksDoubt(answer.body)
    case .osmAnd: return osmAndDoubt(answer)
    case .overland: return overlandDoubt(answer.body)
    }
  }

  private static func looksLikePage(_ answer: UploadAnswer) -> Bool {
    let start = answer.body.drop { isSpace($0) || [0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = start.first else { return false }
    let isPageType = ["text/html", "application/xhtml+xml"].contains(answer.contentType)
    return isPageType || first == UInt8(ascii: "<")
  }

  /// Messages for the board as an array or one object, or nothing.
  private static func ownTracksDoubt(_ body: [UInt8]) -> String? {
    if body.allSatisfy(isSpace) { return nil }
    switch try? JSONValue(parsing: body) {
    case .array, .object: return nil
    default: return "without the JSON of OwnTracks: is the address right?"
    }
  }

  /// Bytes. A command for the tracker is one line.
  private static let longestCommand = 512

  private static func osmAndDoubt(_ answer: UploadAnswer) -> String? {
    guard answer.status == 200 || answer.status == 202 else {
      return "OsmAnd's protocol says 200 or 202: is the address right?"
    }
    let line = answer.body.reversed().drop(while: isSpace).reversed()
    guard line.count <= longestCommand, let text = String(validatingUTF8: Array(line)),
      !TerminalText.hasControlCharacter(text)
    else { return "with more than the one short line of OsmAnd's protocol: is the address right?" }
    return nil
  }

  private static func overlandDoubt(_ body: [UInt8]) -> String? {
    let said = (try? JSONValue(parsing: body))?["result"]
    if said == .string("ok") { return nil }
    guard let error = said?.string else {
      return "without Overland's {\"result\":\"ok\"}: is the address right?"
    }
    return "Overland's receiver says \"\(TerminalText.line(String(error.prefix(100))))\""
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }
}

// MARK: What is no success

extension WebReceipt {
  private static func without(success answer: UploadAnswer, _ receiver: WebReceiver) -> WebReceipt {
    let status = answer.status
    switch status {
    case 300...399:
      let other = answer.redirect.map { " to \($0)" } ?? ""
      return .retry(
        after: nil,
        why: "\(status): sent on\(other), which is never followed; this network may want a sign-in")
    case 401, 403:
      return .refused(
        .credentials, why: "\(status): not allowed in; look at the user, the password or the key")
    case 404, 405, 410:
      return .refused(.address, why: "\(status): no receiver at this address; look at its path")
    case 413: return .refused(.size, why: "413: too long for the receiver; send fewer at once")
    case 407:
      return .retry(after: nil, why: "407: a proxy in this network wants a sign-in")
    case 408, 421, 423, 425, 429:
      return .retry(after: answer.retryAfter, why: "\(status): the receiver wants to wait")
    case 511: return .retry(after: nil, why: "511: this network wants a sign-in")
    case 500...599:
      return .retry(
        after: answer.retryAfter, why: "\(status): the receiver has a fault of its own")
    case 400 where receiver == .osmAnd:
      return .refused(
        .credentials,
        why: "400: the device is unknown there; add it to Traccar with this identifier")
    case 400...499:
      return .refused(.content, why: "\(status): the receiver does not take this content")
    default:
      return .retry(after: nil, why: "\(status) is no HTTP status: what answers is no receiver")
    }
  }
}

extension String {
  /// Nil when the bytes are no UTF-8.
  fileprivate init?(validatingUTF8 bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
