import Core

/// The relevant headers of an answer, read line by line; all others are ignored.
public struct AnswerHeaders: Sendable {
  /// In bytes, for all lines together.
  static let longest = 65_536
  /// Limit for a pause requested by a server.
  static let longestPause: Seconds = .hours(24)

  private var size = 0
  private var pause: String?
  private var date: String?
  /// In lower case, without parameters: "application/json".
  private(set) var contentType: String?
  /// The target of a redirect: scheme, host and port.
  public private(set) var redirect: String?

  public init() {}

  /// Reads the next line. False: the headers are too long.
  public mutating func take(_ line: some Collection<UInt8>) -> Bool {
    size += line.count
    guard size <= Self.longest else { return false }
    // The headers of another answer begin, such as the one after 100 Continue.
    if line.starts(with: "HTTP/".utf8) {
      self = AnswerHeaders(size: size)
      return true
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      line.distance(from: line.startIndex, to: colon) <= 16
    else { return true }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = Self.trimmed(line[line.index(after: colon)...])
    switch name {
    case "content-type": contentType = Self.mediaType(value)
    case "retry-after": pause = value
    case "date": date = value
    case "location": redirect = try? WebAddress(parsing: value).origin
    default: break
    }
    return true
  }

  private init(size: Int) { self.size = size }

  /// RFC 9110, 10.2.3. A date is compared with that of the same answer: the board's clock may be
  /// wrong.
  var retryAfter: Seconds? {
    guard let pause else { return nil }
    if !pause.isEmpty, pause.utf8.count <= 9, let seconds = UInt32(pause) {
      return min(Seconds(Double(seconds)), Self.longestPause)
    }
    guard let until = HTTPDate.instant(pause), let date, let sent = HTTPDate.instant(date) else {
      return nil
    }
    return min(max(until - sent, 0), Self.longestPause)
  }

  private static func trimmed(_ bytes: some Collection<UInt8>) -> String {
    let text = bytes.drop(while: \.isSpace).reversed().drop(while: \.isSpace).reversed()
    return String(decoding: text, as: UTF8.self)
  }

  private static func mediaType(_ value: String) -> String? {
    guard let type = value.split(separator: ";").first else { return nil }
    let name = type.prefix { $0 != " " && $0 != "\t" }
    let isPlain = name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isPlain && (3...100).contains(name.utf8.count) ? name.lowercased() : nil
  }
}
