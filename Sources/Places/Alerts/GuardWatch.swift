import Core
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
  private static let sensedPause: Seconds = .hours(6)
  private static let pause: Seconds = 300
  /// What may be moving is looked for as fast as two locations tell something, and ever more
  /// seldom as long as nothing comes of it.
  private static let urgentPauses: ClosedRange<Seconds> = 20...300
  private static let urgentShare = 0.5
  /// After so long without another sign it was the wind.
  private static let calm: Seconds = 1800
  /// For so long better locations than the first ones are waited for, where there is no circle.
  private static let patience: Seconds = 60
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
  /// Since when locations say that it is outside, though others may have to confirm it; of what an
  /// earlier run has told it is not known.
  private var outsideSince: BootInstant?
  private let armedAt: BootInstant
  /// Signs of movement: since when they come, when the last one came, and whether a location has
  /// shown since that it is still there.
  private var signs: (since: BootInstant, last: BootInstant, isRefuted: Bool)?
  private var isMoving = false
  private var restingSince: BootInstant?
  private var last: (location: Location, at: BootInstant)?
  /// When a location or the lack of one has come last.
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

  /// An earlier run has drawn the circle. One that somebody has drawn since counts instead.
  mutating func restore(_ record: Record) {
    guard guarding.centre == nil || guarding.centre == record.centre else { return }
    begin(at: record.centre, told: record.told)
  }

  /// - Parameter told: where it was outside, as people know.
  private mutating func begin(at centre: Coordinate, told: Coordinate? = nil) {
    record = Record(centre: centre, told: told)
    // An anchor's circle is the boat's way about it: no rest holds it.
    presence = PlacePresence(
      region(around: centre), isFixed: rule.kind == .moved,
      state: told == nil ? .inside : .outside)
    if let restingSince { _ = presence?.step(.resting(since: restingSince), at: restingSince) }
  }

  /// Where it was located; it has been seen there.
  private mutating func begin(with location: Location, at now: BootInstant) {
    begin(at: location.position)
    _ = presence?.step(.located(location), at: now)
  }

  /// The board was located before the alert was armed: that counts where it has not left since.
  mutating func armed(
    near last: (location: Location, at: BootInstant)?, at now: BootInstant
  ) {
    guard record == nil, let last, last.location.accuracy <= Self.worst,
      restingSince.map({ last.at >= $0 }) ?? false || now - last.at <= Self.fresh
    else { return }
    self.last = last
    begin(with: last.location, at: last.at)
  }

  mutating func heard(_ event: PresenceEvent, at now: BootInstant) {
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
      // It is back: when it leaves again, that is news.
      if change != nil { record?.told = nil }
      if Containment(of: location, in: region(around: centre))?.verdict == .inside {
        signs?.isRefuted = true
      }
      return .nothing
    }
    guard now - since >= guarding.grace else { return .nothing }
    guard let told = record?.told else {
      record?.told = location.position
      return .left(distance)
    }
    // What comes back is no news of where it goes.
    guard distance > guarding.radius,
      Sphere.distance(told, location.position) >= max(guarding.radius, Self.way)
    else { return .nothing }
    record?.told = location.position
    return .goesOn(distance)
  }

  private func region(around centre: Coordinate) -> PlaceRegion {
    PlaceRegion(.circle(radius: guarding.radius), around: centre)
  }

  /// When it has to be looked for next, and how well; nil: what comes anyway does.
  /// - Parameter isSensed: whether something would tell at once if it were moved.
  func look(at now: BootInstant, isSensed: Bool) -> AlertFixRequest? {
    guard let centre else { return search }
    let accuracy = min(max(guarding.radius * 0.5, 5), Self.worst)
    guard let last else {
      return AlertFixRequest(at: search.at, accuracy: accuracy, reason: "it is guarded")
    }
    let tried = max(triedAt ?? last.at, last.at)
    if record?.told != nil {
      guard let outsideSince else {
        return AlertFixRequest(at: search.at, accuracy: Self.worst, reason: "it was moved")
      }
      guard now - outsideSince <= Self.followTime else { return nil }
      return AlertFixRequest(
        at: tried + Self.followPause, accuracy: Self.worst, reason: "it was moved")
    }
    // Afloat there are signs all the time, and what is near the edge is looked at sooner.
    let usual = tried + pause(centre, last.location, isSensed: isSensed)
    if let urgent = urgentLook(after: tried), urgent <= max(usual, now) {
      return AlertFixRequest(at: urgent, accuracy: accuracy, reason: "it may be moving")
    }
    return AlertFixRequest(at: usual, accuracy: accuracy, reason: "it is guarded")
  }

  /// Where there is no circle yet, or no location since an earlier run has drawn it. The moment
  /// does not go with the time: a search that goes on is not begun anew.
  private var search: AlertFixRequest {
    var at = armedAt
    if let triedAt, triedAt - armedAt > Self.patience {
      at = triedAt + Self.urgentPause(triedAt - armedAt)
    }
    return AlertFixRequest(
      at: at, accuracy: Self.worst, reason: "where it is armed is not known yet")
  }

  private func urgentLook(after tried: BootInstant) -> BootInstant? {
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
