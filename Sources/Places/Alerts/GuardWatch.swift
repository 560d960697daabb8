import Core
import Records

/// Guards a board that is parked or lies at anchor: a circle is set around its position when the
/// alert is armed, and fixes are requested as long as the circle must not be left.
struct GuardWatch: Sendable {
  /// The state to be kept over a restart.
  struct Record: Hashable, Sendable {
    var centre: Coordinate
    /// The position last reported to people; nil: none.
    var reportedPosition: Coordinate?
  }

  /// The result of a location.
  enum Verdict: Hashable, Sendable {
    case nothing
    /// The board has left the circle; the distance from the centre.
    case left(Metres)
    /// It continues to move after the first report.
    case goesOn(Metres)
  }

  /// With a less accurate centre, a departure would not be noticed.
  private static let worst: Metres = 30
  /// How long a location counts as the parking position.
  private static let fresh: Seconds = 60
  /// The usual pauses between fix attempts, with a motion sensor and without one.
  private static let sensedPause: Seconds = .hours(6)
  private static let pause: Seconds = 300
  /// After a sign of movement the pauses begin with the shortest one that allows two independent
  /// locations, and grow as long as the movement is not confirmed.
  private static let urgentPauses: ClosedRange<Seconds> = 20...300
  private static let urgentShare = 0.5
  /// After this time without another sign it was the wind.
  private static let calm: Seconds = 1800
  /// How long to wait for more accurate first locations, where there is no circle yet.
  private static let timeout: Seconds = 60
  /// The maximum speed of a boat that drags its anchor.
  private static let dragging: MetresPerSecond = 0.7
  private static let anchorPause: ClosedRange<Seconds> = 60...600
  /// How often a board that has left is located, and how far from the last report it is reported
  /// again.
  private static let followPause: Seconds = 60
  /// How long it is followed after its departure; then there are no more requests.
  private static let followTime: Seconds = 3600
  private static let way: Metres = 100

  private let rule: AlertRule
  private let guarding: Guard
  private var record: Record?
  private var presence: PlacePresence?
  /// Since when locations show it outside, although others may have to confirm that; unknown after
  /// a report by an earlier run.
  private var outsideSince: BootInstant?
  private let armedAt: BootInstant
  /// Signs of movement: the first, the last, and whether a later location has refuted them.
  private var signs: (since: BootInstant, last: BootInstant, isRefuted: Bool)?
  private var isMoving = false
  private var restingSince: BootInstant?
  private var last: (location: Location, at: BootInstant)?
  /// When the last location came, or the last attempt failed.
  private var triedAt: BootInstant?
  private(set) var drift = Drift()

  /// - Parameter restingSince: since when it is known to rest; nil: it is not.
  init?(_ alert: Alert, restingSince: BootInstant?, at now: BootInstant) {
    guard let guarding = alert.rule.guarding else { return nil }
    rule = alert.rule
    self.guarding = guarding
    self.restingSince = restingSince
    armedAt = now
    if let centre = guarding.centre { begin(at: centre) }
  }

  var centre: Coordinate? { record?.centre }
  var remembered: Record? { record }

  /// Restores an earlier run's circle, unless the alert has another centre now.
  mutating func restore(_ record: Record) {
    guard guarding.centre == nil || guarding.centre == record.centre else { return }
    begin(at: record.centre, reported: record.reportedPosition)
  }

  /// - Parameter told: the position outside that was last reported.
  private mutating func begin(at centre: Coordinate, reported: Coordinate? = nil) {
    record = Record(centre: centre, reportedPosition: reported)
    // A boat at anchor moves within its circle: rest does not hold its state.
    presence = PlacePresence(
      region(around: centre), isFixed: rule.kind == .moved,
      state: reported == nil ? .inside : .outside)
    if let restingSince { _ = presence?.step(.resting(since: restingSince), at: restingSince) }
  }

  /// Sets the circle around a location of the board.
  private mutating func begin(with location: Location, at now: BootInstant) {
    begin(at: location.position)
    _ = presence?.step(.located(location), at: now)
  }

  /// Uses a location from before the alert was armed, if the board has not left since.
  mutating func armed(
    near last: (location: Location, at: BootInstant)?, at now: BootInstant
  ) {
    guard record == nil, let last, last.location.accuracy <= Self.worst,
      restingSince.map({ last.at >= $0 }) ?? false || now - last.at <= Self.fresh
    else { return }
    self.last = last
    begin(with: last.location, at: last.at)
  }

  mutating func handle(_ event: PresenceEvent, at now: BootInstant) {
    _ = presence?.step(event, at: now)
    switch event {
    case .located: break
    case .searchFailed:
      triedAt = now
      if let signs, now - signs.last > Self.calm { self.signs?.isRefuted = true }
    case .resting(let since):
      restingSince = restingSince ?? since
      isMoving = false
    case .moving:
      restingSince = nil
      isMoving = true
      signs = (now, now, false)
    }
  }

  mutating func shaken(at now: BootInstant) {
    let since = signs.flatMap { now - $0.last <= Self.calm ? $0.since : nil }
    signs = (since ?? now, now, false)
  }

  mutating func located(_ location: Location, at now: BootInstant) -> Verdict {
    drift.saw(location, at: now)
    last = (location, now)
    triedAt = now
    guard var presence, let centre else {
      if location.accuracy <= Self.worst { begin(with: location, at: now) }
      return .nothing
    }
    let change = presence.step(.located(location), at: now)
    self.presence = presence
    let distance = Sphere.distance(centre, location.position)
    let since = outsideSince ?? now
    outsideSince = presence.state == .inside && !presence.isInDoubt ? nil : since
    if presence.state == .inside {
      // It is back: another departure is reported again.
      if change != nil { record?.reportedPosition = nil }
      if Containment(of: location, in: region(around: centre))?.verdict == .inside {
        signs?.isRefuted = true
      }
      return .nothing
    }
    guard now - since >= guarding.grace else { return .nothing }
    guard let reported = record?.reportedPosition else {
      record?.reportedPosition = location.position
      return .left(distance)
    }
    // On its way back it is not reported.
    guard distance > guarding.radius,
      Sphere.distance(reported, location.position) >= max(guarding.radius, Self.way)
    else { return .nothing }
    record?.reportedPosition = location.position
    return .goesOn(distance)
  }

  private func region(around centre: Coordinate) -> PlaceRegion {
    PlaceRegion(.circle(radius: guarding.radius), around: centre)
  }

  /// When the next fix is needed, with what accuracy; nil: no request.
  /// - Parameter isSensed: whether a sensor would report movement at once.
  func nextFix(at now: BootInstant, isSensed: Bool) -> AlertFixRequest? {
    guard let centre else { return search }
    let accuracy = min(max(guarding.radius * 0.5, 5), Self.worst)
    guard let last else {
      return AlertFixRequest(at: search.at, accuracy: accuracy, reason: "it is guarded")
    }
    let tried = max(triedAt ?? last.at, last.at)
    if record?.reportedPosition != nil {
      guard let outsideSince else {
        return AlertFixRequest(at: search.at, accuracy: Self.worst, reason: "it was moved")
      }
      guard now - outsideSince <= Self.followTime else { return nil }
      return AlertFixRequest(
        at: tried + Self.followPause, accuracy: Self.worst, reason: "it was moved")
    }
    // Afloat there are signs of movement all the time; near the edge the usual pause may be
    // shorter.
    let usual = tried + pause(centre, last.location, isSensed: isSensed)
    if let urgent = urgentFix(after: tried), urgent <= max(usual, now) {
      return AlertFixRequest(at: urgent, accuracy: accuracy, reason: "it may be moving")
    }
    return AlertFixRequest(at: usual, accuracy: accuracy, reason: "it is guarded")
  }

  /// The request where there is no circle yet, or no location since an earlier run set it. Its
  /// moment does not advance with the time, so that a search in progress is not restarted.
  private var search: AlertFixRequest {
    var at = armedAt
    if let triedAt, triedAt - armedAt > Self.timeout {
      at = triedAt + Self.urgentPause(triedAt - armedAt)
    }
    return AlertFixRequest(
      at: at, accuracy: Self.worst, reason: "the position at which it is armed is not known yet")
  }

  private func urgentFix(after tried: BootInstant) -> BootInstant? {
    if outsideSince != nil { return tried + Self.urgentPauses.lowerBound }
    guard let signs, !signs.isRefuted || (isMoving && rule.kind == .moved) else { return nil }
    let next = tried + Self.urgentPause(tried - signs.since)
    return signs.isRefuted ? next : max(signs.last, next)
  }

  private static func urgentPause(_ time: Seconds) -> Seconds {
    min(max(time * urgentShare, urgentPauses.lowerBound), urgentPauses.upperBound)
  }

  private func pause(_ centre: Coordinate, _ last: Location, isSensed: Bool) -> Seconds {
    switch rule {
    case .anchor:
      let gap = guarding.radius - Sphere.distance(centre, last.position) - last.accuracy
      let time = max(gap, 0) / Self.dragging
      return min(max(time, Self.anchorPause.lowerBound), Self.anchorPause.upperBound)
    default: return isSensed ? Self.sensedPause : Self.pause
    }
  }
}
