/// The properties of a system that the plan of its files depends on.
public struct SystemFacts: Sendable {
  /// The content of etc/hosts; nil if there is none.
  public var hosts: String?
  /// Nil: the system has no time zone data.
  public var timeZones: Set<String>?
  /// The file names of NetworkManager's connections.
  public var connections: [String] = []
  /// The folder with godwit's example drop-ins, as a path of the system; nil: there is none.
  public var examples: String?

  public init() {}
}
