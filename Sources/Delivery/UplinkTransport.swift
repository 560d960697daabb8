/// What fails by itself: a connection of its own, or a recipient that gets nothing over one that
/// others share.
public enum UplinkTransport: Hashable, Sendable {
  /// The list of brokers, as one: what fails there fails for everybody behind it.
  case brokers
  /// A recipient behind the brokers, from whom they take nothing while they take from others.
  case behindBrokers(Recipient)
  /// A receiver of web requests.
  case web(Recipient)
  /// What a collector says of what it has, through the brokers.
  case receipts
  /// What else others send to the board, through the brokers.
  case requests

  /// As the outbox and the status write it: "mqtt", "owntracks", "osmand", "receipts".
  public var name: String {
    switch self {
    case .brokers: "mqtt"
    case .receipts: "receipts"
    case .requests: "requests"
    case .behindBrokers(let recipient), .web(let recipient): recipient.rawValue
    }
  }

  public init?(name: String) {
    if let way = ([.brokers] + Self.heard).first(where: { $0.name == name }) {
      self = way
    } else if let recipient = Recipient(rawValue: name) {
      self = recipient.ownTransport
    } else {
      return nil
    }
  }
}

extension UplinkTransport {
  /// What the brokers let the board hear. They are asked again at each visit for what they refuse.
  public static let heard: [UplinkTransport] = [.receipts, .requests]

  /// Those that may fail at one time: the brokers, what is heard there, and each recipient.
  public static let mostFailing = 1 + heard.count + Recipient.allCases.count
}

extension Recipient {
  /// How it is reached.
  public var way: UplinkTransport { transport == .web ? .web(self) : .brokers }
  /// What fails with it alone.
  public var ownTransport: UplinkTransport { transport == .web ? .web(self) : .behindBrokers(self) }
}
