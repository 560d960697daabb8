import GNSS

/// The lines between the board and the receiver. It only sets them: `PowerLineOrder` decides about
/// their order, and `PowerSequencer` about the pauses.
public protocol PowerSwitchPort: AnyObject {
  /// For messages: "GPIO line GNSS_EN", "virtual switch".
  var name: String { get }
  /// The lines that are wired.
  var lines: Set<PowerLine> { get }
  /// Whether a line is active, as last read or set; nil while unknown.
  func isActive(_ line: PowerLine) -> Bool?
  /// Sets a wired line; when it returns, the line has its level. May be called again after an
  /// error: missing devices are searched for again.
  func set(_ line: PowerLine, active: Bool) throws(PortError)
  /// Requests the lines in their configured start state. Otherwise the first `set` does; may be
  /// called again after an error.
  func acquire() throws(PortError)
  /// Sets the lines to their configured exit state, and releases them. Idempotent.
  func close() throws(PortError)
}

extension PowerSwitchPort {
  /// Virtual switches have nothing to request or release.
  public func isActive(_ line: PowerLine) -> Bool? { nil }
  public func acquire() throws(PortError) {}
  public func close() throws(PortError) {}
}
