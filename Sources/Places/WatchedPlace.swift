import Geodesy
import Quantities
import Records

/// A place whose presence is watched, and how far away its edge is at least.
struct WatchedPlace: Sendable {
  /// Beyond this no location of an ordinary error could be inside.
  private static let far: Metres = 2000
  /// How many times its accuracy a location may be wrong.
  private static let errors = 5.0

  let place: Place
  /// Of the device that the place goes with, from one report to the next.
  private(set) var speed: MetresPerSecond = 0
  /// Nil as long as nobody knows where its device is.
  private(set) var region: PlaceRegion?
  private(set) var presence: PlacePresence?
  /// From the last location to the edge, at least; nil: it was not measured.
  private var leastDistance: Metres?
  private var isExact = false

  /// - Parameters:
  ///   - device: where the device is that it goes with.
  ///   - state: as far as it is known.
  init(
    _ place: Place, device: Coordinate?, speed: MetresPerSecond = 0,
    state: PlacePresence.State = .unknown
  ) {
    self.place = place
    self.speed = speed
    guard let region = place.region(devicePosition: device) else { return }
    self.region = region
    presence = PlacePresence(region, isFixed: !place.isFollowing, state: state)
  }

  var candidate: PlaceReach.Candidate? {
    region.map { PlaceReach.Candidate($0, speed: speed) }
  }

  /// Its device has moved.
  mutating func moved(to position: Coordinate, at speed: MetresPerSecond) {
    guard let region = place.region(devicePosition: position) else { return }
    self.region = region
    self.speed = speed
    leastDistance = nil
    if presence == nil {
      presence = PlacePresence(region, isFixed: false)
    } else {
      presence?.moved(to: region)
    }
  }

  /// The board is so far from where it was.
  mutating func passed(_ way: Metres) {
    leastDistance = leastDistance.map { $0 - way }
    isExact = false
  }

  /// - Precondition: `passed` has been told the way to this location.
  mutating func located(_ location: Location, at now: BootInstant) -> PresenceChange? {
    if presence?.state == .outside, let leastDistance,
      leastDistance > max(Self.far, location.accuracy * Self.errors)
    {
      presence?.remainedOutside(location, at: now)
      return nil
    }
    measure(from: location)
    return presence?.step(.located(location), at: now)
  }

  mutating func heard(_ event: PresenceEvent, at now: BootInstant) {
    _ = presence?.step(event, at: now)
  }

  /// From the location to the edge, from inside as from outside; infinite where nobody knows.
  mutating func distance(from location: Location) -> Metres {
    measure(from: location)
    return leastDistance ?? Metres(.infinity)
  }

  /// What `distance` is at least, without measuring it.
  var distanceAtLeast: Metres { leastDistance ?? (region == nil ? Metres(.infinity) : 0) }

  private mutating func measure(from location: Location) {
    guard !isExact, let region else { return }
    leastDistance = region.signedDistance(from: location.position).magnitude
    isExact = true
  }
}

extension Place {
  var isFollowing: Bool { if case .following = details.location { true } else { false } }
}
