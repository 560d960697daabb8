/// How full the board's battery is, as its fuel gauge says.
public struct BatteryReading: Hashable, Sendable {
  /// Of what a new battery holds, 0 to 1: a worn one that is full has less than 1.
  public let level: Double
  /// Whether something else supplies the board at present, whether it charges the battery or not.
  public let isSupplied: Bool

  /// - Parameter level: what lies outside 0 to 1 is taken for the nearer of the two; what is not a
  ///   number for an empty battery.
  public init(level: Double, isSupplied: Bool) {
    self.level = level.isNaN ? 0 : min(max(level, 0), 1)
    self.isSupplied = isSupplied
  }
}
