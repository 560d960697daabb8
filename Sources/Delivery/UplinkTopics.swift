/// Where a board's messages go, and where it hears: levels of topics from the names of its person
/// and of itself.
public struct UplinkTopics: Hashable, Sendable {
  let user: String
  let device: String

  public init(user: String, device: String) {
    self.user = BrokerTopic.level(user)
    self.device = BrokerTopic.level(device)
  }

  private var names: String { user + "/" + device }

  /// OwnTracks' (booklet, tech/json).
  public var location: String { "owntracks/" + names }
  public var transition: String { location + "/event" }
  public var command: String { location + "/cmd" }

  /// Godwit's own.
  public var records: String { "godwit/\(names)/records" }
  public var received: String { "godwit/\(names)/received" }
}
