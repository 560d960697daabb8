import Core

/// The daemon, as the uplink's process asks it.
public protocol DaemonPort: AnyObject {
  /// - Returns: its answer, within seconds.
  func ask(_ request: JSONValue) throws(DaemonError) -> JSONValue
}

public struct DaemonError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
