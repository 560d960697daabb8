/// What has to be known of a system before its files are planned.
public struct SystemFacts: Sendable {
  /// The text of etc/hosts; nil when there is none.
  public var hosts: String?
  /// Nil: the system has no zones.
  public var timeZones: Set<String>?
  /// The names of the connections that NetworkManager keeps as files.
  public var connections: [String] = []
  /// The folder with the drop-ins that come with godwit, as the system sees it; nil: it has none.
  public var examples: String?

  public init() {}
}
