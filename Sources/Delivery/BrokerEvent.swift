/// A report from a broker, or about the connection to it.
public enum BrokerEvent: Equatable, Sendable {
  public enum Version: String, Sendable {
    case five = "5"
    case threeOneOne = "3.1.1"
  }

  public struct Welcome: Hashable, Sendable {
    public var version: Version
    /// Whether it has kept the session, with our subscriptions and the messages since.
    public var hasSession: Bool
    /// How many unacknowledged messages may be in flight to it.
    var receiveMaximum: Int

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
    /// The topic for the answer, and the data to return with it.
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
  /// The broker's answer to a subscription.
  case subscribed(accepted: [String], refused: [String])
  case acknowledged(number: Int64, PublishReason)
  case received(Message)
  /// Disconnected at our request.
  case disconnected
  case failed(BrokerFailure)
}

/// How a broker acknowledges a message: a reason code of MQTT 5 (2.4). With 3.1.1 there is only
/// success, whatever the result.
public struct PublishReason: Hashable, Sendable {
  public let code: UInt8

  public static let success = PublishReason(code: 0)
  /// The broker has it, but there is no subscriber: a broker that stores nothing discards it.
  public static let noSubscribers = PublishReason(code: 0x10)

  /// An access list denies publishing (MQTT 5, 2.4).
  public static let notAuthorized = PublishReason(code: 0x87)
  /// It is longer than the broker accepts.
  public static let tooLong = PublishReason(code: 0x95)
  public static let qosNotSupported = PublishReason(code: 0x9B)
  /// Not even sent, because no broker would accept it. (Malformed packet, a code that no
  /// acknowledgement has.)
  public static let unsendable = PublishReason(code: 0x81)

  public init(code: UInt8) { self.code = code }

  /// Whether the broker has it, with or without a subscriber: MQTT 5, 3.4.2.1 defines no other
  /// success.
  public var isSuccess: Bool { self == .success || self == .noSubscribers }

  /// For messages that do not count as received.
  public var text: String {
    switch code {
    case 0x10: "it has no subscriber"
    case 0x80: "the broker reports an error"
    case 0x81: "it cannot be sent: no broker accepts such a topic or text"
    case 0x83: "the broker does not accept it"
    case Self.notAuthorized.code: "the broker does not allow it: check its access rules"
    case 0x90: "the broker does not accept the topic"
    case 0x95: "it is longer than the broker accepts"
    case 0x97: "the broker has no room for it (quota exceeded)"
    case 0x99: "the broker does not accept the payload"
    case 0x9B:
      "the broker accepts no messages with acknowledgement (QoS 1): raise its max_qos, or use "
        + "another broker"
    case 0..<0x80: "the broker answers 0x" + String(code, radix: 16) + ", which is not a receipt"
    default: "the broker reports 0x" + String(code, radix: 16)
    }
  }
}
