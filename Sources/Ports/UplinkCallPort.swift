/// The uplink's process, as seen by the daemon.
public protocol UplinkCallPort: AnyObject {
  /// For messages: the path of its socket.
  var name: String { get }
  /// Sends an event. Never blocks.
  func notify(_ news: UplinkNotification) throws(PortError)
}

public enum UplinkNotification: UInt8, Sendable {
  case records = 0
  /// A connected uplink has to read its settings again.
  case settings = 1
}
