import Core
import Records

/// A monitored place, with a lower bound of the distance to its edge.
struct WatchedPlace: Sendable {
  /// Beyond this no location with an ordinary error could be inside.
  private static let far: Metres = 2000
  /// The assumed error bound of a location, in multiples of its accuracy.
  private static let errors = 5.0

  private static let never = UTCInstant(nanoseconds: .max)

  /// Without the corners of a perimeter that stays in position.
  private(set) var place: Place
  /// The hash of the perimeter, valid for this run only.
  private var drawing: Int
  private var opening: PlaceOpening
  /// Whether it is open; nil: not determined yet.
  private var wasOpen: Bool?
  /// The period in which that does not change.
  private var openingHolds: Range<UTCInstant>?
  /// The distance beyond the place's edge.
  let margin: Metres
  /// The strictest accuracy required by an interest; nil: no fix is requested for the place.
  private(set) var wanted: Metres?
  /// The speed of the followed device between its last two reports, and the time of the last
  /// one.
  private var device: (speed: MetresPerSecond, at: BootInstant)?
  /// The device's position when the place was last moved, and the time of that.
  private var placed: (position: Coordinate, at: BootInstant)?
  /// The device's position, until the place is moved there.
  private var pendingReport: DeviceReports.Report?
  /// Nil while the position of its device is unknown.
  private(set) var region: PlaceRegion?
  private(set) var presence: PlacePresence?
  /// A lower bound of the distance from the last location to the edge; nil: not measured.
  private var leastDistance: Metres?
  private var isExact = false

  /// - Parameters:
  ///   - opening: its opening times.
  ///   - margin: the distance beyond its edge.
  ///   - device: the last report of the device that it follows.
  ///   - state: the known state.
  ///   - other: a zone of the same place.
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

  /// The board has been outside of the place so far.
  mutating func assumeOutside(at now: BootInstant) {
    presence = region.map { PlacePresence($0, state: .outside, told: now) }
  }

  /// A place that follows a device needs its corners for every move.
  private static func kept(_ place: Place) -> Place {
    place.isFollowing ? place : place.undrawn()
  }

  var zone: PlaceZone { PlaceZone(place.id, margin: margin) }

  /// Whether a location that is not from GNSS contradicts the state, so that a fix is needed.
  func isDoubted(by location: Location) -> Bool {
    location.source != .gnss && presence?.isInDoubt ?? false
  }

  var state: PlacePresence.State { presence?.state ?? .unknown }

  /// The verdict of a single location, which is limited where the error is larger than the place;
  /// nil: the position of the place is unknown.
  func verdict(of location: Location) -> Containment.Verdict? {
    guard let region, let containment = Containment(of: location, in: region) else { return nil }
    let isConclusive = PlacePresence.isConclusive(
      containment, within: location.accuracy, of: region)
    return isConclusive || containment.verdict == .inside ? containment.verdict : .unknown
  }

  func candidate(at now: BootInstant) -> PlaceReach.Candidate? {
    region.map { PlaceReach.Candidate($0, speed: speed(at: now), accuracy: wanted) }
  }

  /// The speed of the place itself, while its last report is recent.
  func speed(at now: BootInstant) -> MetresPerSecond {
    guard let device, now - device.at <= FollowedDevice.speedValidity else { return 0 }
    return device.speed
  }

  /// Handles an edit of the place. If its position and perimeter are the same, the state is kept.
  ///
  /// - Returns: false if it is elsewhere now.
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

  // MARK: Opening times

  var isOpen: Bool { wasOpen ?? true }

  /// Whether fixes are requested for it now.
  var isWanted: Bool { wanted != nil && isOpen }

  /// Nil: it is open, or will not open again.
  var opensNext: UTCInstant? {
    guard !isOpen, let end = openingHolds?.upperBound, end < Self.never else { return nil }
    return end
  }

  /// If the board is at a place that opens, it arrives then; a place that closes is not left.
  /// - Parameters:
  ///   - date: nil: unknown, and the place is assumed to be open.
  ///   - restingSince: since when the board rests; nil: it is not known to rest.
  /// - Returns: whether it has opened.
  mutating func updateOpening(
    _ date: UTCInstant?, restingSince: BootInstant?, at now: BootInstant
  ) -> Bool {
    let isOpen = date.map { isOpenNow(at: $0) } ?? true
    defer { wasOpen = isOpen }
    guard isOpen != self.isOpen else { return false }
    presence = region.map {
      PlacePresence($0, isFixed: !place.isFollowing, state: .outside, told: now)
    }
    if let restingSince { handle(.resting(since: restingSince), at: now) }
    return isOpen
  }

  private mutating func isOpenNow(at date: UTCInstant) -> Bool {
    if let wasOpen, let openingHolds, openingHolds.contains(date) { return wasOpen }
    let end = opening.nextChange(after: date) ?? Self.never
    openingHolds = date < end ? date..<end : nil
    return opening.isOpen(at: date)
  }

  /// Applies changed interests.
  mutating func want(_ interests: [PlaceInterest]) {
    wanted = interests.filter {
      $0.requestsFixes && $0.margin == margin && $0.places.contains(place)
    }
    .map { $0.accuracy ?? Metres(.infinity) }.min()
  }

  /// Drops the region after so long without a report that the device may be anywhere.
  mutating func forgetVanished(at now: BootInstant) {
    guard case .following(let followed) = place.location, let device else { return }
    guard now - device.at > followed.maxReportAge else { return }
    self.device = nil
    placed = nil
    region = nil
    presence = nil
    leastDistance = nil
  }

  // MARK: The device that it follows

  /// Handles a report of its device: the place moves there according to its update rule.
  mutating func moved(_ report: DeviceReports.Report) {
    device = (report.speed, report.at)
    pendingReport = report
    follow(at: report.at)
  }

  /// Moves the place to the last report, if that is due.
  mutating func follow(at now: BootInstant) {
    guard let pendingReport, isDue(pendingReport, at: now),
      let region = place.region(devicePosition: pendingReport.position, margin: margin)
    else { return }
    self.pendingReport = nil
    placed = (pendingReport.position, now)
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

  /// The board has moved by this distance.
  mutating func passed(_ way: Metres) {
    leastDistance = leastDistance.map { $0 - way }
    isExact = false
  }

  /// - Precondition: `passed` has been called with the distance to this location.
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

  mutating func handle(_ event: PresenceEvent, at now: BootInstant) {
    _ = presence?.step(event, at: now)
  }

  // MARK: Its beacons

  /// Whether the reception of its beacons differs from the state.
  func needsBeaconUpdate(_ hearing: BeaconReception?, at now: BootInstant) -> Bool {
    guard isOpen, let presence else { return false }
    if hearing?.isReceived == true {
      return !presence.isBeaconReceived || presence.state != .inside
    }
    return presence.isBeaconReceived || presence.silenceEnds.map { $0 <= now } ?? false
  }

  /// When the silence of its beacons decides; nil: never.
  var silenceEnds: BootInstant? { isOpen ? presence?.silenceEnds : nil }

  /// - Parameters:
  ///   - hearing: nil: none of its beacons was received in this run.
  ///   - date: the date at `now`.
  mutating func keepBeacons(
    _ hearing: BeaconReception?, at now: BootInstant, date: UTCInstant
  ) -> PresenceChange? {
    let lastReception = hearing?.lastReceived ?? now
    guard let location = location(at: date - (now - lastReception)) else { return nil }
    if hearing?.isReceived == true { return presence?.beaconReceived(at: location, now) }
    return presence?.isBeaconReceived == true
      ? presence?.lostBeacon(hearing, at: location, now) : presence?.endSilence(at: now)
  }

  /// The place's position, as a location of the board.
  private func location(at time: UTCInstant) -> Location? {
    let centre: Coordinate? =
      if case .fixed(let centre) = place.location { centre } else { placed?.position }
    guard let centre, let region else { return nil }
    return Location(time: time, position: centre, accuracy: region.size, source: .coarse)
  }

  /// The distance from the location to the edge, positive on both sides; infinity if unknown.
  mutating func distance(from location: Location) -> Metres {
    measure(from: location)
    return leastDistance ?? Metres(.infinity)
  }

  /// The lower bound of `distance`, without a measurement.
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
