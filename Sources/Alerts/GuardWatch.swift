import Geodesy
import Places
import Quantities
import Records

/// Watches over what is parked or lies at anchor: a circle is drawn where it is when the alert is
/// armed, and it is looked for as long as the circle is not to be left.
struct GuardWatch: Sendable {
  /// What a restart must not forget.
  struct Record: Hashable, Sendable {
    var centre: Coordinate
    /// Where it was when people were told last; nil: they were not.
    var told: Coordinate?
  }

  /// What a look has found.
  enum Verdict: Hashable, Sendable {
    case nothing
    /// It has left the circle, and how far it is from the centre.
    case left(Metres)
    /// It goes on, after people were told.
    case goesOn(Metres)
  }

  /// Armed with no better location than this nothing would be noticed.
  private static let worst: Metres = 30
  /// A location counts for so long at the place where one parks.
  private static let fresh: Seconds = 60
  /// Where something tells of movement, it is looked seldom without it; where nothing does, so
  /// often.
  private static let sensedPause: Seconds = 21_600
  private static let pause: Seconds = 300
  /// What may be moving is looked for as fast as two locations tell something.
  private static let urgentPause: Seconds = 20
  /// A boat at anchor drags no faster than this.
  private static let dragging: MetresPerSecond = 0.7
  private static let anchorPause: ClosedRange<Seconds> = 60...600
  /// What was moved is followed so often, and this is far enough from where people were told of.
  private static let followPause: Seconds = 60
  /// For so long after it has left: then the locations that come anyway have to do.
  private static let followTime: Seconds = 3600
  private static let way: Metres = 100

  private let rule: AlertRule
  private let guarding: Guard
  private var record: Record?
  private var presence: PlacePresence?
  /// Since when it has been outside; of what an earlier run has told it is not known.
  private var outsideSince: BootInstant?
  /// When movement was felt that no location has explained.
  private var feltAt: BootInstant?
  private var last: (location: Location, at: BootInstant)?
  private var dark = DarkPause()
  private(set) var drift = Drift()

  init?(_ alert: Alert) {
    guard let guarding = alert.rule.guarding else { return nil }
    rule = alert.rule
    self.guarding = guarding
    if let centre = guarding.centre { begin(at: centre) }
  }

  var centre: Coordinate? { record?.centre }
  var remembered: Record? { record }

  mutating func restore(_ record: Record) {
    begin(at: record.centre)
    self.record?.told = record.told
  }

  private mutating func begin(at centre: Coordinate) {
    record = Record(centre: centre)
    // An anchor's circle is the boat's way about it: no rest holds it.
    presence = PlacePresence(
      PlaceRegion(.circle(radius: guarding.radius), around: centre),
      isFixed: rule.kind == .moved, state: .inside)
  }

  /// The board was located before the alert was armed.
  mutating func armed(
    near last: (location: Location, at: BootInstant)?, isAtRest: Bool,
    at now: BootInstant
  ) {
    guard record == nil, let last, last.location.accuracy <= Self.worst,
      isAtRest || now - last.at <= Self.fresh
    else { return }
    self.last = last
    begin(at: last.location.position)
  }

  mutating func heard(_ event: PresenceEvent, at now: BootInstant) {
    _ = presence?.step(event, at: now)
    switch event {
    case .moving:
      feltAt = now
      dark.end()
    case .searchFailed: dark.searchFailed(at: now)
    case .resting, .located: break
    }
  }

  mutating func shaken(at now: BootInstant) { feltAt = now }

  mutating func located(_ location: Location, at now: BootInstant) -> Verdict {
    drift.saw(location, at: now)
    dark.end()
    last = (location, now)
    guard var presence, let centre else {
      if location.accuracy <= Self.worst { begin(at: location.position) }
      return .nothing
    }
    let change = presence.step(.located(location), at: now)
    self.presence = presence
    let distance = Sphere.distance(centre, location.position)
    if presence.state == .inside {
      outsideSince = nil
      if Containment(of: location, in: region(around: centre))?.verdict == .inside { feltAt = nil }
      return .nothing
    }
    if change != nil { outsideSince = now }
    guard let outsideSince, now - outsideSince >= guarding.grace else { return .nothing }
    guard let told = record?.told else {
      record?.told = location.position
      return .left(distance)
    }
    guard Sphere.distance(told, location.position) >= max(guarding.radius, Self.way) else {
      return .nothing
    }
    record?.told = location.position
    return .goesOn(distance)
  }

  private func region(around centre: Coordinate) -> PlaceRegion {
    PlaceRegion(.circle(radius: guarding.radius), around: centre)
  }

  /// When it has to be looked for next, and how well; nil: what comes anyway does.
  /// - Parameter isSensed: whether something would tell at once if it were moved.
  func look(at now: BootInstant, isSensed: Bool) -> AlertLook? {
    guard var look = wanted(at: now, isSensed: isSensed) else { return nil }
    if let pause = dark.until(isWatched: isSensed) { look.at = max(look.at, pause) }
    return look
  }

  private func wanted(at now: BootInstant, isSensed: Bool) -> AlertLook? {
    let accuracy = min(max(guarding.radius * 0.5, 5), Self.worst)
    guard let last, let centre else {
      return AlertLook(at: now, accuracy: Self.worst, reason: "where it is armed is not known yet")
    }
    let isUrgent =
      feltAt.map { $0 >= last.at } ?? false || (outsideSince != nil && record?.told == nil)
    if isUrgent {
      return AlertLook(
        at: feltAt.map { $0 >= last.at ? now : last.at + Self.urgentPause }
          ?? last.at + Self.urgentPause,
        accuracy: accuracy, reason: "it may be moving")
    }
    if record?.told != nil {
      guard let outsideSince, now - outsideSince <= Self.followTime else { return nil }
      return AlertLook(
        at: last.at + Self.followPause, accuracy: Self.worst, reason: "it was moved")
    }
    let pause = pause(centre, last.location, isSensed: isSensed)
    return AlertLook(at: last.at + pause, accuracy: accuracy, reason: "it is guarded")
  }

  private func pause(_ centre: Coordinate, _ last: Location, isSensed: Bool) -> Seconds {
    if feltAt != nil { return Self.urgentPause }
    switch rule {
    case .anchor:
      let gap = guarding.radius - Sphere.distance(centre, last.position) - last.accuracy
      let time = max(gap, 0) / Self.dragging
      return min(max(time, Self.anchorPause.lowerBound), Self.anchorPause.upperBound)
    default: return isSensed ? Self.sensedPause : Self.pause
    }
  }
}
