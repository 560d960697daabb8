import Formats

/// One validated request to a receiver of uploads: it can be sent unchanged.
public struct UploadRequest: Hashable, Sendable {
  public enum Method: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
  }

  public struct Header: Hashable, Sendable {
    let name: String
    let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// In bytes; a batch of Overland's with 1000 points takes half of it.
  public static let longestBody = 1_048_576
  /// In bytes, for all given headers.
  static let longestHeaders = 8192

  public let address: WebAddress
  public let method: Method
  let headers: [Header]
  /// Empty with GET.
  public let body: [UInt8]
  public let contentType: String?
  let credentials: UploadCredentials?

  /// - Throws: what cannot be sent.
  public init(
    _ method: Method, _ address: WebAddress, headers: [Header] = [], body: [UInt8] = [],
    contentType: String? = nil, credentials: UploadCredentials? = nil
  ) throws(UploadRequestError) {
    self.address = address
    self.method = method
    self.headers = headers
    self.body = body
    self.contentType = contentType
    self.credentials = credentials
    if let problem { throw UploadRequestError("\(address.origin): \(problem)") }
  }

  /// The full URL, with the key if that is in the query: for the adapter alone.
  public var url: Secret {
    guard case .queryKey(let name, let key) = credentials else { return Secret(address.text) }
    return Secret(address.text(adding: name, key.text))
  }

  /// All headers of the request itself, as `Name: value`: for the adapter alone.
  public var headerLines: [Secret] {
    var lines = headers.map { Secret("\($0.name): \($0.value)") }
    if let contentType { lines.append(Secret("Content-Type: \(contentType)")) }
    if let authorization = credentials?.authorization {
      lines.append(Secret("Authorization: \(authorization)"))
    }
    return lines
  }

  /// Whether the credentials are sent unencrypted over the network.
  var showsCredentials: Bool {
    credentials != nil && !address.isSecure && !address.isLoopback
  }

  /// Whether a text contains a secret: a library's error text may quote a URL.
  public func isSecret(in text: String) -> Bool {
    let target = address.target.utf8.count > 1 ? address.target : nil
    let secrets = [
      credentials?.secret.text, credentials.map { PercentEncoding.text($0.secret.text) },
    ]
    return (secrets + [target]).contains { $0.map { text.contains($0) } ?? false }
  }

  private var problem: String? {
    if method == .get, !body.isEmpty { return "a GET has no body" }
    if body.count > Self.longestBody {
      return
        "the body has \(body.count) bytes, at most \(Self.longestBody): send fewer at once"
    }
    let lines = headers + (contentType.map { [Header("Content-Type", $0)] } ?? [])
    for header in lines {
      guard Self.isToken(header.name), Self.isValue(header.value) else {
        return "a header has an invalid character"
      }
    }
    if let taken = headers.first(where: { Self.own.contains($0.name.lowercased()) }) {
      return "the header \(taken.name) must not be set separately"
    }
    let size = lines.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard size <= Self.longestHeaders else {
      return "the headers have more than \(Self.longestHeaders) bytes"
    }
    return credentials?.problem
  }

  /// Those determined by the rest of the request, or that would change its framing.
  private static let own: Set<String> = [
    "accept-encoding", "authorization", "connection", "content-length", "content-type", "cookie",
    "expect", "host", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
    "user-agent",
  ]

  /// RFC 9110, 5.6.2.
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
      }
  }

  /// RFC 9110, 5.5. With an empty value libcurl would omit the header.
  private static func isValue(_ value: String) -> Bool {
    let isVisible = value.utf8.allSatisfy { $0 == 0x20 || $0 > 0x20 && $0 != 0x7F }
    return isVisible && !value.isEmpty && value.first != " " && value.last != " "
  }
}

extension UploadRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(method.rawValue) \(address)" }
  public var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}

public struct UploadRequestError: Error, Hashable, Sendable {
  /// What cannot be sent, where to, and what to do next.
  let message: String
  init(_ message: String) { self.message = message }
}
