import Core

/// How fast the board may go within minutes, after what it was seen to go.
public enum PossibleSpeed {
  /// No board is looked for faster.
  public static let most: MetresPerSecond = 90
  /// Nobody goes faster than this at once.
  private static let least: MetresPerSecond = 15
  /// How much faster than it was seen it may go on.
  private static let acceleration = 1.5

  public static func after(_ seen: MetresPerSecond?) -> MetresPerSecond {
    max((seen ?? 0) * acceleration, least)
  }
}
