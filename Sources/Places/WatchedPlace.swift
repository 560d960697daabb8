import Core
import Records

/// A place whose presence is watched, and how far away its edge is at least.
struct WatchedPlace: Sendable {
  /// Beyond this no location of an ordinary error could be inside.
  private static let far: Metres = 2000
  /// How many times its accuracy a location may be wrong.
  private static let errors = 5.0

  private static let never = UTCInstant(nanoseconds: .max)

  /// Without the corners of a perimeter that stays where it is.
  private(set) var place: Place
  /// Of the perimeter as it was drawn, in this run.
  private var drawing: Int
  private var opening: PlaceOpening
  /// Whether it is there at present; nil: nobody has looked.
  private var wasOpen: Bool?
  /// As long as the date is within, that does not change.
  private var openingHolds: Range<UTCInstant>?
  /// How far beyond the place's edge it reaches.
  let margin: Metres
  /// What those expect of a location who want to be told; nil: nobody is looked for because of it.
  private(set) var wanted: Metres?
  /// Of the device that the place goes with: its speed from one report to the next, and when the
  /// last one came.
  private var device: (speed: MetresPerSecond, at: BootInstant)?
  /// Where the device was when the place was moved there, and when that was.
  private var placed: (position: Coordinate, at: BootInstant)?
  /// Where the device is, as long as the place is not moved there.
  private var ahead: DeviceReports.Report?
  /// Nil as long as nobody knows where its device is.
  private(set) var region: PlaceRegion?
  private(set) var presence: PlacePresence?
  /// From the last location to the edge, at least; nil: it was not measured.
  private var leastDistance: Metres?
  private var isExact = false

  /// - Parameters:
  ///   - opening: when it is there.
  ///   - margin: how far beyond its edge it is watched.
  ///   - device: what is known of the device that it goes with.
  ///   - state: as far as it is known.
  ///   - other: of the same place.
  init(
    _ place: Place, _ opening: PlaceOpening, margin: Metres, device: DeviceReports.Report?,
    state: PlacePresence.State, sharing other: WatchedPlace? = nil
  ) {
    drawing = place.perimeter.hashValue
    self.place = Self.kept(place)
    self.opening = opening
    self.margin = margin
    self.device = device.map { ($0.speed, $0.at) }
    placed = device.map { ($0.position, $0.at) }
    let shared = place.isFollowing ? nil : other?.region?.polygons(margin: margin)
    guard
      let region = shared ?? place.region(devicePosition: device?.position, margin: margin)
    else { return }
    self.region = region
    presence = PlacePresence(region, isFixed: !place.isFollowing, state: state)
  }

  /// The board has been where the place is not.
  mutating func cameInSight(at now: BootInstant) {
    presence = region.map { PlacePresence($0, state: .outside, told: now) }
  }

  /// What moves with a device is drawn anew.
  private static func kept(_ place: Place) -> Place {
    place.isFollowing ? place : place.undrawn()
  }

  var zone: PlaceZone { PlaceZone(place.id, margin: margin) }

  /// Whether a location that GNSS has not measured speaks against what is known of it, for which
  /// somebody has to look.
  func isDoubted(by location: Location) -> Bool {
    location.source != .gnss && presence?.isInDoubt ?? false
  }

  var state: PlacePresence.State { presence?.state ?? .unknown }

  func candidate(at now: BootInstant) -> PlaceReach.Candidate? {
    region.map { PlaceReach.Candidate($0, speed: speed(at: now), accuracy: wanted) }
  }

  /// Of the place itself, as far as it is news.
  func speed(at now: BootInstant) -> MetresPerSecond {
    guard let device, now - device.at <= FollowedDevice.news else { return 0 }
    return device.speed
  }

  /// Somebody has changed what is said of it, but not where it is: what was found out stays.
  ///
  /// - Returns: false where it is elsewhere now.
  mutating func edited(_ place: Place, _ opening: PlaceOpening) -> Bool {
    guard place.location == self.place.location, place.perimeter.hashValue == drawing else {
      return false
    }
    self.place = Self.kept(place)
    if opening != self.opening {
      self.opening = opening
      openingHolds = nil
    }
    return true
  }

  // MARK: When it is there

  var isOpen: Bool { wasOpen ?? true }

  /// Whether the board is looked for because of it, now.
  var isWanted: Bool { wanted != nil && isOpen }

  /// Nil: it is open, or never will be.
  var opensNext: UTCInstant? {
    guard !isOpen, let end = openingHolds?.upperBound, end < Self.never else { return nil }
    return end
  }

  /// Who is at a place that opens comes to it then; one that closes is not left, it is gone.
  /// - Parameters:
  ///   - date: nil: it is not known, and the place is taken to be there.
  ///   - restingSince: since when the board rests; nil: it is not known to.
  /// - Returns: whether it has opened.
  mutating func keepTime(
    _ date: UTCInstant?, restingSince: BootInstant?, at now: BootInstant
  ) -> Bool {
    let isOpen = date.map { isOpenNow(at: $0) } ?? true
    defer { wasOpen = isOpen }
    guard isOpen != self.isOpen else { return false }
    presence = region.map {
      PlacePresence($0, isFixed: !place.isFollowing, state: .outside, told: now)
    }
    if let restingSince { heard(.resting(since: restingSince), at: now) }
    return isOpen
  }

  private mutating func isOpenNow(at date: UTCInstant) -> Bool {
    if let wasOpen, let openingHolds, openingHolds.contains(date) { return wasOpen }
    let end = opening.nextChange(after: date) ?? Self.never
    openingHolds = date < end ? date..<end : nil
    return opening.isOpen(at: date)
  }

  /// Others want to be told of it.
  mutating func want(_ interests: [PlaceInterest]) {
    wanted = interests.filter {
      $0.isLookedFor && $0.margin == margin && $0.places.contains(place)
    }
    .map { $0.accuracy ?? Metres(.infinity) }.min()
  }

  /// Nobody has heard of the device that it goes with for so long that it may be anywhere.
  mutating func forgetVanished(at now: BootInstant) {
    guard case .following(let followed) = place.location, let device else { return }
    guard now - device.at > followed.patience else { return }
    self.device = nil
    placed = nil
    region = nil
    presence = nil
    leastDistance = nil
  }

  // MARK: The device that it goes with

  /// Its device has told where it is: the place is moved there as often as it is to be.
  mutating func moved(_ report: DeviceReports.Report) {
    device = (report.speed, report.at)
    ahead = report
    follow(at: report.at)
  }

  /// What its device has told is due.
  mutating func follow(at now: BootInstant) {
    guard let ahead, isDue(ahead, at: now),
      let region = place.region(devicePosition: ahead.position, margin: margin)
    else { return }
    self.ahead = nil
    placed = (ahead.position, now)
    self.region = region
    leastDistance = nil
    isExact = false
    if presence == nil {
      presence = PlacePresence(region, isFixed: false)
    } else {
      presence?.moved(to: region)
    }
  }

  private func isDue(_ report: DeviceReports.Report, at now: BootInstant) -> Bool {
    guard case .following(let followed) = place.location, let placed, region != nil else {
      return true
    }
    return switch followed.update {
    case .interval(let interval): now - placed.at >= interval
    case .distance(let distance):
      Sphere.distance(placed.position, report.position) >= distance
    }
  }

  /// The board is so far from where it was.
  mutating func passed(_ way: Metres) {
    leastDistance = leastDistance.map { $0 - way }
    isExact = false
  }

  /// - Precondition: `passed` has been told the way to this location.
  mutating func located(
    _ location: Location, at now: BootInstant, isCredible: Bool
  ) -> PresenceChange? {
    if presence?.state == .outside, let leastDistance,
      leastDistance > max(Self.far, location.accuracy * Self.errors)
    {
      presence?.remainedOutside(location, at: now)
      return nil
    }
    measure(from: location)
    return presence?.step(.located(location), at: now, isCredible: isCredible)
  }

  mutating func heard(_ event: PresenceEvent, at now: BootInstant) {
    _ = presence?.step(event, at: now)
  }

  // MARK: Its beacons

  /// Whether its beacons are heard now is not what is known of it.
  func isNews(_ hearing: BeaconReception?, at now: BootInstant) -> Bool {
    guard isOpen, let presence else { return false }
    if hearing?.isHeard == true { return !presence.isBeaconHeard || presence.state != .inside }
    return presence.isBeaconHeard || presence.silenceEnds.map { $0 <= now } ?? false
  }

  /// When the silence of its beacons decides; nil: it does not.
  var silenceEnds: BootInstant? { isOpen ? presence?.silenceEnds : nil }

  /// - Parameters:
  ///   - hearing: nil: none of its beacons was ever heard, in this run.
  ///   - date: of now.
  mutating func keepBeacons(
    _ hearing: BeaconReception?, at now: BootInstant, date: UTCInstant
  ) -> PresenceChange? {
    let lastHeard = hearing?.lastHeard ?? now
    guard let location = location(at: date - (now - lastHeard)) else { return nil }
    if hearing?.isHeard == true { return presence?.heardBeacon(at: location, now) }
    return presence?.isBeaconHeard == true
      ? presence?.lostBeacon(hearing, at: location, now) : presence?.endSilence(at: now)
  }

  /// Where the place is, as a location of who is there.
  private func location(at time: UTCInstant) -> Location? {
    let centre: Coordinate? =
      if case .fixed(let centre) = place.location { centre } else { placed?.position }
    guard let centre, let region else { return nil }
    return Location(time: time, position: centre, accuracy: region.size, source: .coarse)
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
