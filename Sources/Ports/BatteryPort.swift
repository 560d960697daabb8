import Records

/// A fuel gauge: what tells how full the board's battery is.
public protocol BatteryPort: AnyObject {
  /// For messages: "battery BAT0".
  var name: String { get }
  /// May be called again after an error: what was missing is looked for anew.
  func read() throws(BatteryError) -> BatteryReading
}

public struct BatteryError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
