import Core
import Records

/// What a location says of one circle.
///
/// Landsmann compares the measured distance alone with 20 m (2013, 4.5.3, program 4.2), so that an
/// error at the edge tells of a letter again and again, and a position with an error of 500 m of
/// letters that are 500 m away. Here the probability counts, and between coming and leaving there
/// is a margin.
struct LetterNearness {
  /// From here on it is near, and below that it is left.
  private static let sureInside = 0.5
  private static let stillInside = 0.05
  /// How many times its accuracy a location is away that leaves no doubt.
  private static let certain = 3.0
  /// How far beyond the edge nobody is near any more.
  private static let margin: Metres = 20
  /// What `Location.accuracy` holds.
  private static let coverage = 0.68

  private let location: Location

  /// Nil for a location that tells nothing.
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

  /// Whether who was near has gone. An error that is larger than the circle makes any position look
  /// like outside: that one has to be far from it, as with `PlacePresence`.
  func hasLeft(_ circle: LetterCircle) -> Bool {
    let wide = SphericalCap(
      centre: circle.centre, radius: circle.surroundings.radius + Self.margin)
    let distance = wide.signedDistance(from: location.position)
    if location.accuracy > wide.radius { return distance >= location.accuracy * Self.certain }
    return probability(of: wide) < Self.stillInside
  }

  /// Whether a letter there is delivered. A circle that is smaller than the error cannot be told
  /// from what is around it, and Landsmann's is enough then.
  func isAt(_ circle: LetterCircle) -> Bool {
    let radius = min(max(circle.radius, location.accuracy), circle.surroundings.radius)
    return probability(of: SphericalCap(centre: circle.centre, radius: radius))
      >= Self.sureInside
  }

  private func probability(of cap: SphericalCap) -> Double {
    CircularError(radius: location.accuracy, holding: Self.coverage)
      .probability(inside: cap, measuredAt: location.position)
  }
}
