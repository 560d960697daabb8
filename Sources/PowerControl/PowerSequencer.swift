import Energy
import Quantities
import ReceiverProtocols

/// What happens, in which order and with which pauses, between wanting a receiver on, asleep or off
/// and having it so. It reads no clock and touches no line: it is told what happens and answers
/// with what to do.
///
/// Sequences are finished before the next one begins, and none lasts longer than some seconds, so
/// that no line is ever left half way. What is wanted meanwhile is remembered; the last wish
/// counts.
public struct PowerSequencer: Sendable {
  /// How far things are.
  enum Stage: Hashable, Sendable {
    /// Nothing is known: the daemon has just started.
    case unknown
    case off
    /// The supply is on, the module settles.
    case settling(until: BootInstant)
    case on
    /// The wake line is held active.
    case wakingByLine(SleepMethod, until: BootInstant)
    /// Awake, but what it is told may still be lost.
    case waking(until: BootInstant)
    /// A sleep command is out. What comes until `drained` had begun before it.
    case fallingAsleep(SleepAttempt)
    case asleep(SleepMethod)
    /// Orbits are being saved; at `until` at the latest the power goes.
    case keepingOrbits(until: BootInstant)
    /// The supply was taken away to revive it.
    case reviving(until: BootInstant)
    case resetting(until: BootInstant)
  }

  let wiring: PowerWiring
  var stage = Stage.unknown
  var wanted: PowerState?
  /// Nobody asked for what is wanted: it is to be again as it was, and is not answered.
  var isOwnWish = false
  /// When the receiver will be wanted again.
  var wantedUntil: BootInstant?
  public internal(set) var identity = ReceiverIdentity()
  /// Under way while the receiver is being asked who it is.
  var probe: ReceiverProbe?
  var probeDue: BootInstant?
  var probes = 0
  /// What has been tried since the receiver was last heard.
  var revival = Revival()
  /// The receiver should have spoken by then.
  var answerBy: BootInstant?
  /// Whether it has spoken since it was switched on, or woken.
  var hasSpoken = false
  /// When it spoke last, and the longest that it was silent in between.
  var lastHeard: BootInstant?
  var pace: Seconds = 0
  /// Whether its line is open. Where it is not, silence tells nothing.
  var isListening = true
  /// When it ends its sleep by itself.
  var wakesItself: BootInstant?
  /// Methods that this receiver did not obey.
  var disobeyed: Set<SleepMethod> = []
  var pendingRestart: RestartKind?
  var aid: StartAid?
  /// It was without any supply and knows neither time nor place, as far as it cannot restore them.
  var hasForgotten: Bool
  /// The receiver's navigation database, kept over a cut.
  var orbits: [OrbitData] = []
  /// Its flash may hold orbits: an earlier run may have left some.
  var orbitsSaved = true
  /// A dump of orbits is over by then.
  var dumpBy = BootInstant.zero
  /// The receiver has no flash to save orbits in, or refuses.
  var cannotSave = false
  /// It does not hand out its orbits.
  var cannotDump = false

  public init(_ wiring: PowerWiring) {
    self.wiring = wiring
    hasForgotten = !wiring.hasBackupSupply
  }

  /// When `timePassed` has something to do; nil when only the world can change that.
  public var due: BootInstant? {
    switch stage {
    case .unknown, .off: nil
    case .asleep: wakesItself
    case .on: [answerBy, probeDue].compactMap { $0 }.min()
    case .settling(let until), .wakingByLine(_, let until), .waking(let until),
      .keepingOrbits(let until), .reviving(let until), .resetting(let until):
      until
    case .fallingAsleep(let attempt): attempt.due
    }
  }

  public mutating func step(_ event: PowerEvent, at now: BootInstant) -> [PowerAction] {
    var actions: [PowerAction] = []
    switch event {
    case .want(let state, let until):
      wanted = state
      isOwnWish = false
      wantedUntil = until
      pursue(at: now, &actions)
    case .expect(let until): wantedUntil = until
    case .know(let aid): self.aid = aid
    case .restart(let kind): restart(kind, &actions)
    case .listening(let isListening): listening(isListening, at: now, &actions)
    case .heard(let validFrames): heard(validFrames, at: now, &actions)
    case .answer(let answer): take(answer, at: now, &actions)
    case .lineFailed(let line, let reason): failed(line, reason, &actions)
    case .timePassed: timePassed(at: now, &actions)
    case .leave: leave(&actions)
    }
    return actions
  }

  /// Begins what leads from a stage of rest to what is wanted.
  mutating func pursue(at now: BootInstant, _ actions: inout [PowerAction]) {
    guard let wanted else { return }
    switch (stage, wanted) {
    case (.unknown, .on), (.off, .on): powerUp(at: now, &actions)
    case (.asleep(let method), .on): wake(method, at: now, &actions)
    case (.on, .sleep): fallAsleep(at: now, &actions)
    // Without a line to cut by, asleep is as far off as it gets.
    case (.on, .off) where sleepsForOff: fallAsleep(at: now, &actions)
    case (.on, .off): keepOrbits(at: now, &actions)
    case (.asleep, .off) where !wiring.canCut: settle(.off, &actions)
    // It has its supply, and has to be told.
    case (.unknown, .off) where sleepsForOff, (.unknown, .sleep) where sleepsForOff,
      (.off, .sleep) where sleepsForOff:
      powerUp(at: now, &actions)
    case (.unknown, .off), (.unknown, .sleep), (.asleep, .off): cut(&actions)
    case (.on, .on), (.off, .off), (.asleep, .sleep): settle(wanted, &actions)
    // What is without supply need not be woken to be put to sleep.
    case (.off, .sleep): settle(.off, &actions)
    case (.settling, _), (.wakingByLine, _), (.waking, _), (.fallingAsleep, _),
      (.keepingOrbits, _), (.reviving, _), (.resetting, _):
      return
    }
  }

  private var sleepsForOff: Bool { !wiring.canCut && canSleep }

  /// Something was reached. It answers the wish, unless something else is wanted by now.
  mutating func settle(_ state: PowerState, _ actions: inout [PowerAction]) {
    if !isOwnWish { actions.append(.reached(state)) }
    isOwnWish = false
    wanted = nil
  }

  private mutating func timePassed(at now: BootInstant, _ actions: inout [PowerAction]) {
    guard let due, now >= due else { return }
    switch stage {
    case .unknown, .off: return
    case .asleep(let method): sleepAgain(method, at: now, &actions)
    case .on:
      askFurther(at: now, &actions)
      if let answerBy, now >= answerBy { silent(at: now, &actions) }
    case .settling: poweredUp(at: now, &actions)
    case .wakingByLine(let method, _): releaseWakeLine(method, at: now, &actions)
    case .waking: woken(at: now, &actions)
    case .fallingAsleep(let attempt): judge(attempt, at: now, &actions)
    case .keepingOrbits:
      orbitsNotCome(&actions)
      orbitsKept(&actions)
    case .reviving where wanted == .off || wanted == .sleep:
      stage = .off
      settle(.off, &actions)
    case .reviving: powerUp(at: now, &actions)
    case .resetting: resetDone(at: now, &actions)
    }
  }

  /// A line did not take its level. Of the supply this is said, and the tracker tries again with
  /// growing pauses. Whatever other line it was, the supply goes: a module that runs unnoticed
  /// empties the battery, which is worse than a pin that is driven without supply.
  private mutating func failed(
    _ line: PowerLine, _ reason: String, _ actions: inout [PowerAction]
  ) {
    // The stage is the one that the actions would have led to.
    let isUnwanted = stage == .off || wanted == .off || wanted == .sleep
    stage = .unknown
    answerBy = nil
    actions.append(.closeReceiver)
    if line != .supply, wiring.lines.contains(.supply) {
      stage = .off
      supplyGoes(&actions)
      if isUnwanted {
        note("line-failed", reason, &actions)
        return settle(.off, &actions)
      }
    }
    wanted = nil
    actions.append(.failed(reason: reason))
  }

  /// The daemon ends. Only what takes no time can be done; the state of the supply is the switch's
  /// own matter when it is closed (`on_exit`).
  private mutating func leave(_ actions: inout [PowerAction]) {
    if stage == .on, wiring.onExit == .off, !wiring.canCut,
      let method = sleepLadder.first, let order = commands.sleep(method, for: nil)
    {
      actions.append(.send(order))
    }
    actions.append(.closeReceiver)
    if wiring.onExit == .off { cutLines(&actions) }
    stage = .unknown
    actions.append(.reached(.off))
    wanted = nil
  }
}
