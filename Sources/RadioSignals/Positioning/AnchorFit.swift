import Core

/// A position from the access points that agree, and its accuracy.
struct AnchorFit {
  let centre: LocalPlane.Point
  /// The radius that contains the true position with 68 %.
  let radius: Metres

  /// Anchors beyond this many standard deviations count less (Huber's estimator).
  private static let huber = 1.5
  private static let rounds = 3

  init(_ anchors: [Anchor]) {
    var weights = anchors.map(\.weight)
    var centre = Self.mean(anchors, weights)
    for _ in 0..<Self.rounds {
      weights = anchors.map { anchor in
        let off = anchor.point.distance(to: centre).value * anchor.weight.squareRoot()
        return anchor.weight * min(1, Self.huber / max(off, 1e-9))
      }
      centre = Self.mean(anchors, weights)
    }
    self.centre = centre
    radius = Self.radius(anchors, centre)
  }

  private static func mean(_ anchors: [Anchor], _ weights: [Double]) -> LocalPlane.Point {
    var (east, north, sum) = (0.0, 0.0, 0.0)
    for (anchor, weight) in zip(anchors, weights) {
      east += weight * anchor.point.east.value
      north += weight * anchor.point.north.value
      sum += weight
    }
    return .init(east: Metres(east / sum), north: Metres(north / sum))
  }

  // Contributions to the radius, fitted to simulated neighbourhoods (docs/results/radio-map.md) so
  // that over many places the radius contains the true position in 68 %, each place counting once.
  // At one place the error is the same on all days: that of the fixes that were used for learning.
  private static let floor = 0.5
  private static let ofVariance = 0.34
  private static let ofResidual = 0.18
  private static let ofFewness = 4.0
  /// In decibels: smaller differences from the learnt strengths are noise. The board is then where
  /// it was when learning, and the position errors of the access points cancel out.
  private static let noise = 3.8
  /// Per square decibel beyond the noise, relative to the variance that the strengths leave.
  private static let ofChange = 0.02
  /// If a single fix was used for learning all of them, its error remains fully in the position.
  private static let ofSingleFix = 0.85

  private static func radius(_ anchors: [Anchor], _ centre: LocalPlane.Point) -> Metres {
    var (variance, change, residual, sum, fixes) = (0.0, 0.0, 0.0, 0.0, 1)
    for anchor in anchors {
      let off = anchor.point.distance(to: centre).value
      variance += anchor.weight * anchor.variance
      change += anchor.weight * anchor.change * anchor.change
      residual += anchor.weight * off * off
      sum += anchor.weight
      fixes = max(fixes, anchor.fixes)
    }
    let beyond = max(0, (change / sum).squareRoot() - noise)
    let here = floor * floor + ofVariance * variance / sum + ofResidual * residual / sum
    let square =
      here * (1 + ofFewness / Double(anchors.count)) + ofChange * beyond * beyond / sum
    return Metres((square * (1 + ofSingleFix / Double(fixes))).squareRoot())
  }
}
