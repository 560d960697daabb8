import Core

/// One message of a file, or why it is invalid.
public struct LetterFileEntry: Hashable, Sendable, CustomStringConvertible {
  /// The position in the file, from 1.
  public let number: Int
  /// The line on which it begins, from 1.
  let line: Int
  public let message: Result<PeerMessage, MessageError>

  /// For people: the place in the file, and the error.
  public var description: String {
    switch message {
    case .success: "message \(number), line \(line)"
    case .failure(let error): "message \(number), line \(line): \(error)"
    }
  }
}

/// Reads letters from a file as its bytes arrive, in pieces of any size: one message per line, or
/// all of them in one list. Memory between pieces is bounded.
///
/// An invalid message does not affect the others: the next one begins after its closing bracket or,
/// where the message was cut off, on the next line.
public struct LetterFileReader: Sendable {
  private enum Stage { case between, message, skipping }

  private var stage = Stage.between
  private static let limits = JSONExtent.Limits(
    bytes: MessagingLimits.letterMessage, values: MessagingLimits.letterMessage)
  private var extent = JSONExtent(limits)
  /// Whether the last byte kept was white space: an indented file has much of it.
  private var wasSpace = false
  private var isInList = false
  /// Whether the byte is the first of its line.
  private var isLineStart = true
  private var line = 1
  private var firstLine = 1
  private var count = 0

  public init() {}

  /// Appends the entries that end in this piece.
  public mutating func feed(_ piece: ArraySlice<UInt8>, into entries: inout [LetterFileEntry]) {
    for byte in piece {
      process(byte, &entries)
      isLineStart = byte == UInt8(ascii: "\n")
      if isLineStart { line += 1 }
    }
  }

  /// Call at the end of the file: the last message may have been cut off.
  public mutating func finish(into entries: inout [LetterFileEntry]) {
    if stage == .message {
      fail("the file ends in the middle of it: check that the file is complete", &entries)
    } else if isInList {
      begin()
      fail("the file ends in the middle of its list: check that the file is complete", &entries)
    }
    self = LetterFileReader()
  }

  /// Reads a whole file that is already in memory.
  public static func entries(of bytes: some Sequence<UInt8>) -> [LetterFileEntry] {
    var reader = LetterFileReader()
    var entries: [LetterFileEntry] = []
    reader.feed(Array(bytes)[...], into: &entries)
    reader.finish(into: &entries)
    return entries
  }

  private mutating func process(_ byte: UInt8, _ entries: inout [LetterFileEntry]) {
    switch stage {
    case .skipping: if byte == UInt8(ascii: "\n") { stage = .between }
    case .between: processBetween(byte, &entries)
    case .message: processInside(byte, &entries)
    }
  }

  private mutating func processBetween(_ byte: UInt8, _ entries: inout [LetterFileEntry]) {
    switch byte {
    // White space, the separator of RFC 7464, and the byte order mark.
    case 0x20, 0x09, 0x0A, 0x0D, 0x1E, 0xEF, 0xBB, 0xBF: break
    case UInt8(ascii: "{"):
      begin()
      _ = extent.consume(byte)
    case UInt8(ascii: "[") where !isInList: isInList = true
    case UInt8(ascii: "]") where isInList: isInList = false
    case UInt8(ascii: ",") where isInList: break
    default:
      begin()
      fail("it is not a JSON object: write one in { and }", &entries)
      stage = .skipping
    }
  }

  private mutating func processInside(_ byte: UInt8, _ entries: inout [LetterFileEntry]) {
    if extent.isInString {
      guard byte != UInt8(ascii: "\n") else {
        return fail("a text has no closing quote: it was cut off here", &entries)
      }
    } else {
      // In a file of one message per line, an opening bracket at the start of a line begins the
      // next one.
      if byte == UInt8(ascii: "{"), isLineStart, !isInList {
        fail("its closing bracket is missing: it was cut off here", &entries)
        return processBetween(byte, &entries)
      }
      let isSpace = Self.isSpace(byte)
      defer { wasSpace = isSpace }
      if isSpace, wasSpace { return }
    }
    // A mismatched bracket closes one as well, so that the next message is found.
    _ = extent.consume(byte)
    if extent.depth == 0 { end(&entries) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: true
    default: false
    }
  }

  private mutating func begin() {
    stage = .message
    extent = JSONExtent(Self.limits)
    wasSpace = false
    firstLine = line
    count += 1
  }

  private mutating func end(_ entries: inout [LetterFileEntry]) {
    guard extent.excess == nil else {
      return fail("it has more than \(MessagingLimits.letterMessage) bytes: shorten it", &entries)
    }
    stage = .between
    do throws(MessageError) {
      let message = try PeerMessage(extent.bytes)
      guard message.isOfLetters else {
        throw MessageError(
          "a file contains only letters, letterboxes, receipts and withdrawals: remove it",
          at: "type")
      }
      entries.append(entry(.success(message)))
    } catch {
      entries.append(entry(.failure(error)))
    }
  }

  private mutating func fail(_ reason: String, _ entries: inout [LetterFileEntry]) {
    stage = .between
    entries.append(entry(.failure(MessageError(reason))))
  }

  private func entry(_ message: Result<PeerMessage, MessageError>) -> LetterFileEntry {
    LetterFileEntry(number: count, line: firstLine, message: message)
  }
}

/// Writes letters to a file, one message per line.
public enum LetterFile {
  public static func line(_ message: PeerMessage) -> [UInt8] {
    message.bytes + [UInt8(ascii: "\n")]
  }
}
