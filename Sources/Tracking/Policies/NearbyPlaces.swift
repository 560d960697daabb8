import Core
import Places

/// The places around the board, as far as they are known, and when to ask for them again.
///
/// Landsmann 2013, section 4.5.2: a box that reaches 10 km in every direction, asked for every 10
/// minutes; "she would need to go at 60 kilometres per hour" to miss anything. Equations 4.1 and
/// 4.2, which make the box, are damaged: `111 / kilometres` is upside down, and 4.2 multiplies by
/// what it has to divide by. What they mean is the distance over the length of a degree there. The
/// box of a circle is just that, and knows the poles and the antimeridian as well. His question
/// went to a server; here it goes to the board's own store, and is asked again as well when the
/// board has gone half as far as the places around are known, so that no speed misses any.
struct NearbyPlaces: Sendable {
  /// A place, and how far its edge is.
  struct Nearest: Sendable {
    var region: PlaceRegion
    /// From inside as from outside.
    var distance: Metres
    var isInside: Bool
  }

  private static let answerTime: Seconds = 10
  /// "Every 10 minutes", section 4.5.2.
  static let askAgainAfter: Seconds = 600

  private let reach: Metres
  private var targets: [PlaceTarget] = []
  /// To the edge of each target, at least, from `measuredFrom`.
  private var leastDistances: [Metres] = []
  private var measuredFrom: Coordinate?
  private var asked: BootInstant?
  /// How long the first answer is waited for.
  private var awaitedUntil: BootInstant?
  private var search: SphericalCap?
  /// Where all are known.
  private var known: SphericalCap?

  /// - Parameter reach: how far the surroundings go in every direction.
  init(reach: Metres) { self.reach = reach }

  /// The board is there.
  mutating func located(at position: Coordinate, now: BootInstant) {
    guard position.latitude.magnitude <= 90, position.longitude.magnitude <= 180 else { return }
    let goesOn = known.map { $0.signedDistance(from: position) > $0.radius / -2 } ?? false
    if let asked, now - asked < (goesOn ? Self.answerTime : Self.askAgainAfter) { return }
    if asked == nil { awaitedUntil = now + Self.answerTime }
    asked = now
    search = SphericalCap(
      centre: position, radius: min(known.map { $0.radius * 2 } ?? reach, reach))
  }

  /// The surroundings that are to be asked for now; nil: none.
  mutating func takeSearch() -> SphericalCap? {
    defer { search = nil }
    return search
  }

  /// Whether nobody has told any yet who may still do so: too early to go off.
  func isAwaited(at now: BootInstant) -> Bool { awaitedUntil.map { now < $0 } ?? false }

  /// - Parameter cap: where these are all; narrower than what was asked for where that has too
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
  /// No edge comes nearer than the board has gone, so that of thousands only few are measured.
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
