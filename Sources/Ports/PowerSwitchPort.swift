import GNSS

/// The lines between the board and the receiver. It only sets them: in which order is
/// `PowerLineOrder`'s matter, and with which pauses `PowerSequencer`'s.
public protocol PowerSwitchPort: AnyObject {
  /// For messages: "GPIO line GNSS_EN", "virtual switch".
  var name: String { get }
  /// The lines that are wired.
  var lines: Set<PowerLine> { get }
  /// Whether a line is active, as it was found or set last; nil while that is not known.
  func isActive(_ line: PowerLine) -> Bool?
  /// Sets a wired line; when it returns, the line has its level. May be called again after an
  /// error: what was missing is looked for anew.
  func set(_ line: PowerLine, active: Bool) throws(PortError)
  /// Takes the lines in the state that the settings want at the start. Without it the first `set`
  /// does; may be called again after an error.
  func hold() throws(PortError)
  /// Leaves the lines in the state that the settings want at exit, and gives them back. Idempotent.
  func close() throws(PortError)
}

extension PowerSwitchPort {
  /// Switches in memory hold nothing that must be taken and given back.
  public func isActive(_ line: PowerLine) -> Bool? { nil }
  public func hold() throws(PortError) {}
  public func close() throws(PortError) {}
}
