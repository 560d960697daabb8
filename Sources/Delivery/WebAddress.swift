import Formats

/// The address of a receiver of uploads: an http or https URL (RFC 3986), validated, and without
/// parts that are never sent or belong in another setting.
///
/// A path or a query may contain a key, as the webhooks of Home Assistant do: messages and the
/// description show only the `origin`.
public struct WebAddress: Hashable, Sendable {
  /// In bytes.
  static let longest = 2048

  public let isSecure: Bool
  /// In lower case; an IPv6 address in its brackets.
  let host: String
  let port: UInt16
  /// Path and query, with the leading slash.
  let target: String

  /// - Throws: what is wrong; never with the address itself, which may contain a secret.
  public init(parsing text: String) throws(WebAddressError) {
    guard text.utf8.count <= Self.longest else { throw .tooLong }
    guard text.utf8.allSatisfy(Self.isAllowed) else { throw .character }
    let (isSecure, rest) = try Self.scheme(of: text)
    self.isSecure = isSecure
    guard !rest.contains("#") else { throw .fragment }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.contains("@") else { throw .userInfo }
    let (host, port) = try Self.split(authority)
    self.host = host
    self.port = try port.map(Self.number) ?? (isSecure ? 443 : 80)
    let target = rest[end...]
    self.target = target.hasPrefix("/") ? String(target) : "/" + target
  }

  /// The full URL.
  var text: String { origin + target }

  /// Scheme, host and, unless it is the default, port: the part that messages may show.
  public var origin: String {
    let usual: UInt16 = isSecure ? 443 : 80
    return "\(isSecure ? "https" : "http")://\(host)\(port == usual ? "" : ":\(port)")"
  }

  /// Whether requests stay on this machine.
  var isLoopback: Bool {
    let octets = host.split(separator: ".")
    let isFourOctets = octets.count == 4 && octets.allSatisfy { UInt8($0) != nil }
    return host == "localhost" || host == "[::1]" || isFourOctets && octets[0] == "127"
  }

  /// Whether it is a webhook of Home Assistant, its own or its cloud's. For an unknown webhook, and
  /// after a failure, it answers 200 with an empty body, so that nobody can probe for webhooks
  /// (homeassistant/components/webhook).
  var isWebhook: Bool { target.hasPrefix("/api/webhook/") || host == "hooks.nabu.casa" }

  /// The URL with one more field in its query.
  func text(adding name: String, _ value: String) -> String {
    let joint =
      !target.contains("?") ? "?" : target.hasSuffix("?") || target.hasSuffix("&") ? "" : "&"
    return text + joint + PercentEncoding.text(name) + "=" + PercentEncoding.text(value)
  }
}

extension WebAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { origin }
  public var debugDescription: String { origin }
  public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}

extension WebAddress {
  /// Visible ASCII without the characters that RFC 3986 excludes.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
  }

  private static func scheme(of text: String) throws(WebAddressError) -> (Bool, Substring) {
    guard let colon = text.firstIndex(of: ":") else { throw .scheme }
    let rest = text[colon...]
    guard rest.hasPrefix("://") else { throw .scheme }
    switch text[..<colon].lowercased() {
    case "https": return (true, rest.dropFirst(3))
    case "http": return (false, rest.dropFirst(3))
    default: throw .scheme
    }
  }

  private static func split(
    _ authority: Substring
  ) throws(WebAddressError) -> (host: String, port: Substring?) {
    let end: Substring.Index
    if authority.hasPrefix("[") {
      guard let bracket = authority.firstIndex(of: "]") else { throw .host }
      end = authority.index(after: bracket)
      guard isAddress(authority[..<end].dropFirst().dropLast()) else { throw .host }
    } else {
      end = authority.firstIndex(of: ":") ?? authority.endIndex
      guard isName(authority[..<end]) else { throw .host }
    }
    let host = authority[..<end].lowercased()
    guard end < authority.endIndex else { return (host, nil) }
    guard authority[end] == ":" else { throw .host }
    return (host, authority[authority.index(after: end)...])
  }

  /// A DNS name, or an IPv4 address; an underscore is invalid in host names, but is resolved all
  /// the same.
  private static func isName(_ name: Substring) -> Bool {
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain && (1...253).contains(name.utf8.count) && !name.hasPrefix(".")
      && !name.contains("..")
  }

  /// IPv6, roughly checked: the resolver checks it exactly.
  private static func isAddress(_ address: Substring) -> Bool {
    (2...45).contains(address.utf8.count) && address.contains(":")
      && address.allSatisfy { $0 == ":" || $0 == "." || $0.isASCII && $0.isHexDigit }
  }

  private static func number(_ port: Substring) throws(WebAddressError) -> UInt16 {
    guard (1...5).contains(port.utf8.count), port.allSatisfy({ ("0"..."9").contains($0) }),
      let number = UInt16(port), number > 0
    else { throw .port }
    return number
  }
}

/// Why a text is not a valid address for uploads.
public enum WebAddressError: Error, Hashable, Sendable {
  case tooLong, character, scheme, userInfo, host, port, fragment

  /// What is wrong and what to write instead, to follow the name of the setting.
  public var message: String {
    switch self {
    case .tooLong: "is longer than \(WebAddress.longest) bytes"
    case .character:
      "has a character that no URL may contain: write it as %XX, and a host beyond ASCII as xn--…"
    case .scheme: "must begin with https:// or http://, such as \"https://example.org/pub\""
    case .userInfo:
      "has a user or a password before the host, where logs and status would show them: write "
        + "the address without, the user in the setting for the user, and the password in a file "
        + "or a systemd credential"
    case .host:
      "has no valid host: letters, digits, - and ., an IPv4 address, or an IPv6 "
        + "address in [ ]"
    case .port: "has a port that is not a number from 1 to 65535"
    case .fragment: "has a part after #, which is never sent: leave it out, or write # as %23"
    }
  }
}
