import Core

/// The rates that the energy budget affords at present.
public struct AffordableRates: Hashable, Sendable {
  /// Between two fix attempts while the board rests.
  public let restPause: Seconds
  /// The maximum error of the logged track while the board moves.
  public let trajectoryError: Metres
  /// The length of the interval in which an arrival is known to lie.
  public let bracket: Seconds
}
