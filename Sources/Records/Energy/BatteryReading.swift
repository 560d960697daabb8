/// The battery's charge level, as reported by its fuel gauge.
public struct BatteryReading: Hashable, Sendable {
  /// Relative to a new battery's capacity, 0 to 1: a worn, full battery has less than 1.
  public let level: Double
  /// Whether the board has an external supply at present, charging or not.
  public let isSupplied: Bool

  /// - Parameter level: limited to 0...1; NaN counts as an empty battery.
  public init(level: Double, isSupplied: Bool) {
    self.level = level.isNaN ? 0 : min(max(level, 0), 1)
    self.isSupplied = isSupplied
  }
}
