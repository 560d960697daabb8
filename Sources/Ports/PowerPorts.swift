import Energy
import Quantities
import Tracking

/// What turns the receiver on and off.
public protocol PowerSwitchPort: AnyObject {
  /// For messages: "GPIO line GNSS_EN on gpiochip0", "virtual switch".
  var name: String { get }
  func set(_ state: PowerState) throws(PowerSwitchError)
}

public struct PowerSwitchError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}

/// What measures the current of the receiver's supply.
public protocol PowerMonitorPort: AnyObject {
  /// For messages: "ina226 at i2c-1/0x40".
  var name: String { get }
  func read() throws(PowerMonitorError) -> PowerReading
}

public struct PowerMonitorError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
