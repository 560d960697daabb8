/// Who the board is for whoever hears of it.
public struct UplinkBoard: Hashable, Sendable {
  /// As people call it.
  public let name: String
  /// Godwit's.
  public let version: String
  public let topics: UplinkTopics

  /// - Parameter user: whose it is.
  public init(_ name: String, of user: String, version: String) {
    self.name = name
    self.version = version
    topics = UplinkTopics(user: user, device: name)
  }
}
