import Records
import Core

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
  func read() throws(PortError) -> PowerReading
  /// What people should know about the readings, each said once: a shunt that had to be corrected.
  func takeWarnings() -> [String]
  /// Every value that the chip converts, where its driver keeps them; nil where it does not.
  func trace() throws(PortError) -> (any PowerTrace)?
}

/// A monitor's values as they come, each with its own time.
public protocol PowerTrace: AnyObject {
  /// What has come since the last call; waits for it no longer than `time`, then it is empty.
  func readings(within time: Seconds) throws(PortError) -> [PowerReading]
}

extension PowerMonitorPort {
  public func trace() throws(PortError) -> (any PowerTrace)? { nil }
  public var scope: PowerScope { .receiver }
  public var window: Seconds { 0 }
  public func takeWarnings() -> [String] { [] }
}

extension PowerMonitorPort {
  /// Why a reading is not the receiver's current; nil: it can be. A battery is charged, too.
  public func objection(to reading: PowerReading) -> String? {
    scope == .receiver && reading.isReversed ? objectionToReverse : nil
  }

  /// The same of all that was read: why it is no energy.
  public func objection(to statistics: PowerStatistics) -> String? {
    scope == .receiver && statistics.isReversed ? objectionToReverse : nil
  }

  private var objectionToReverse: String {
    "\(name) measures a current that flows back, which no receiver gives: are VIN+ and VIN- "
      + "exchanged?"
  }
}

/// What a monitor sits in front of.
public enum PowerScope: String, Sendable, CaseIterable {
  /// The supply of the receiver.
  case receiver
  /// The battery: everything that the board draws, so that nothing in it is the receiver's alone.
  case board
}
