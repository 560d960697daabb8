/// The address of a broker: `mqtt://host[:port]`, or `mqtts://` for TLS.
public struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
  /// In bytes.
  static let longest = 300

  public let isSecure: Bool
  /// In lower case; an IPv6 address without brackets.
  public let host: String
  public let port: UInt16

  /// - Throws: what is wrong, to follow the name of the setting.
  public init(parsing text: String) throws(BrokerAddressError) {
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .characters }
    let rest: Substring
    if text.lowercased().hasPrefix("mqtts://") {
      isSecure = true
      rest = text.dropFirst(8)
    } else if text.lowercased().hasPrefix("mqtt://") {
      isSecure = false
      rest = text.dropFirst(7)
    } else {
      throw .scheme
    }
    guard !rest.contains("@") else { throw .userInfo }
    let (host, port) = try Self.split(rest.hasSuffix("/") ? rest.dropLast() : rest)
    self.host = host
    // Assigned by IANA: mqtt, secure-mqtt.
    self.port = try port.map(Self.number) ?? (isSecure ? 8883 : 1883)
  }

  public var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(isSecure ? "mqtts" : "mqtt")://\(name):\(port)"
  }

  private static func split(
    _ text: Substring
  ) throws(BrokerAddressError) -> (host: String, port: Substring?) {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw .host }
      let host = text[..<end].dropFirst()
      let isAddress =
        (2...45).contains(host.utf8.count) && host.contains(":")
        && host.allSatisfy { $0 == ":" || $0 == "." || $0.isHexDigit }
      let rest = text[text.index(after: end)...]
      guard isAddress, rest.isEmpty || rest.hasPrefix(":") else { throw .host }
      return (host.lowercased(), rest.isEmpty ? nil : rest.dropFirst())
    }
    let end = text.firstIndex(of: ":") ?? text.endIndex
    let host = text[..<end]
    let isName =
      (1...253).contains(host.utf8.count) && !host.hasPrefix(".") && !host.contains("..")
      && host.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_" }
    guard isName else { throw .host }
    return (host.lowercased(), end == text.endIndex ? nil : text[text.index(after: end)...])
  }

  private static func number(_ text: Substring) throws(BrokerAddressError) -> UInt16 {
    guard text.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(text), port > 0 else {
      throw .port
    }
    return port
  }
}

/// Why a text is not a broker's address.
public enum BrokerAddressError: Error, Hashable, Sendable {
  case characters, scheme, userInfo, host, port

  /// To follow the name of the setting.
  var message: String {
    switch self {
    case .characters:
      "is longer than \(BrokerAddress.longest) bytes or has invalid characters"
    case .scheme:
      "must begin with mqtts:// (TLS) or mqtt://, such as \"mqtts://broker.example.org:8883\""
    case .userInfo:
      "has a user or a password, which logs would show: write the user into uplink.mqtt.user and "
        + "the password into the file of uplink.mqtt.password_file"
    case .host:
      "has no valid host: letters, digits, - and ., or an IPv6 address in [ ]; nothing may "
        + "follow the port"
    case .port: "has a port that is not a number from 1 to 65535"
    }
  }
}
