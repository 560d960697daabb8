import Core

/// The speed that the board may reach within minutes, from its last known speed.
enum PossibleSpeed {
  /// The highest speed assumed for the time of the next fix.
  static let most: MetresPerSecond = 90
  /// The speed that is always possible.
  private static let least: MetresPerSecond = 15
  /// The possible increase, as a factor.
  private static let acceleration = 1.5

  static func after(_ seen: MetresPerSecond?) -> MetresPerSecond {
    max((seen ?? 0) * acceleration, least)
  }
}
