import Core
import Records

/// Estimates from all evidence whether the board rests, moves, or neither is known.
///
/// A location elsewhere proves movement, and locations in one place for a while prove rest. Between
/// these, and without GNSS signals, other evidence decides: a motion sensor that has proved
/// reliable, the joined network, and a signal that stays lost as long as the board is indoors.
public struct MotionEstimator: Sendable {
  public enum State: Hashable, Sendable {
    case unknown
    case resting(since: BootInstant)
    case moving(since: BootInstant)
  }

  /// Locations in one place for this long mean rest: traffic lights and most halts are shorter.
  private static let halt: Seconds = 150
  /// Out of a house, or out of the range of a network: it stays joined for half a minute after a
  /// departure (docs/design/simulation-model.md).
  private static let range: Seconds = 60

  public private(set) var state = State.unknown
  /// When the last event occurred that calls for a fix attempt.
  private(set) var lastTrigger: BootInstant?

  private var sources: EvidenceSources
  private let dwell: Seconds
  private var position = KnownPosition()
  private var signalLoss = SignalLoss()
  /// When it last came to rest, or was first located.
  private var lastRest = BootInstant.zero
  /// The record of the present or last rest.
  private var rest = RestRecord(.located, by: .zero)
  /// The place of rest at the end of the last run; nil once it is known whether it still applies.
  private var recalled: Location?
  /// Whether the last sensed movement has led nowhere so far.
  private var isSensedOnly = false
  private var events: [MotionEvent] = []

  /// - Parameters:
  ///   - sources: the names of the evidence sources.
  ///   - dwell: the shortest stay that counts.
  public init(sources: [String], dwell: Seconds) {
    self.sources = EvidenceSources(sources)
    self.dwell = dwell
  }

  // MARK: State

  public var isResting: Bool { if case .resting = state { true } else { false } }

  /// Since when there has been no signal, at a place where this is unusual.
  var noSignalSince: BootInstant? { signalLoss.since }
  /// The recent speed while moving.
  var speed: MetresPerSecond { position.speed }
  /// Whether the board has been located since it came to rest.
  var isLocatedAtRest: Bool { rest.isLocated }

  /// Whether a departure would be detected without GNSS.
  public var isMonitored: Bool { isMotionSensed || sources.isNetworkTrusted }

  /// Whether a motion sensor would detect the end of a journey at once, too.
  public var isMotionSensed: Bool { sources.isMotionTrusted }
  /// When the motion sensor last reported; a single report is not movement yet.
  var lastMotionEdge: BootInstant? { sources.motion?.lastEdge }

  /// Whether scans monitor if the board is still here.
  func isScanned(at now: BootInstant) -> Bool {
    isResting && sources.areScansConclusive(at: now)
  }

  /// The reliability of each source, in the order of their names in `init`.
  public var sourceHealth: [SourceHealth] { sources.sourceHealth }

  /// When the state may change or a report is due without an event; nil: never.
  func due(after now: BootInstant) -> BootInstant? {
    switch state {
    case .moving: sources.isMotionTrusted ? sources.motion?.quietAt(after: now) : nil
    case .resting(let since):
      .earlier(
        isMonitored && (rest.until ?? since) - since < dwell * 1.1 ? since + dwell * 1.2 : nil,
        signalLoss.isWithoutReception ? sources.scanDue(restingSince: since) : nil)
    case .unknown: nil
    }
  }

  /// The source to be queried for a scan now; nil: none.
  mutating func takeScan(at now: BootInstant) -> String? {
    guard case .resting(let since) = state, signalLoss.isWithoutReception else { return nil }
    return sources.takeScan(restingSince: since, at: now)
  }

  /// Returns and clears the events since the last call.
  mutating func takeEvents() -> [MotionEvent] {
    defer { events = [] }
    return events
  }

  /// The present rest, if its place is unknown: the next location determines it.
  func unlocatedRest(at now: BootInstant) -> UnlocatedRest? {
    guard case .resting(let since) = state, !rest.isReported else { return nil }
    return position.last == nil
      ? rest.unlocated(since: since, at: now) : UnlocatedRest(since: since, sensedBy: rest.sensedBy)
  }

  // MARK: Evidence

  public mutating func handle(_ evidence: Evidence, from source: String = "", at now: BootInstant) {
    switch sources.handle(evidence, from: source, isResting: isResting, at: now) {
    case .nothing, .scanned(.unclear): break
    case .alarm: lastTrigger = now
    case .moves(let began):
      if isResting { isSensedOnly = true }
      move(since: began, at: now)
    case .scanned(.here): stillHere(at: now)
    case .scanned(.elsewhere):
      if let wifi = sources.wifi, wifi.trust.isTrusted, let lastHere = wifi.lastHere {
        move(since: lastHere, at: now)
        position.leftUnobserved(after: lastHere)
      }
      lastTrigger = now
    }
  }

  /// A source of that name has failed.
  mutating func lost(_ source: String, at now: BootInstant) { sources.lost(source, at: now) }

  public mutating func timePassed(at now: BootInstant) {
    sources.timePassed(at: now)
    switch state {
    case .moving:
      guard sources.isMotionTrusted, let motion = sources.motion, motion.movesSince(at: now) == nil,
        let lastEdge = motion.lastEdge, now - lastEdge >= MotionWatch.quiet
      else { return }
      let seen = max(position.last?.at ?? .zero, signalLoss.lastAttempt ?? .zero)
      if seen >= lastEdge { countFalseStart(at: now) }
      beginRest(since: lastEdge, RestRecord(.sensed, by: lastEdge + MotionWatch.deadTime))
    case .resting(let since):
      if isMonitored, !sources.isStirring(at: now), now - since >= dwell { stillHere(at: now) }
    case .unknown: break
    }
  }

  // MARK: Locations

  /// - Parameter now: when it was taken.
  public mutating func located(_ location: Location, at now: BootInstant) {
    guard location.source == .gnss else { return locatedCoarsely(location, at: now) }
    defer { position.located(location, at: now) }
    signalLoss.located()
    sources.located(location)
    if isRefuted(by: location, at: now) { state = .moving(since: now) }
    position.updateSpeed(from: location, at: now)
    guard let spot = position.spot else { return beginAnew(with: location, at: now) }
    if location.isElsewhere(than: spot.location) || location.isRiding {
      displaced(to: location, at: now)
    } else {
      stayed(location, since: spot.since, at: now)
    }
  }

  /// The first location of a run, or after a rest without a location.
  private mutating func beginAnew(with location: Location, at now: BootInstant) {
    defer { recalled = nil }
    position.beginSpot(at: location, since: now)
    lastRest = max(lastRest, now)
    guard !location.isRiding else { return move(since: nil, at: now) }
    if isResting { return rest.located(at: now) }
    // At the place of rest of the last run, rest is assumed without waiting.
    guard case .unknown = state, let recalled, !location.isElsewhere(than: recalled)
    else { return }
    beginRest(since: now, RestRecord(.located, by: now))
    rest.located(at: now)
  }

  /// The position of an access point or tower is no proof: tables are wrong, and towers far away.
  private mutating func locatedCoarsely(_ location: Location, at now: BootInstant) {
    if position.isAtSpot(location) {
      if isResting { rest.stayed(until: now) }
    } else if sources.located(coarsely: location, isResting: isResting, at: now) {
      lastTrigger = now
    }
  }

  /// Whether the location shows that the board has not rested.
  func isRefuted(by location: Location, at now: BootInstant) -> Bool {
    guard case .resting(let since) = state, !isMonitored else { return false }
    return position.isRefuted(rest, since: since, by: location, at: now)
  }

  private mutating func displaced(to location: Location, at now: BootInstant) {
    if let last = position.last {
      let way = location.distance(from: last.location)
      sources.displaced(by: way, since: last.at, afterRestSince: lastRest, at: now)
    }
    // It was at its place of rest until the sensor reported the departure.
    if isSensedOnly, case .moving(let began) = state,
      let place = position.place(ofRestSince: lastRest, isLocated: rest.isLocated)
    {
      events.append(.placed(place, at: began))
    }
    position.beginSpot(at: location, since: now)
    isSensedOnly = false
    if case .moving = state { return }
    move(since: nil, at: now)
  }

  private mutating func stayed(
    _ location: Location, since place: BootInstant, at now: BootInstant
  ) {
    sources.stayed(since: place, at: now)
    switch state {
    case .resting(let since):
      countFalseStart(at: now)
      if rest.origin == .sensed, !rest.isLocated { events.append(.placed(location, at: since)) }
      rest.located(at: now)
      position.refineSpot(with: location)
    case .moving, .unknown:
      guard now - place >= Self.halt else { return }
      if sources.isMotionTrusted, sources.motion?.movesSince(at: now) != nil { return }
      beginRest(since: place, RestRecord(.located, by: place))
      rest.located(at: now)
    }
  }

  private mutating func countFalseStart(at now: BootInstant) {
    guard isSensedOnly else { return }
    isSensedOnly = false
    sources.startedFalsely(at: now)
  }

  // MARK: Fix attempts without a location

  /// A receiver that is left on has lost its fix.
  mutating func handle(_ search: GnssSearch, at now: BootInstant) {
    guard let since = search.noSignalSince(at: now) else { return }
    attemptFailed(search.signalQuality, at: now, since: since)
  }

  /// A fix attempt gave no position.
  /// - Parameters:
  ///   - sky: the reception; nil: the receiver does not report it.
  ///   - begin: since when it has been so.
  mutating func attemptFailed(
    _ sky: SignalQuality?, at now: BootInstant, since begin: BootInstant? = nil
  ) {
    guard signalLoss.attemptFailed(sky, at: now) else { return }
    sources.attemptWithoutSignal(at: now)
    switch state {
    case .resting:
      countFalseStart(at: now)
      rest.countAttemptWithoutSignal()
      // A place that always had signal has lost it: the board may be in a van.
      if rest.hasLostSignal, !isMonitored { return signalLoss.begin(at: now) }
      signalLoss.end()
      sources.stayedBySignal(at: now)
      stillHere(at: now)
    case .moving, .unknown:
      signalLoss.begin(at: begin ?? now)
      if sources.isMotionTrusted { return }
      guard let since = signalLoss.since,
        sources.isNetworkTrusted || signalLoss.meansRest(after: speed, at: now)
      else { return }
      let arrived = position.arrival(before: since)
      // It rests elsewhere than at its last location, and the place is unknown.
      if position.forgetIfLeft() { sources.leftUnseen() }
      beginRest(since: arrived, RestRecord(.signalLost, by: since))
      stillHere(at: now)
    }
  }

  // MARK: Changes

  private mutating func stillHere(at now: BootInstant) {
    guard case .resting(let since) = state else { return }
    rest.stayed(until: now)
    guard position.last != nil else { return }
    if rest.markReported() {
      events.append(
        .arrived(
          since, within: position.reach(until: since), by: rest.begunBy,
          isSensed: rest.sensedBy != nil))
    }
    let delay = isMotionSensed ? MotionWatch.delay : Self.range
    events.append(.rested(until: now, isMonitored: isMonitored, delay: delay))
  }

  private mutating func beginRest(since: BootInstant, _ record: RestRecord) {
    state = .resting(since: since)
    lastRest = since
    lastTrigger = nil
    signalLoss.end()
    rest = record
  }

  /// - Parameter began: when sensed movement began; nil: none was sensed.
  private mutating func move(since began: BootInstant?, at now: BootInstant) {
    if case .moving = state { return }
    if case .resting(let since) = state, let began, began > since {
      stillHere(at: began)
    }
    if case .resting = state { position.stop() }
    state = .moving(since: began ?? now)
    lastTrigger = now
    signalLoss.end()
  }
}

// MARK: Over a restart

extension MotionEstimator {
  /// The settings have changed, the evidence has not.
  mutating func inherit(from other: MotionEstimator) { sources.inherit(from: other.sources) }

  private static let fields = SnapshotFields<MotionEstimator>([
    .omittable("sources", \.learnt, .json), .omittable("rest", \.recalled, .location),
  ])

  /// What was learnt about the sources.
  private var learnt: JSONValue? {
    get { sources.isEmpty ? nil : sources.snapshot }
    set { sources.restore(newValue) }
  }

  /// State for a later run: the reliability of sources, and the place of rest.
  var snapshot: JSONValue {
    var copy = self
    if isResting, rest.isLocated { copy.recalled = position.spot?.location }
    return Self.fields.snapshot(of: copy)
  }

  mutating func restore(_ snapshot: JSONValue?) {
    self = Self.fields.restored(snapshot, onto: self) ?? self
  }
}
