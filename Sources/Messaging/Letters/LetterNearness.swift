import Core
import Records

/// Relates a location to one circle.
///
/// Landsmann compares the measured distance alone with 20 m (2013, 4.5.3, program 4.2), so an error
/// at the edge reports a letter again and again, and a position with an error of 500 m reports
/// letters 500 m away. Here the probability decides, with hysteresis between arriving and leaving.
struct LetterNearness {
  /// The probability from which a letter is near, and below which it was left.
  private static let sureInside = 0.5
  private static let stillInside = 0.05
  /// The distance, in multiples of the accuracy, at which a location is surely outside.
  private static let certain = 3.0
  /// The margin beyond the edge for leaving.
  private static let margin: Metres = 20

  private let location: Location

  /// Nil for an invalid location.
  init?(_ location: Location) {
    let position = location.position
    guard location.accuracy >= 0, location.accuracy.isFinite,
      position.latitude.magnitude <= 90, position.longitude.magnitude <= 180
    else { return nil }
    self.location = location
  }

  /// Whether a letter there is near.
  func isNear(_ circle: LetterCircle) -> Bool {
    probability(of: circle.surroundings) >= Self.sureInside
  }

  /// Whether the board has left a circle it was near. If the error is larger than the circle, any
  /// position looks like outside; then it has to be far away, as with `PlacePresence`.
  func hasLeft(_ circle: LetterCircle) -> Bool {
    let wide = SphericalCap(
      centre: circle.centre, radius: circle.surroundings.radius + Self.margin)
    let distance = wide.signedDistance(from: location.position)
    if location.accuracy > wide.radius { return distance >= location.accuracy * Self.certain }
    return probability(of: wide) < Self.stillInside
  }

  /// Whether a letter there is delivered. A circle smaller than the error cannot be distinguished
  /// from its surroundings; then up to Landsmann's circle is enough.
  func isAt(_ circle: LetterCircle) -> Bool {
    let radius = min(max(circle.radius, location.accuracy), circle.surroundings.radius)
    return probability(of: SphericalCap(centre: circle.centre, radius: radius))
      >= Self.sureInside
  }

  private func probability(of cap: SphericalCap) -> Double {
    CircularError(accuracy: location.accuracy)
      .probability(inside: cap, measuredAt: location.position)
  }
}
