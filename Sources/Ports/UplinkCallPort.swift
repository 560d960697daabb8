/// The uplink's process, as the daemon reaches it.
public protocol UplinkCallPort: AnyObject {
  /// For messages: the path of its socket.
  var name: String { get }
  /// Says what is new. Never waits.
  func call(_ news: UplinkNews) throws(PortError)
}

public enum UplinkNews: UInt8, Sendable {
  case records = 0
  /// An uplink that stays connected is to read its settings again.
  case settings = 1
}
