/// A recipient of the board's records, and its format. Each is declared in the file of its format,
/// which `BrokerRecipients.all` or `WebProtocols.all` lists.
public struct Recipient: RawRepresentable, Hashable, CaseIterable, Sendable {
  public enum Transport: Sendable { case broker, web }

  /// How its messages are kept, sent and acknowledged.
  public struct Traits: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Its messages are OwnTracks', which a passphrase encrypts.
    public static let ownTracksMessages = Traits(rawValue: 1)
    /// Its messages are retained, and a later one replaces an earlier one: a broker keeps the
    /// newest where nobody has subscribed yet, and there is no backlog.
    public static let newestOnly = Traits(rawValue: 2)
    /// It acknowledges every record by its number, and gets those again that it lacks.
    public static let acknowledges = Traits(rawValue: 4)
    /// Its messages wait in the store, not in the outbox, and each has a person's topic.
    public static let waitsInStore = Traits(rawValue: 8)
  }

  /// Its name in the settings, the outbox and the status.
  public let rawValue: String
  public let transport: Transport
  public let traits: Traits

  init(_ name: String, over transport: Transport, _ traits: Traits = []) {
    rawValue = name
    self.transport = transport
    self.traits = traits
  }

  /// Nil: no recipient has this name.
  public init?(rawValue: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = known
  }

  /// In the order in which they are shown.
  public static let allCases =
    BrokerRecipients.all.map { $0.recipient } + WebProtocols.all.map { $0.recipient }

  public static func == (a: Recipient, b: Recipient) -> Bool { a.rawValue == b.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
