import Core
import Records

/// The state that a run stores for the next: a tracker's snapshot. Each part is written and read by
/// its owner.
struct SavedState: Sendable {
  private var version = 1
  private(set) var search: JSONValue?
  private(set) var pipeline: JSONValue?
  private(set) var coarse: JSONValue?
  private var line: Location?
  /// The session of the end of the line, not necessarily the present one.
  private var lineSession: Int64?
  private(set) var clock: JSONValue?
  private(set) var motion: JSONValue?
  private var budget: JSONValue?
  private var command: JSONValue?
  /// When it was written.
  private var time: UTCInstant?
  /// The session in progress.
  private var session: GnssSession?

  private static let fields = SnapshotFields<SavedState>([
    .required("version", \.version, .count(1...1)), .omittable("acquisition", \.search, .json),
    .omittable("perception", \.pipeline, .json), .omittable("coarse", \.coarse, .json),
    .omittable("line_end", \.line, .location),
    .omittable("line_session", \.lineSession, .identifier), .omittable("date", \.clock, .json),
    .omittable("time", \.time, .date), .omittable("belief", \.motion, .json),
    .omittable("budget", \.budget, .json), .omittable("order", \.command, .json),
    .members(
      \.session, onto: GnssSession(id: 0, on: nil),
      [
        .required("session", \.id, .identifier), .omittable("session_on", \.on, .date),
        .omittable("session_ttff_s", \.timeToFirstFix, .of(.number { $0.isFinite })),
        .omittable(
          "session_restart", \.restart,
          SnapshotCoding<String>.text(3...4).mapped(
            to: { GnssSession.Restart(rawValue: $0) }, from: { $0.rawValue })),
        .defaulted("session_accepted", \.fixesAccepted, .count, 0),
        .defaulted("session_rejected", \.fixesRejected, .count, 0),
      ]),
  ])

  private init() {}

  /// The state for the next run.
  /// - Parameter lineEnd: the end of the line whose continuation is not known yet.
  init(
    _ search: GnssSearch, _ pipeline: LocationPipeline, _ coarse: CoarseTracking,
    _ clock: UTCClock, _ motion: MotionEstimator, budget: JSONValue?,
    order: PersistentGnssCommand, lineEnd: TrackPoint?, at now: BootInstant
  ) {
    self.search = search.snapshot
    self.pipeline = pipeline.snapshot
    self.coarse = coarse.snapshot
    line = lineEnd?.location
    lineSession = lineEnd?.session
    self.clock = clock.snapshot(at: now)
    time = clock.utc(at: now)
    self.motion = motion.snapshot
    self.budget = budget
    self.command = order.snapshot
    session = search.record
  }

  /// Nil, with a log event, when it cannot be decoded: starting afresh is better than not starting.
  init?(_ text: String, _ step: inout TrackerStep) {
    let saved = (try? JSONValue(parsing: text)).flatMap { Self.fields.restored($0, onto: .init()) }
    guard let saved else {
      step.log(
        .stateIgnored, "the state of the last run cannot be read; starting without it",
        level: .warning)
      return nil
    }
    self = saved
  }

  var json: JSONValue { Self.fields.snapshot(of: self) }

  /// Takes over what the earlier run began and could not finish.
  func restore(
    _ demands: inout Demands, _ search: inout GnssSearch, _ step: inout TrackerStep
  ) {
    step.clock.restore(clock)
    demands.restoreBudget(budget, at: step.now)
    if demands.restoreCommand(command), let reason = demands.command.reason {
      step.log(.commandKept, "gnss is \(reason)", level: .warning)
    }
    if let end = lineEnd { step.store(.trackPoint(end)) }
    guard let session = interruptedSession else { return }
    step.store(.session(session))
    search.follow(session.id)
  }

  /// The end of the last run's line, whose continuation is unknown: it ends as observed.
  var lineEnd: TrackPoint? {
    line.map { TrackPoint(location: $0, reason: .shape, session: lineSession) }
  }

  /// The last run ended without switching off: its session is closed with the known data.
  var interruptedSession: GnssSession? {
    guard var session else { return nil }
    session.off = time
    session.outcome = .interrupted
    return session
  }
}
