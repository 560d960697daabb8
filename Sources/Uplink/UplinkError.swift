/// Why the uplink cannot go on.
public struct UplinkError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
