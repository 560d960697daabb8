import Core
import Records

/// How sure it is that a location is within a place.
///
/// The accuracy of a location is the radius that holds the true position with 68 %
/// (`Location.accuracy`). It is read as a normal distribution that is alike in all directions,
/// whose deviation in each is then the accuracy / 1.5096; the probability is that distribution's
/// over the perimeter. Nothing is presumed of how probable the place was before.
public struct Containment: Hashable, Sendable {
  public enum Verdict: Hashable, Sendable { case inside, outside, unknown }

  /// From here on it is inside, and from here on it is outside.
  public static let sureInside = 0.9
  public static let sureOutside = 0.95

  /// What `Location.accuracy` is.
  private static let coverage = 0.68

  /// 0...1
  public let probabilityInside: Double
  /// Of the measured position from the nearest edge: negative inside.
  public let signedDistance: Metres
  /// The radius that was used, 68 %.
  public let accuracy: Metres

  public var probabilityOutside: Double { 1 - probabilityInside }

  public var verdict: Verdict {
    if probabilityInside >= Self.sureInside { return .inside }
    return probabilityOutside >= Self.sureOutside ? .outside : .unknown
  }

  /// Nil for a location that tells nothing: its position or its accuracy is no number, or none that
  /// can be.
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
      CircularError(radius: accuracy, holding: Self.coverage), measuredAt: position,
      at: signedDistance)
  }
}
