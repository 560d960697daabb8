import Core

/// Combined position errors.
enum GroupError {
  static func deviation(of accuracy: Metres) -> Metres {
    CircularError(accuracy: accuracy).deviation
  }

  /// For independent errors.
  static func deviation(_ deviations: [Metres]) -> Metres {
    Metres(deviations.reduce(0) { $0 + $1.value * $1.value }.squareRoot())
  }
}
