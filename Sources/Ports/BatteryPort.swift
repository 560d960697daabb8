import Records

/// A fuel gauge: what tells how full the board's battery is.
public protocol BatteryPort: AnyObject {
  /// For messages: "battery BAT0".
  var name: String { get }
  /// May be called again after an error: what was missing is looked for anew.
  func read() throws(PortError) -> BatteryReading
}
