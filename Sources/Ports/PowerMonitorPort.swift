import Records
import Core

/// Measures the current of the receiver's supply.
public protocol PowerMonitorPort: AnyObject {
  /// For messages: "ina226 at 1-0040 (hwmon3)".
  var name: String { get }
  /// What the monitor measures.
  var scope: PowerScope { get }
  /// The time between two converted values of the chip.
  var window: Seconds { get }
  /// The present current; or the last one again, marked as not new, if the chip cannot have
  /// converted another one yet. May be called again after an error: missing devices are searched
  /// for again.
  func read() throws(PortError) -> PowerReading
  /// Warnings about the readings, each returned once, such as a corrected shunt value.
  func takeWarnings() -> [String]
  /// All converted values of the chip, if its driver buffers them; nil otherwise.
  func trace() throws(PortError) -> (any PowerTrace)?
}

/// A stream of a monitor's values, each with its own time.
public protocol PowerTrace: AnyObject {
  /// The values since the last call; waits at most `time`, then the result is empty.
  func readings(within time: Seconds) throws(PortError) -> [PowerReading]
}

extension PowerMonitorPort {
  public func trace() throws(PortError) -> (any PowerTrace)? { nil }
  public var scope: PowerScope { .receiver }
  public var window: Seconds { 0 }
  public func takeWarnings() -> [String] { [] }
}

extension PowerMonitorPort {
  /// Why a reading cannot be the receiver's current; nil: it can. A battery's current may be
  /// negative because of charging.
  public func objection(to reading: PowerReading) -> String? {
    scope == .receiver && reading.isReversed ? objectionToReverse : nil
  }

  /// The same for all readings: why the energy is not valid.
  public func objection(to statistics: PowerStatistics) -> String? {
    scope == .receiver && statistics.isReversed ? objectionToReverse : nil
  }

  private var objectionToReverse: String {
    "\(name) measures a reverse current, which a receiver cannot supply: are VIN+ and VIN- "
      + "swapped?"
  }
}

/// The load behind a monitor.
public enum PowerScope: String, Sendable, CaseIterable {
  /// The supply of the receiver.
  case receiver
  /// The battery: everything that the board draws, so that the receiver's share is unknown.
  case board
}
