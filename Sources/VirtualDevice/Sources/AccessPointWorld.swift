/// How many access points there are around a virtual board, and how they behave.
public struct AccessPointWorld: Sendable {
  /// In each square of 60 m. 12 is a street of tenements, 2 a village.
  public var perSquare: Int
  /// The probability that a scan misses one that is in reach.
  public var misses: Double
  /// The share of them that is carried about.
  public var mobile: Double
  /// The probability that one changes places with another within a month.
  public var movesInMonth: Double

  public init(
    perSquare: Int = 12, misses: Double = 0.3, mobile: Double = 0.05, movesInMonth: Double = 0.02
  ) {
    self.perSquare = perSquare
    self.misses = misses
    self.mobile = mobile
    self.movesInMonth = movesInMonth
  }
}
