/// The uplink's process, as the daemon reaches it.
public protocol UplinkCallPort: AnyObject {
  /// For messages: the path of its socket.
  var name: String { get }
  /// Says what is new. Never waits.
  func call(_ news: UplinkNews) throws(UplinkCallError)
}

public enum UplinkNews: UInt8, Sendable {
  case records = 0
  /// An uplink that stays connected is to read its settings again.
  case settings = 1
}

public struct UplinkCallError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
