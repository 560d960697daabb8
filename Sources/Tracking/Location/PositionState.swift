import Core
import GNSS
import Records

/// The board's position and motion: the data of GNSS, the coarse sources and the evidence, which of
/// it is accepted, and the resulting visits, destinations and track.
struct PositionState: Sendable {
  /// The verdict on a fix.
  enum Verdict {
    /// The outcome is recorded after the results of the location itself.
    case accepted(Location, LocationOutcome)
    case refused(RejectionReason)
  }

  private(set) var pipeline: LocationPipeline
  private var track: StoredTrack
  private(set) var coarse: CoarseTracking
  private var motion: MotionEstimator
  private var reports = SourceReports()
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

  // MARK: State

  /// The state needed to decide when to get a fix.
  func context(_ clock: UTCClock) -> TrackingContext { TrackingContext(pipeline, motion, clock) }
  /// The end of the track that is not stored yet; nil: all of it is.
  var lineEnd: TrackPoint? { track.end }

  /// The reliability of each source, and its last report.
  var sourceHealth: [SourceHealth] { motion.sourceHealth.map { $0.with(reports[$0.name]) } }

  /// For the monitoring of places.
  var sighting: Sighting {
    var sighting = seen
    sighting.rest = motion.state
    sighting.isMonitored = motion.isMonitored
    sighting.isMotionSensed = motion.isMotionSensed
    sighting.lastMotionEdge = motion.lastMotionEdge
    sighting.lastTrigger = motion.lastTrigger
    return sighting
  }

  /// When an action is due while GNSS is off.
  func due(after now: BootInstant) -> BootInstant? {
    BootInstant.earlier(coarse.nextAsking, motionDue(after: now))
  }

  /// When the motion estimate changes without an event, whatever GNSS does.
  func motionDue(after now: BootInstant) -> BootInstant? { motion.due(after: now) }

  // MARK: GNSS

  mutating func poweredOn(at now: BootInstant) { pipeline.poweredOn(at: now) }

  mutating func handle(_ fix: Fix, _ step: inout TrackerStep) -> Verdict {
    guard acceptsDate(of: fix, &step) else { return .refused(.implausibleDate) }
    let verdict = pipeline.handle(fix, after: motion.unlocatedRest(at: fix.received)) {
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

  /// A fix without a position or a time is rejected later for that.
  private func acceptsDate(of fix: Fix, _ step: inout TrackerStep) -> Bool {
    guard fix.hasPosition, let time = fix.time, time >= FixGate.firstTime,
      case .refused(let objection, let isNews) = step.clock.evaluate(time, received: fix.received)
    else { return true }
    if isNews { step.log(.dateRefused, objection.text, level: .warning) }
    return false
  }

  /// Handles an epoch without a fix.
  mutating func searching(_ search: GnssSearch, at now: BootInstant) {
    motion.handle(search, at: now)
  }

  /// Handles a search that failed.
  mutating func searchFailed(_ search: GnssSearch, _ step: inout TrackerStep) {
    motion.attemptFailed(search.signalQuality, at: step.now)
    seen.searchFailed()
    recordRest(session: search.sessionID, &step)
  }

  // MARK: Other sources

  /// Queries every source that is due.
  /// - Parameter answersDue: when the policy needs a coarse location of sources that have to be
  ///   queried.
  mutating func request(_ step: inout TrackerStep, answersDue: BootInstant?) {
    coarse.request(&step, answersDue: answersDue)
    if let source = motion.takeScan(at: step.now) { step.perform(.scan(source: source)) }
  }

  /// Handles a coarse location; nil for one that is rejected.
  mutating func handle(
    _ answer: CoarseObservation, from source: String, _ step: inout TrackerStep
  ) -> CoarseTracking.Accepted? {
    reports.update(.location(answer), from: source, at: step.now)
    guard coarse.admits(answer, from: source, at: step.now) else { return nil }
    let believed = coarse.take(answer, gnss: pipeline.lastGnss, &step)
    step.counters.countCoarse(isAccepted: believed != nil)
    if let believed { step.store(.coarse(believed.observation)) }
    return believed
  }

  /// Handles an accepted coarse location, after the policy.
  mutating func located(coarsely location: Location, session: Int64?, _ step: inout TrackerStep) {
    motion.located(location, at: step.now)
    seen.located(location)
    let isAtRest = motion.isResting && motion.isMonitored
    record(
      pipeline.handle(coarse: location, isAtRest: isAtRest, step.clock), session: session, &step)
  }

  /// - Returns: whether there seems to be a change that is worth a fix attempt.
  mutating func handle(_ evidence: Evidence, from source: String, at now: BootInstant) -> Bool {
    reports.update(evidence, from: source, at: now)
    coarse.answered(source, at: now)
    let before = motion.lastTrigger
    motion.handle(evidence, from: source, at: now)
    return motion.lastTrigger != nil && motion.lastTrigger != before
  }

  mutating func timePassed(at now: BootInstant) { motion.timePassed(at: now) }

  mutating func scanFailed(_ source: String, _ why: String, _ step: inout TrackerStep) {
    step.log(.scanFailed, why, level: .warning)
    reports.failed(source, why, at: step.now)
    coarse.failed(source, at: step.now)
    motion.lost(source, at: step.now)
  }

  // MARK: Results

  /// Stores the track after an accepted location.
  /// - Parameters:
  ///   - outcome: only its date is used here; the caller records the rest.
  ///   - purpose: what the location is for.
  mutating func trace(
    _ location: Location, _ outcome: LocationOutcome, for purpose: StoredTrack.Purpose,
    session: Int64?, _ step: inout TrackerStep
  ) {
    if outcome.isOfOtherDate { store(track.restartForDate(), &step) }
    for point in track.add(location, for: purpose, session: session) { store(point, &step) }
  }

  /// - Parameter keepsShape: whether fixes are dense, so that the trajectory keeps its shape.
  mutating func become(keepingShape keepsShape: Bool, _ step: inout TrackerStep) {
    store(track.become(dense: keepsShape), &step)
  }

  private func store(_ point: TrackPoint?, _ step: inout TrackerStep) {
    if let point { step.store(.trackPoint(point)) }
  }

  /// Records the findings of the motion estimator about stays.
  mutating func recordRest(session: Int64?, _ step: inout TrackerStep) {
    for news in motion.takeEvents() {
      record(pipeline.handle(news, step.clock), session: session, &step)
    }
  }

  mutating func record(_ outcome: LocationOutcome, session: Int64?, _ step: inout TrackerStep) {
    for change in outcome.visits {
      step.counters.count(change)
      step.store(change.record)
    }
    for destination in outcome.destinations { step.store(.destination(destination)) }
    for id in outcome.withdrawnDestinations { step.store(.destinationWithdrawn(id: id)) }
    for location in outcome.rests { store(track.rest(at: location), &step) }
  }

  /// Ends the observations with the daemon.
  mutating func finish(session: Int64?, _ step: inout TrackerStep) {
    store(track.finish(), &step)
    record(pipeline.finish(), session: session, &step)
  }

  // MARK: Over a restart

  mutating func restoreVisits(_ snapshot: JSONValue?) {
    if let snapshot { pipeline.restore(snapshot) }
  }

  mutating func restoreAccessPoints(_ snapshot: JSONValue?) { coarse.restore(snapshot) }

  mutating func restoreMotion(_ snapshot: JSONValue?) { motion.restore(snapshot) }

  /// Takes over the state of an earlier run from a store that was not readable before.
  mutating func recall(
    _ destinations: [Destination], _ snapshot: JSONValue?, session: Int64?,
    _ step: inout TrackerStep
  ) {
    record(pipeline.recall(destinations, snapshot), session: session, &step)
  }

  /// The settings have changed, the access point has not.
  mutating func inherit(from other: PositionState) {
    coarse.inherit(from: other.coarse)
    motion.inherit(from: other.motion)
    reports = other.reports
    seen = other.seen
  }

  /// The records that a store needs for later visits.
  var currentRecords: [Record] {
    pipeline.destinations.map { .destination($0) }
      + (pipeline.openVisit.map { [.visit($0)] } ?? [])
  }

  mutating func renumber(by shift: Renumbering) {
    pipeline.renumber(by: shift)
    track.renumber(by: shift)
  }
}
