import Core

/// The daemon, as seen by the uplink's process.
public protocol DaemonPort: AnyObject {
  /// - Returns: the daemon's answer, within seconds.
  func query(_ request: JSONValue) throws(PortError) -> JSONValue
}
