import Core

/// Errors of positions, put together.
enum GroupError {
  /// What an accuracy is: the radius that holds the true position with 68 %.
  private static let coverage = 0.68

  static func deviation(of accuracy: Metres) -> Metres {
    CircularError(radius: accuracy, holding: coverage).deviation
  }

  /// Of errors that know nothing of each other.
  static func deviation(_ deviations: [Metres]) -> Metres {
    Metres(deviations.reduce(0) { $0 + $1.value * $1.value }.squareRoot())
  }
}
