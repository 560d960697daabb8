import Energy
import PowerControl
import Quantities

/// The lines between the board and the receiver. It only sets them: in which order is
/// `PowerLineOrder`'s matter, and with which pauses `PowerSequencer`'s.
public protocol PowerSwitchPort: AnyObject {
  /// For messages: "GPIO line GNSS_EN", "virtual switch".
  var name: String { get }
  /// The lines that are wired.
  var lines: Set<PowerLine> { get }
  /// Sets a wired line; when it returns, the line has its level. May be called again after an
  /// error: what was missing is looked for anew.
  func set(_ line: PowerLine, active: Bool) throws(PowerSwitchError)
  /// Takes the lines in the state that the settings want at the start. Without it the first `set`
  /// does; may be called again after an error.
  func hold() throws(PowerSwitchError)
  /// Leaves the lines in the state that the settings want at exit, and gives them back. Idempotent.
  func close() throws(PowerSwitchError)
}

extension PowerSwitchPort {
  /// Switches in memory hold nothing that must be taken and given back.
  public func hold() throws(PowerSwitchError) {}
  public func close() throws(PowerSwitchError) {}
}

public struct PowerSwitchError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}

/// What measures the current of the receiver's supply.
public protocol PowerMonitorPort: AnyObject {
  /// For messages: "ina226 at 1-0040 (hwmon3)".
  var name: String { get }
  /// Whose current it is.
  var scope: PowerScope { get }
  /// From one value that the chip has converted to the next.
  var window: Seconds { get }
  /// The present current, or the last one again, marked as not new, when the chip cannot have
  /// converted another one yet. May be called again after an error: what was missing is looked for
  /// anew.
  func read() throws(PowerMonitorError) -> PowerReading
  /// What people should know about the readings, each said once: a shunt that had to be corrected.
  func takeRemarks() -> [String]
  /// Every value that the chip converts, where its driver keeps them; nil where it does not.
  func trace() throws(PowerMonitorError) -> (any PowerTrace)?
}

/// A monitor's values as they come, each with its own time.
public protocol PowerTrace: AnyObject {
  /// What has come since the last call; waits for it no longer than `time`, then it is empty.
  func readings(within time: Seconds) throws(PowerMonitorError) -> [PowerReading]
}

extension PowerMonitorPort {
  public func trace() throws(PowerMonitorError) -> (any PowerTrace)? { nil }
  public var scope: PowerScope { .receiver }
  public var window: Seconds { 0 }
  public func takeRemarks() -> [String] { [] }
}

/// What a monitor sits in front of.
public enum PowerScope: String, Sendable, CaseIterable {
  /// The supply of the receiver.
  case receiver
  /// The battery: everything that the board draws, so that nothing in it is the receiver's alone.
  case board
}

public struct PowerMonitorError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
