import Core
import GNSS
import Records

/// Where the board is and whether it rests: what GNSS, the coarse sources and the evidence say of
/// it, which of that is believed, and the visits, destinations and the track that follow.
struct PositionState: Sendable {
  /// What becomes of a fix.
  enum Verdict {
    /// The outcome is recorded after what the location itself gives.
    case accepted(Location, LocationOutcome)
    case refused(RejectionReason)
  }

  private(set) var pipeline: LocationPipeline
  private var track: StoredTrack
  private(set) var coarse: CoarseTracking
  private var motion: MotionEstimator
  private var words = SourceWords()
  private var seen = Sighting()

  init(
    _ settings: TrackerSettings, keepsShape: Bool, lastVisitID: Int64, lastDestinationID: Int64,
    destinations: [Destination]
  ) {
    track = StoredTrack(settings.pipeline.trajectory, isDense: keepsShape)
    pipeline = LocationPipeline(
      settings.pipeline, nextVisitID: RecordIdentifier.following(lastVisitID),
      lastDestinationID: lastDestinationID, destinations: destinations)
    coarse = CoarseTracking(settings.coarse, sources: settings.coarseSources)
    motion = MotionEstimator(
      sources: settings.evidenceSources, dwell: settings.pipeline.dwell.minDwell)
  }

  // MARK: What is known

  /// For those that decide when to look.
  func context(_ clock: UTCClock) -> TrackingContext { TrackingContext(pipeline, motion, clock) }
  /// The end of the track that is not stored yet; nil: all of it is.
  var lineEnd: TrackPoint? { track.end }

  /// What became of each source, and what it said last.
  var standings: [SourceHealth] { motion.standings.map { $0.saying(words[$0.name]) } }

  /// For those who watch places.
  var sighting: Sighting {
    var sighting = seen
    sighting.rest = motion.state
    sighting.isWatched = motion.isWatched
    sighting.isFelt = motion.isFelt
    sighting.stirred = motion.stirred
    sighting.suspicion = motion.suspicion
    return sighting
  }

  /// When something is due while GNSS is off.
  func due(after now: BootInstant) -> BootInstant? {
    BootInstant.earlier(coarse.nextAsking, motionDue(after: now))
  }

  /// When the estimate of rest and movement changes by itself, whatever GNSS does.
  func motionDue(after now: BootInstant) -> BootInstant? { motion.due(after: now) }

  // MARK: GNSS

  mutating func poweredOn(at now: BootInstant) { pipeline.poweredOn(at: now) }

  mutating func take(_ fix: Fix, _ step: inout Turn) -> Verdict {
    guard believesDate(of: fix, &step) else { return .refused(.implausibleDate) }
    let verdict = pipeline.take(fix, after: motion.unlocatedRest(at: fix.received)) {
      [motion, now = step.now] in motion.isRefuted(by: $0, at: now)
    }
    switch verdict {
    case .rejected(let reason): return .refused(reason)
    case .accepted(let location, let outcome):
      step.clock.receiverTime(location.time, at: fix.received)
      motion.located(location, at: step.now)
      seen.located(location)
      coarse.located(by: location, &step)
      return .accepted(location, outcome)
    }
  }

  /// A fix without a position or a time is refused for that.
  private func believesDate(of fix: Fix, _ step: inout Turn) -> Bool {
    guard fix.hasPosition, let time = fix.time, time >= FixGate.firstTime,
      case .refused(let objection, let isNews) = step.clock.judge(time, received: fix.received)
    else { return true }
    if isNews { step.log(.dateRefused, objection.text, level: .warning) }
    return false
  }

  /// An epoch without a fix has come.
  mutating func searching(_ search: GnssSearch, at now: BootInstant) {
    motion.heard(search, at: now)
  }

  /// The search has come to nothing.
  mutating func searchFailed(_ search: GnssSearch, _ step: inout Turn) {
    motion.looked(search.sky, at: step.now)
    seen.searchFailed()
    recordRest(session: search.sessionID, &step)
  }

  // MARK: Everything else

  /// Asks every source that is due.
  /// - Parameter answersDue: when the policy wants a coarse location of what has to be asked.
  mutating func ask(_ step: inout Turn, answersDue: BootInstant?) {
    coarse.ask(&step, answersDue: answersDue)
    if let source = motion.takeScan(at: step.now) { step.perform(.scan(source: source)) }
  }

  /// A coarse location; nil for one that is not believed.
  mutating func take(
    _ answer: CoarseObservation, from source: String, _ step: inout Turn
  ) -> CoarseTracking.Believed? {
    words.heard(.location(answer), from: source, at: step.now)
    guard coarse.admits(answer, from: source, at: step.now) else { return nil }
    let believed = coarse.take(answer, gnss: pipeline.lastGnss, &step)
    step.counters.countCoarse(isAccepted: believed != nil)
    if let believed { step.store(.coarse(believed.observation)) }
    return believed
  }

  /// A coarse location is believed, and the policy has heard of it.
  mutating func located(coarsely location: Location, session: Int64?, _ step: inout Turn) {
    motion.located(location, at: step.now)
    seen.located(location)
    let isAtRest = motion.isResting && motion.isWatched
    record(pipeline.take(coarse: location, isAtRest: isAtRest), session: session, &step)
  }

  /// - Returns: whether something seems to have changed that is worth a look.
  mutating func heard(_ evidence: Evidence, from source: String, at now: BootInstant) -> Bool {
    words.heard(evidence, from: source, at: now)
    coarse.answered(source, at: now)
    let before = motion.suspicion
    motion.heard(evidence, at: now)
    return motion.suspicion != nil && motion.suspicion != before
  }

  mutating func timePassed(at now: BootInstant) { motion.timePassed(at: now) }

  mutating func scanFailed(_ source: String, _ why: String, _ step: inout Turn) {
    step.log(.scanFailed, why, level: .warning)
    words.failed(source, why, at: step.now)
    coarse.failed(source, at: step.now)
    motion.lost(source, at: step.now)
  }

  // MARK: What follows

  /// A location has been accepted.
  /// - Parameters:
  ///   - outcome: of which the caller records the rest.
  ///   - purpose: what it is for.
  mutating func trace(
    _ location: Location, _ outcome: LocationOutcome, for purpose: StoredTrack.Purpose,
    session: Int64?, _ step: inout Turn
  ) {
    if outcome.isOfOtherDate { store(track.beginAnew(), &step) }
    for point in track.take(location, for: purpose, session: session) { store(point, &step) }
  }

  /// - Parameter keepsShape: whether the trajectory is what is kept of a dense source.
  mutating func become(keepingShape keepsShape: Bool, _ step: inout Turn) {
    store(track.become(dense: keepsShape), &step)
  }

  private func store(_ point: TrackPoint?, _ step: inout Turn) {
    if let point { step.store(.trackPoint(point)) }
  }

  /// What the motion estimator has found out about stays.
  mutating func recordRest(session: Int64?, _ step: inout Turn) {
    for news in motion.takeNews() {
      record(pipeline.take(news, step.clock), session: session, &step)
    }
  }

  mutating func record(_ outcome: LocationOutcome, session: Int64?, _ step: inout Turn) {
    for change in outcome.visits {
      step.counters.count(change)
      step.store(change.record)
    }
    for destination in outcome.destinations { step.store(.destination(destination)) }
    for id in outcome.withdrawnDestinations { step.store(.destinationWithdrawn(id: id)) }
    for location in outcome.rests { store(track.rest(at: location), &step) }
  }

  /// The daemon ends: so does what is observed.
  mutating func finish(session: Int64?, _ step: inout Turn) {
    store(track.finish(), &step)
    record(pipeline.finish(), session: session, &step)
  }

  // MARK: Over a restart

  mutating func restoreVisits(_ snapshot: JSONValue?) {
    if let snapshot { pipeline.restore(snapshot) }
  }

  mutating func restoreAccessPoints(_ snapshot: JSONValue?) { coarse.restore(snapshot) }

  mutating func restoreMotion(_ snapshot: JSONValue?) { motion.restore(snapshot) }

  /// Takes over what an earlier run left in a store that could not be asked before.
  mutating func recall(
    _ destinations: [Destination], _ snapshot: JSONValue?, session: Int64?, _ step: inout Turn
  ) {
    record(pipeline.recall(destinations, snapshot), session: session, &step)
  }

  /// Settings have changed, what the board is connected to has not.
  mutating func inherit(from other: PositionState) {
    coarse.inherit(from: other.coarse)
    motion.inherit(from: other.motion)
    words = other.words
    seen = other.seen
  }

  /// What a store has to know for the visits to come.
  var standing: [Record] {
    pipeline.destinations.map { .destination($0) }
      + (pipeline.openVisit.map { [.visit($0)] } ?? [])
  }

  mutating func renumber(by shift: Renumbering) {
    pipeline.renumber(by: shift)
    track.renumber(by: shift)
  }
}
