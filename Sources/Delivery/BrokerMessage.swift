import Core

/// A message to be published.
public struct BrokerMessage: Hashable, Sendable {
  public var topic: String
  public var payload: [UInt8]
  /// Whether the broker acknowledges it (QoS 1) or not (QoS 0).
  public var isAcknowledged: Bool
  public var isRetained: Bool
  /// After this time it is no longer delivered; nil: it does not expire. MQTT 5 alone, like the
  /// following.
  public var expiry: Seconds?
  public var responseTopic: String?
  public var correlation: [UInt8]
  public var contentType: String?

  public init(
    topic: String, payload: [UInt8], isAcknowledged: Bool = true, isRetained: Bool = false,
    expiry: Seconds? = nil, responseTopic: String? = nil, correlation: [UInt8] = [],
    contentType: String? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.isAcknowledged = isAcknowledged
    self.isRetained = isRetained
    self.expiry = expiry
    self.responseTopic = responseTopic
    self.correlation = correlation
    self.contentType = contentType
  }

  /// Approximate size in memory, in bytes.
  public var size: Int {
    payload.count + topic.utf8.count + correlation.count + (responseTopic?.utf8.count ?? 0)
      + (contentType?.utf8.count ?? 0)
  }
}

/// Names as levels of topics.
public enum BrokerTopic {
  /// In bytes; MQTT 5, 1.5.4.
  static let longest = 65_535

  /// A name as one level: characters with a special meaning become `-`. nats-server refuses `.`.
  public static func level(_ name: String) -> String {
    let text = String(
      name.map { character in
        let isFree =
          character.isLetter || character.isNumber || character == "-" || character == "_"
        return isFree ? character : "-"
      })
    let short = String(text.prefix(64))
    return short.isEmpty ? "-" : short
  }

  /// Whether it is a valid topic for publishing.
  public static func isOne(_ topic: String) -> Bool {
    (1...longest).contains(topic.utf8.count)
      && topic.utf8.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "#") }
  }
}
