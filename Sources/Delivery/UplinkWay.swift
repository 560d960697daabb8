/// What fails by itself: a connection of its own, or a recipient that gets nothing over one that
/// others share.
public enum UplinkWay: Hashable, Sendable {
  /// The list of brokers, as one: what fails there fails for everybody behind it.
  case brokers
  /// A recipient behind the brokers, from whom they take nothing while they take from others.
  case behindBrokers(Recipient)
  /// A receiver of web requests.
  case web(Recipient)

  /// As the outbox and the status write it: "mqtt", "owntracks", "osmand".
  public var name: String {
    switch self {
    case .brokers: "mqtt"
    case .behindBrokers(let recipient), .web(let recipient): recipient.rawValue
    }
  }

  public init?(name: String) {
    if name == Self.brokers.name {
      self = .brokers
    } else if let recipient = Recipient(rawValue: name) {
      self = recipient.ownWay
    } else {
      return nil
    }
  }
}

extension Recipient {
  /// How it is reached.
  public var way: UplinkWay { carrier == .web ? .web(self) : .brokers }
  /// What fails with it alone.
  public var ownWay: UplinkWay { carrier == .web ? .web(self) : .behindBrokers(self) }
}
