import Core
import Records

/// Whether a visit was at a known destination: the probability of its distance, given how accurate
/// both are, against that of another place.
struct DestinationMatch: Sendable {
  /// How far the centres of visits to one place scatter in each direction, besides their errors.
  private let site: Metres
  /// The probability density of other places, per square metre: so that a visit that was located
  /// exactly belongs to destinations within the reach.
  private let elsewhere: Double
  /// No visit belongs to a destination farther away, however inaccurate it is.
  let farthest: Metres

  /// A smaller accuracy of a visit or destination counts as this one.
  private static let least: Metres = 5
  /// The share of the reach by which visits to one place scatter.
  private static let scatter = 0.25

  /// - Parameter reach: exactly located visits farther apart were at different destinations.
  init(reach: Metres) {
    site = reach * Self.scatter
    elsewhere = CircularError(deviation: site).density(at: reach)
    // The density at a distance d is highest for a deviation of d / √2: 1 / (π e d²).
    farthest = Metres((1 / (.pi * 2.718_281_828_459_045 * elsewhere)).squareRoot())
  }

  /// How likely the visit was at the destination, on a common scale for all of them; nil: another
  /// place is likelier.
  func likelihood(of visit: Visit, at destination: Destination, _ distance: Metres) -> Double? {
    guard distance <= farthest else { return nil }
    let radius = Self.norm(accuracy(of: visit), accuracy(of: destination))
    let error = CircularError(accuracy: radius).deviation
    let density = CircularError(deviation: Self.norm(error, site)).density(at: distance)
    return density >= elsewhere ? density * Double(max(1, destination.visits)) : nil
  }

  /// The visit, located by the other visits of its destination as well.
  func placed(_ visit: Visit, at destination: Destination) -> Visit {
    let plane = LocalPlane(origin: visit.position)
    let other = plane.point(destination.position)
    let spread = Self.norm(accuracy(of: destination), site)
    let (own, others) = (weight(accuracy(of: visit)), weight(spread))
    let share = others / (own + others)
    var visit = visit
    visit.position = plane.coordinate(
      LocalPlane.Point(east: other.east * share, north: other.north * share))
    visit.accuracy = Metres((1 / (own + others)).squareRoot())
    return visit
  }

  /// The destination with one more visit: the mean of all positions, weighted by accuracy, and
  /// their root mean square distance from it, at least what their accuracies suggest.
  func pooled(_ destination: Destination, with visit: Visit, dwell: Seconds) -> Destination {
    let plane = LocalPlane(origin: destination.position)
    let there = plane.point(visit.position)
    let radius = max(destination.radius, Self.least).value
    let known = Double(max(1, destination.visits)) / (radius * radius)
    let new = weight(accuracy(of: visit))
    let share = new / (known + new)
    let squared = there.east.value * there.east.value + there.north.value * there.north.value
    var result = destination
    result.position = plane.coordinate(
      LocalPlane.Point(east: there.east * share, north: there.north * share))
    // The weights add up to the number of visits divided by the squared radius. Each visit adds one
    // to the weighted squares, and more if it contradicts the others.
    let squares = Double(destination.visits) + max(1, known * share * squared)
    result.radius = Metres((squares / (known + new)).squareRoot())
    result.visits += 1
    result.totalDwell += dwell
    result.unobserved += visit.unobserved
    return result
  }

  private func accuracy(of visit: Visit) -> Metres { max(visit.accuracy, Self.least) }

  /// Of its position. It does not improve with the number of visits, whose errors are alike: the
  /// board comes the same way, and rests behind the same walls.
  private func accuracy(of destination: Destination) -> Metres {
    max(destination.radius, Self.least)
  }

  private func weight(_ accuracy: Metres) -> Double { 1 / (accuracy.value * accuracy.value) }

  private static func norm(_ a: Metres, _ b: Metres) -> Metres {
    Metres((a.value * a.value + b.value * b.value).squareRoot())
  }
}
