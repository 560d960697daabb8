/// What a broker has said, or what became of the connection to it.
public enum BrokerEvent: Equatable, Sendable {
  public enum Version: String, Sendable {
    case five = "5"
    case threeOneOne = "3.1.1"
  }

  public struct Welcome: Hashable, Sendable {
    public var version: Version
    /// Whether it still knows what we have subscribed to, and has kept what came since.
    public var hasSession: Bool
    /// How many messages may be under way to it without an acknowledgement.
    public var receiveMaximum: Int

    public init(version: Version, hasSession: Bool, receiveMaximum: Int) {
      self.version = version
      self.hasSession = hasSession
      self.receiveMaximum = receiveMaximum
    }
  }

  public struct Message: Hashable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    public var isRetained: Bool
    /// Where an answer is wanted, and what it has to bring.
    public var responseTopic: String?
    public var correlation: [UInt8]

    public init(
      topic: String, payload: [UInt8], isRetained: Bool = false, responseTopic: String? = nil,
      correlation: [UInt8] = []
    ) {
      self.topic = topic
      self.payload = payload
      self.isRetained = isRetained
      self.responseTopic = responseTopic
      self.correlation = correlation
    }
  }

  case connected(Welcome)
  /// - Parameter refused: whether any topic was.
  case subscribed(refused: Bool)
  case acknowledged(number: Int64, PublishReason)
  case received(Message)
  /// As we have asked.
  case left
  case failed(BrokerFailure)
}

/// How a broker acknowledges a message: a reason code of MQTT 5 (2.4). With 3.1.1 there is only
/// success, whatever became of it.
public struct PublishReason: Hashable, Sendable {
  public let code: UInt8

  public static let success = PublishReason(code: 0)
  /// The broker has it, and nobody who wants it: a broker that keeps nothing forgets it.
  public static let nobodySubscribed = PublishReason(code: 0x10)

  /// An access list does not let us publish it (MQTT 5, 2.4).
  public static let notAuthorized = PublishReason(code: 0x87)

  /// Not even sent: no broker would take it.
  public static let unsendable = PublishReason(code: 0x99)

  public init(code: UInt8) { self.code = code }

  /// Whether the broker has taken it on.
  public var isTaken: Bool { code < 0x80 && code != Self.nobodySubscribed.code }

  /// Of what is not taken.
  public var text: String {
    switch code {
    case 0x10: "nobody has subscribed to it"
    case 0x83: "the broker does not take it"
    case Self.notAuthorized.code: "the broker does not allow it: look at its access rules"
    case 0x90: "the broker does not take the topic"
    case 0x97: "the broker has no room for it (quota exceeded)"
    case 0x99: "the broker does not take the payload"
    default: "the broker says 0x" + String(code, radix: 16)
    }
  }
}
