/// The uplink's process, as the daemon reaches it.
public protocol UplinkCallPort: AnyObject {
  /// For messages: the path of its socket.
  var name: String { get }
  /// Says that something is new. Never waits.
  func call() throws(UplinkCallError)
}

public struct UplinkCallError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
