import Records

/// A fuel gauge, which measures the battery's charge level.
public protocol BatteryPort: AnyObject {
  /// For messages: "battery BAT0".
  var name: String { get }
  /// May be called again after an error: missing devices are searched for again.
  func read() throws(PortError) -> BatteryReading
}
