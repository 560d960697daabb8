/// A board's topics for publishing and subscribing: their levels are the names of its owner and of
/// the board.
public struct UplinkTopics: Hashable, Sendable {
  let user: String
  let device: String

  public init(user: String, device: String) {
    self.user = BrokerTopic.level(user)
    self.device = BrokerTopic.level(device)
  }

  private var names: String { user + "/" + device }

  /// OwnTracks' topics (booklet, tech/json).
  public var location: String { "owntracks/" + names }
  var transition: String { location + "/event" }
  public var command: String { location + "/cmd" }
  public var waypoints: String { location + "/waypoints" }

  /// Godwit's own.
  public var base: String { "godwit/" + names }
  public var records: String { base + "/records" }
  public var received: String { base + "/received" }
  public var request: String { base + "/request" }
  public var answer: String { base + "/answer" }

  /// ASCII letters, digits, `_` and `-` alone, and unique among the boards of a broker.
  var plainID: String {
    let plain = "godwit_\(user)_\(device)".unicodeScalars.map { scalar in
      scalar.isASCII ? String(scalar) : "x" + String(scalar.value, radix: 16)
    }.joined()
    guard plain.utf8.count > Self.longestID else { return plain }
    // A hash of the names replaces the part that has no room.
    let hash = String(StableHash.of(names), radix: 16)
    return "\(plain.prefix(Self.longestID - 17))_\(hash)"
  }

  /// Limit for Home Assistant's topics.
  private static let longestID = 64
}
