import Core
import Records

/// The probability that a location is within a place.
///
/// The accuracy of a location is the radius that contains the true position with 68 %
/// (`Location.accuracy`). The error is assumed to be a circular normal distribution, with a
/// standard deviation per axis of the accuracy / 1.5096; the probability is its integral over the
/// perimeter. No prior probability of the place is assumed.
public struct Containment: Hashable, Sendable {
  enum Verdict: Hashable, Sendable { case inside, outside, unknown }

  /// The thresholds for inside and outside.
  static let sureInside = 0.9
  static let sureOutside = 0.95

  /// 0...1
  public let probabilityInside: Double
  /// The distance from the measured position to the nearest edge: negative inside.
  public let signedDistance: Metres
  /// The radius that was used, 68 %.
  let accuracy: Metres

  var probabilityOutside: Double { 1 - probabilityInside }

  var verdict: Verdict {
    if probabilityInside >= Self.sureInside { return .inside }
    return probabilityOutside >= Self.sureOutside ? .outside : .unknown
  }

  /// Nil for an unusable location: its position or accuracy is not a number or out of range.
  /// - Parameter accuracy: a more cautious one than the location's own; nil: its own.
  public init?(of location: Location, in region: PlaceRegion, accuracy: Metres? = nil) {
    let accuracy = accuracy ?? location.accuracy
    let position = location.position
    guard accuracy >= 0, accuracy.isFinite, position.latitude.magnitude <= 90,
      position.longitude.magnitude <= 180
    else { return nil }
    self.accuracy = accuracy
    signedDistance = region.signedDistance(from: position)
    probabilityInside = region.probabilityInside(
      CircularError(accuracy: accuracy), measuredAt: position,
      at: signedDistance)
  }
}
