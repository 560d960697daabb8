/// A connection of its own: what fails there fails for everybody behind it, and for nobody else.
public enum UplinkWay: Hashable, Sendable {
  /// The list of brokers, as one.
  case brokers
  /// A receiver of web requests.
  case web(Recipient)

  /// As the outbox and the status write it: "mqtt", "osmand".
  public var name: String {
    switch self {
    case .brokers: "mqtt"
    case .web(let recipient): recipient.rawValue
    }
  }

  public init?(name: String) {
    if name == Self.brokers.name {
      self = .brokers
    } else if let recipient = Recipient(rawValue: name), recipient.carrier == .web {
      self = .web(recipient)
    } else {
      return nil
    }
  }
}

extension Recipient {
  /// How it is reached.
  public var way: UplinkWay { carrier == .web ? .web(self) : .brokers }
}
