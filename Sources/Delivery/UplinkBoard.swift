/// The board's identity for its peers.
public struct UplinkBoard: Hashable, Sendable {
  /// The name used by people.
  public let name: String
  /// Godwit's version.
  let version: String
  public let topics: UplinkTopics

  /// - Parameter user: its owner.
  public init(_ name: String, of user: String, version: String) {
    self.name = name
    self.version = version
    topics = UplinkTopics(user: user, device: name)
  }
}
