/// The number and behaviour of access points around a virtual board.
public struct AccessPointWorld: Sendable {
  /// In each square of 60 m. 12 is a street of apartment houses, 2 a village.
  var perSquare: Int
  /// The probability that a scan misses an access point in range.
  var misses: Double
  /// The share of mobile access points.
  var mobile: Double
  /// The probability that one exchanges its place with another within a month.
  var movesInMonth: Double

  public init(
    perSquare: Int = 12, misses: Double = 0.3, mobile: Double = 0.05, movesInMonth: Double = 0.02
  ) {
    self.perSquare = perSquare
    self.misses = misses
    self.mobile = mobile
    self.movesInMonth = movesInMonth
  }
}
