import Core

/// What an energy budget buys at present.
public struct AffordableRates: Hashable, Sendable {
  /// From one look at a board that rests to the next.
  public let restPause: Seconds
  /// How far the logged track may be from the true one while the board is under way.
  public let trajectoryError: Metres
  /// Within which arrivals are bracketed.
  public let bracket: Seconds
}
