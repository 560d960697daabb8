import Core
import Places

/// The known places around the board, and when to query them again.
///
/// Landsmann 2013, section 4.5.2: a box that reaches 10 km in every direction, queried every 10
/// minutes; "she would need to go at 60 kilometres per hour" to miss anything. Equations 4.1 and
/// 4.2, which define the box, are damaged: `111 / kilometres` is inverted, and 4.2 multiplies where
/// it has to divide. The distance over the length of a degree there is meant. The box of a circle
/// is just that, and handles the poles and the antimeridian as well. His query went to a server;
/// this one goes to the board's own store, and is repeated when the board has gone half as far as
/// the places around are known, so that none is missed at any speed.
struct NearbyPlaces: Sendable {
  /// A place, and the distance to its edge.
  struct Nearest: Sendable {
    var region: PlaceRegion
    /// Positive inside and outside.
    var distance: Metres
    var isInside: Bool
  }

  private static let answerTime: Seconds = 10
  /// "Every 10 minutes", section 4.5.2.
  static let askAgainAfter: Seconds = 600

  private let reach: Metres
  private var targets: [PlaceTarget] = []
  /// Lower bounds of the distance from `measuredFrom` to the edge of each target.
  private var leastDistances: [Metres] = []
  private var measuredFrom: Coordinate?
  private var requested: BootInstant?
  /// How long to wait for the first answer.
  private var awaitedUntil: BootInstant?
  private var search: SphericalCap?
  /// Where all places are known.
  private var known: SphericalCap?

  /// - Parameter reach: the radius of the surroundings.
  init(reach: Metres) { self.reach = reach }

  /// Updates the board's position.
  mutating func located(at position: Coordinate, now: BootInstant) {
    guard position.latitude.magnitude <= 90, position.longitude.magnitude <= 180 else { return }
    let goesOn = known.map { $0.signedDistance(from: position) > $0.radius / -2 } ?? false
    if let requested, now - requested < (goesOn ? Self.answerTime : Self.askAgainAfter) { return }
    if requested == nil { awaitedUntil = now + Self.answerTime }
    requested = now
    search = SphericalCap(
      centre: position, radius: min(known.map { $0.radius * 2 } ?? reach, reach))
  }

  /// The surroundings to be queried now; nil: none.
  mutating func takeSearch() -> SphericalCap? {
    defer { search = nil }
    return search
  }

  /// Whether the first answer is still pending: too early to switch off.
  func isAwaited(at now: BootInstant) -> Bool { awaitedUntil.map { now < $0 } ?? false }

  /// - Parameter cap: where these are all the places; narrower than requested if there are too
  ///   many.
  mutating func found(_ targets: [PlaceTarget], within cap: SphericalCap) {
    known = cap
    awaitedUntil = nil
    self.targets = targets
    leastDistances = Array(repeating: 0, count: targets.count)
    measuredFrom = nil
  }

  /// The place whose edge is nearest; nil: there is none, or nothing can be measured.
  ///
  /// An edge comes nearer by at most the distance travelled, so only few of thousands are measured.
  mutating func nearest(to position: Coordinate) -> Nearest? {
    let way = measuredFrom.map { Sphere.distance($0, position) } ?? Metres(.infinity)
    guard position.latitude.magnitude <= 90, position.longitude.magnitude <= 180 else {
      return nil
    }
    measuredFrom = position
    var nearest: Nearest?
    for index in targets.indices {
      leastDistances[index] = way.isFinite ? max(leastDistances[index] - way, 0) : 0
      if let nearest, leastDistances[index] >= nearest.distance { continue }
      let region = targets[index].region
      let signed = region.signedDistance(from: position)
      guard signed.isFinite else { continue }
      leastDistances[index] = signed.magnitude
      if let nearest, signed.magnitude >= nearest.distance { continue }
      nearest = Nearest(region: region, distance: signed.magnitude, isInside: signed < 0)
    }
    return nearest
  }
}
