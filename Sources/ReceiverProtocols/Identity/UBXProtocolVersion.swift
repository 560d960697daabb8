/// The version of u-blox's protocol that a receiver speaks: "34.10".
public struct UBXProtocolVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let major: Int
  /// Two digits: 10 in "34.10", and in "34.1" too.
  public let minor: Int

  public init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }

  /// Nil for what is no such number.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ (1...3).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let major = Int(parts[0]), let minor = Int(parts.count == 2 ? parts[1] : "0")
    else { return nil }
    self.init(major, parts.count == 2 && parts[1].utf8.count == 1 ? minor * 10 : minor)
  }

  public var description: String { "\(major).\(minor < 10 ? "0" : "")\(minor)" }

  public static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}
