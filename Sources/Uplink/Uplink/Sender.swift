import Delivery
import Ports
import Core

/// Sends what waits in the outbox over one transport to its recipients: one connection, and another
/// when there is something new.
protocol Sender: AnyObject {
  var transports: [UplinkTransport] { get }
  /// The ports for the loop to watch.
  var ports: [any EventPort] { get }
  /// Whether no connection is in use.
  var isIdle: Bool { get }
  /// Per transport, since its creation.
  var traffic: [UplinkTransport: Traffic] { get }
  /// When a step is due by itself; nil: none is.
  var wake: BootInstant? { get }
  /// Starts a connection unless one is in use; called when there is something new, or a check is
  /// due.
  ///
  /// - Parameter respectsBackOff: whether transports in back-off after a failure are skipped.
  func connect(respectsBackOff: Bool) throws(PortError)
  /// Handles what has arrived.
  func step() throws(PortError)
  /// Ends a connection in use.
  func end() throws(PortError)
}
