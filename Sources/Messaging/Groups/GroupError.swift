import Core

/// Combined position errors.
enum GroupError {
  /// An accuracy is the radius that contains the true position with 68 %.
  private static let coverage = 0.68

  static func deviation(of accuracy: Metres) -> Metres {
    CircularError(radius: accuracy, holding: coverage).deviation
  }

  /// For independent errors.
  static func deviation(_ deviations: [Metres]) -> Metres {
    Metres(deviations.reduce(0) { $0 + $1.value * $1.value }.squareRoot())
  }
}
