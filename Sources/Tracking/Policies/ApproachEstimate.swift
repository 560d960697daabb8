import Core
import Places
import Records

/// How long the board needs to the edge of a place: J. de Oliveira Dias 2011, section 4.6, "Power
/// Saving Mechanism", equation by equation.
///
/// Where the text is damaged or contradicts itself:
///
/// * There is no equation 6. It is 5 again, for the path from the new position to the target.
/// * Equation 7 is the difference of two numbers, so that 350° and 10° are 340° apart; directions
///   directions are never more than 180° apart, which is what is meant.
/// * Equations 8 and 9 give 0 to 100, equation 4 gives 0 to 1, and equation 1 adds both: here all
///   of them are 0 to 1.
/// * Equation 1 makes the margin the larger the more directly the board approaches. The prose says
///   "the less the margin of error will be", and has the weights at zero "to avoid long
///   reactivation timeouts", although in equation 10 a margin of zero gives the longest. Following
///   the prose, the margin would be 1 for a board that moves away, whose receiver would never be
///   off, while the mechanism is there to have it "work only when it is really needed". So the
///   equations are used: no time is longer than the path takes at the present speed, and it is
///   shorter for a board that approaches. Only the beginning follows the prose, as no equation
///   covers it: without a last position "the margin error is high", and the time is zero.
struct ApproachEstimate: Hashable, Sendable {
  /// A position with its moment.
  struct Sighting: Hashable, Sendable {
    var location: Location
    var at: BootInstant
  }

  /// A board at a standstill may start to walk: the text has no speed of 0.
  static let leastSpeed: MetresPerSecond = 1

  /// `DistanceW`, 0 to 1.
  let distanceWeight: Double
  /// `DirectionW`, 0 to 1.
  let directionWeight: Double
  /// `ME`, 0 to 1.
  let margin: Double
  /// `Estimated Time` without the margin: the path at the present speed.
  let unhurried: Seconds
  /// `Estimated Time`.
  var time: Seconds { unhurried * (1 - margin) }  // (10)

  /// - Parameters:
  ///   - new: NP, the new position.
  ///   - last: LP, the last known position; nil for the first location.
  ///   - region: around TP, with the edge of the target.
  init(from new: Sighting, after last: Sighting?, to region: PlaceRegion) {
    let position = new.location.position
    // (2) and (3), on the sphere and to the edge, as the radius "must be considered and
    // decremented"; from inside the edge is ahead, too.
    let newDistance = region.signedDistance(from: position)
    unhurried = newDistance.magnitude / Self.speed(new, after: last)
    guard let last else {
      (distanceWeight, directionWeight, margin) = (0, 0, 1)
      return
    }
    let lastDistance = region.signedDistance(from: last.location.position)
    distanceWeight = Self.distanceWeight(
      lastDistance: lastDistance.magnitude, newDistance: newDistance.magnitude)
    directionWeight = Self.directionWeight(
      from: last.location.position, to: new.location, target: region.box.middle,
      isInside: newDistance < 0)
    margin = Self.margin(distanceWeight: distanceWeight, directionWeight: directionWeight)
  }

  /// Equation 1.
  static func margin(distanceWeight: Double, directionWeight: Double) -> Double {
    distanceWeight * 0.7 + directionWeight * 0.3
  }

  /// Equation 4.
  static func distanceWeight(lastDistance: Metres, newDistance: Metres) -> Double {
    lastDistance > newDistance ? (lastDistance - newDistance) / lastDistance : 0
  }

  /// Equations 5 to 8. Two positions no farther apart than their error give no direction.
  /// - Parameters:
  ///   - last: LP.
  ///   - new: NP.
  ///   - target: TP.
  ///   - isInside: whether the edge lies ahead in the direction away from the target.
  static func directionWeight(
    from last: Coordinate, to new: Location, target: Coordinate, isInside: Bool = false
  ) -> Double {
    guard Sphere.distance(last, new.position) > new.accuracy else { return 0 }
    let course = Sphere.bearing(from: last, to: new.position)  // (5)
    let wanted =
      isInside
      ? Sphere.bearing(from: target, to: new.position)
      : Sphere.bearing(from: new.position, to: target)
    return 1 - weight(angleDifference(course, wanted))  // (8)
  }

  /// Equation 7.
  static func angleDifference(_ a: Degrees, _ b: Degrees) -> Degrees {
    Sphere.normalizedLongitude(a - b).magnitude
  }

  /// Equation 9, as 0 to 1.
  static func weight(_ angle: Degrees) -> Double { angle < 90 ? angle / 90 : 1 }

  /// "Easily obtained from the current GPS data"; for a receiver that does not report it, from the
  /// distance since the last position.
  private static func speed(_ new: Sighting, after last: Sighting?) -> MetresPerSecond {
    if let measured = new.location.speed, measured.isFinite { return max(measured, leastSpeed) }
    guard let last, new.at > last.at else { return leastSpeed }
    let way = Sphere.distance(last.location.position, new.location.position)
    return max(way / (new.at - last.at), leastSpeed)
  }
}
