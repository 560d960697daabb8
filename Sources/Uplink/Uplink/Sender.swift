import Delivery
import Ports
import Core

/// Takes what waits in the outbox over one way to whom it is for: one visit, and after it another
/// when something new is there.
protocol Sender: AnyObject {
  var ways: [UplinkTransport] { get }
  /// What the loop watches for it.
  var ports: [any EventPort] { get }
  /// Whether no visit is under way.
  var isIdle: Bool { get }
  /// Over each way, since it was made.
  var traffic: [UplinkTransport: Traffic] { get }
  /// When it wants a turn by itself; nil: not.
  var wake: BootInstant? { get }
  /// There is something new, or it is time to look: begins a visit unless one is under way.
  ///
  /// - Parameter heedsHolds: whether ways are left alone that failed a short time ago.
  func visit(heedsHolds: Bool) throws(PortError)
  /// Takes what has come.
  func turn() throws(PortError)
  /// Ends a visit that is under way.
  func end() throws(PortError)
}
