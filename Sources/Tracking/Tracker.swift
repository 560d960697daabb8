import Energy
import Quantities
import ReceiverProtocols
import Records

/// The heart: takes in everything that happens and answers with what to do. It reads no clock,
/// waits for nothing, never fails and never logs.
///
/// A step has two halves: the event changes what is known (fixes are gated and feed dwell and
/// trajectory, the policy hears of locations), then `decide` compares what the policy wants with
/// what the receiver does, and asks for the difference.
public struct Tracker: Sendable {
  var settings: TrackerSettings
  var policy: any Policy
  var perception: Perception
  var acquisition: Acquisition
  var coarseJudge: CoarseJudge
  var clock = CivilClock()
  var session: GnssSession?
  var sessionStarted = BootInstant.zero
  /// Why fixes of the session were not believed.
  var sessionRejections: [RejectionReason: Int] = [:]
  var nextSessionID: Int64
  var gnssOverride = GnssOverride.auto
  var isStopping = false
  /// The last fix of those that come at present; nil while one is searched for.
  var lastAccepted: BootInstant?
  var rhythm = EpochRhythm()
  var satellitesInView: Int?
  /// The coarse location that waits for something better with a similar time.
  var coarseToReplace: Sighting?
  /// The last location that GNSS gave.
  public internal(set) var lastGnss: Sighting?
  var accessPoint: (name: String, seen: BootInstant)?
  /// After the switch has refused to switch on.
  var switchOnBackOff: BackOff
  /// After it has refused to switch off: the receiver is still powered, wanted or not.
  var switchOffBackOff: BackOff
  var requestedWake: BootInstant?
  /// What was last asked of the receiver while there is no session.
  var rest = Rest.off
  /// How the receiver spends the time while it is not wanted; nil while it is.
  public internal(set) var idle: Idle?
  /// The receiver's currents, as well as they are known.
  var energyModel: ReceiverEnergyModel
  var sleepTrust = SleepTrust()
  /// When the coarse source was asked that has not answered yet.
  var scanAsked: BootInstant?
  var nextScan = BootInstant.zero
  public internal(set) var counters = TrackerCounters()
  /// Why GNSS is on or off.
  public internal(set) var reason = "not started"

  /// A driver that is loaded late, or a cable that is put back, is there within seconds; asking a
  /// switch again costs next to nothing.
  static let firstSwitchRetry = Seconds(10)

  /// - Parameter identifiers: the highest ids in use, new ones go on from there.
  public init(
    settings: TrackerSettings, lastSessionID: Int64 = 0, lastVisitID: Int64 = 0,
    lastDestinationID: Int64 = 0, destinations: [Destination] = []
  ) {
    self.settings = settings
    energyModel = settings.receiver
    policy = settings.policy.make(hasCoarseSource: settings.hasCoarseSource)
    perception = Perception(
      settings.perception, nextVisitID: RecordIdentifier.following(lastVisitID),
      lastDestinationID: lastDestinationID, destinations: destinations)
    acquisition = Acquisition(
      settings.acquisition,
      prediction: LockPrediction(
        hotStart: settings.receiver.hotStart, coldStart: settings.receiver.coldStart))
    coarseJudge = CoarseJudge(settings.coarse)
    switchOnBackOff = BackOff(
      first: Self.firstSwitchRetry, longest: settings.acquisition.longestBackOff)
    switchOffBackOff = switchOnBackOff
    nextSessionID = RecordIdentifier.following(lastSessionID)
  }

  /// What GNSS is doing now, for `status` and for the attribution of energy. A receiver that could
  /// not be switched off goes on searching, and draws what that takes.
  public var gnssState: GnssState {
    if session != nil { return lastAccepted == nil ? .acquiring : .tracking }
    if switchOffBackOff.failures > 0 { return .acquiring }
    switch rest {
    case .off: return .off
    case .sleeping: return .sleeping
    case .powered(let state): return state
    }
  }

  /// What its energy is put down to.
  public var attributedState: GnssState {
    gnssState == .off && scanAsked != nil ? .coarse : gnssState
  }

  /// What GNSS is doing for those who want to know where they are: a receiver that nothing can
  /// switch is as good as off while nobody listens, although it draws its current.
  public var heardState: GnssState {
    if !isListening, case .powered = rest { return .off }
    return gnssState
  }

  /// Whether somebody wants to hear what the receiver says.
  public var isListening: Bool { session != nil }

  public var policyName: String { settings.policy.name }
  public var nextWake: BootInstant? { requestedWake }
  public var openVisit: Visit? { perception.openVisit }
  /// Whether `utc(at:)` rests on what a receiver said.
  public var isDateFromReceiver: Bool { clock.isFromReceiver }
  /// Who stands behind the receiver's date besides the receiver. Nothing is deleted for a date that
  /// nobody stands behind.
  public var dateWitness: DateWitness? { clock.witness }
  /// Why the receiver's date does not count at present; nil while it does.
  public var dateObjection: DateObjection? { clock.objection }
  public func utc(at instant: BootInstant) -> UTCInstant? { clock.utc(at: instant) }

  public mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .started(let date, let boot):
      clock.started(system: date, boot: boot)
      policy.started(at: now)
    case .systemDate(let date): clock.heard(system: date)
    case .fix(let fix): take(fix, at: now, into: &effects)
    case .coarse(let observation): take(observation, at: now, into: &effects)
    case .woke: break
    case .effectFinished(let kind): finished(kind)
    case .sleepUnavailable(let why): sleepUnavailable(why, at: now, into: &effects)
    case .learnt(let means): learn(means)
    case .measured(let model): if model.isPlausible { energyModel = model }
    case .effectFailed(let kind, let why): failed(kind, why, at: now, into: &effects)
    case .command(.gnss(let wanted)):
      gnssOverride = wanted
      acquisition.forgetBackOff()
      switchOnBackOff.retry()
      note("command", "gnss \(wanted.rawValue)", at: now, into: &effects)
    case .stopping:
      isStopping = true
      record(perception.finish(), into: &effects)
    }
    decide(at: now, into: &effects)
    return effects
  }

  func note(
    _ kind: String, _ reason: String, level: Note.Level = .info, at now: BootInstant,
    into effects: inout [Effect]
  ) {
    let note = Note(kind, reason, level: level)
    effects.append(.note(note))
    effects.append(.store(.event(note, time: clock.utc(at: now))))
  }
}

/// How often what happened, since the start.
public struct TrackerCounters: Hashable, Sendable {
  public var fixesAccepted = 0
  /// Whatever the receiver said about where it is, and be it that it does not know.
  public var epochs: Int {
    fixesAccepted + fixesRejected.values.reduce(0, +) + epochsWithoutFix + fixesLate
  }
  /// The receiver spoke, and had no place to offer.
  public var epochsWithoutFix = 0
  /// By the gate's reasons.
  public var fixesRejected: [RejectionReason: Int] = [:]
  /// Fixes that arrived after switch-off: the line's last bytes.
  public var fixesLate = 0
  public var sessions = 0
  public var searchesFailed = 0
  public var visits = 0
  public var coarseAccepted = 0
  public var coarseDiscarded = 0
}
