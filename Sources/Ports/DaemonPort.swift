import Core

/// The daemon, as the uplink's process asks it.
public protocol DaemonPort: AnyObject {
  /// - Returns: its answer, within seconds.
  func ask(_ request: JSONValue) throws(PortError) -> JSONValue
}
