/// A unit of failure: a separate connection, or a recipient that fails on a shared one.
public enum UplinkTransport: Hashable, Sendable {
  /// The list of brokers, as one: its failure affects all recipients behind it.
  case brokers
  /// A recipient behind the brokers whose messages they refuse while they accept others.
  case behindBrokers(Recipient)
  /// A receiver of web requests.
  case web(Recipient)
  /// A collector's receipts, through the brokers.
  case receipts
  /// Other messages to the board, through the brokers.
  case requests

  /// As in the outbox and the status: "mqtt", "owntracks", "osmand", "receipts".
  public var name: String {
    switch self {
    case .brokers: "mqtt"
    case .receipts: "receipts"
    case .requests: "requests"
    case .behindBrokers(let recipient), .web(let recipient): recipient.rawValue
    }
  }

  public init?(name: String) {
    if let way = ([.brokers] + Self.subscriptions).first(where: { $0.name == name }) {
      self = way
    } else if let recipient = Recipient(rawValue: name) {
      self = recipient.ownTransport
    } else {
      return nil
    }
  }
}

extension UplinkTransport {
  /// What the board subscribes to. Refused subscriptions are tried again at each connection.
  public static let subscriptions: [UplinkTransport] = [.receipts, .requests]

  /// Those that may fail at the same time: the brokers, the subscriptions, and each recipient.
  static let mostFailing = 1 + subscriptions.count + Recipient.allCases.count
}

extension Recipient {
  /// The transport used for it.
  public var route: UplinkTransport { transport == .web ? .web(self) : .brokers }
  /// The transport that fails with it alone.
  public var ownTransport: UplinkTransport { transport == .web ? .web(self) : .behindBrokers(self) }
}
