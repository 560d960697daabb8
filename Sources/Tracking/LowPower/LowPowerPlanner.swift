import Energy
import Quantities
import Records

/// What was last asked of a receiver that nobody listens to.
enum LowPowerMode: Hashable, Sendable {
  case off
  case sleeping
  /// It could not be put to sleep, and nothing else can be done: it goes on with what it did.
  case powered(GnssState)

  /// What to ask of the switch for it. `off` means to let go of the line, too, so it is right also
  /// where nothing can be cut.
  var powerState: PowerState { self == .sleeping ? .sleep : .off }
}

/// How the receiver spends the time while it is not wanted, and why so.
public struct LowPowerPlan: Hashable, Sendable {
  public var choice: LowPowerDecision.Choice
  /// One sentence for people, with its figures and units.
  public var reason: String
  /// From the decision until it is wanted again; a guess where no date is known.
  public var pause: Seconds
  /// Nil: until something happens.
  public var until: BootInstant?
  /// From which pause on a harder way would pay; nil: none ever.
  public var paysUntil: Seconds?
}

/// On, asleep, or cut off: what becomes of a receiver that is not wanted for a while, and of a
/// switch that refuses.
///
/// It is decided when the wish ends, and again only when the pause changes. Within one pause the
/// ways lead from on over asleep to off and never back, so that nothing flaps.
struct LowPowerPlanner: Sendable {
  /// Where nobody has said when GNSS is wanted again: a night, or a working day.
  private static let unknownPause = Seconds.hours(8)
  /// A driver that is loaded late, or a cable that is put back, is there within seconds; asking a
  /// switch again costs next to nothing.
  private static let firstSwitchRetry = Seconds(10)

  /// What can be done with the supply, as well as it is known.
  private var capabilities: PowerCapabilities
  /// The receiver's currents, as well as they are known.
  private var model: ReceiverEnergyModel
  private var mode = LowPowerMode.off
  /// Nil while the receiver is wanted.
  private(set) var plan: LowPowerPlan?
  private var sleepBreaker = SleepCircuitBreaker()
  /// After the switch has refused to switch on.
  private var switchOn: BackOff
  /// After it has refused to switch off: the receiver is still powered, wanted or not.
  private var switchOff: BackOff
  /// The end of the pause that was last told with an effect.
  private var toldUntil: BootInstant?

  init(_ capabilities: PowerCapabilities, model: ReceiverEnergyModel, maxRetryPause: Seconds) {
    self.capabilities = capabilities
    self.model = model
    switchOn = BackOff(first: Self.firstSwitchRetry, maxPause: maxRetryPause)
    switchOff = switchOn
  }

  // MARK: What is known

  /// What the receiver does while there is no session. One that could not be switched off goes on
  /// searching, and draws what that takes.
  var state: GnssState {
    if switchOff.failures > 0 { return .acquiring }
    switch mode {
    case .off: return .off
    case .sleeping: return .sleeping
    case .powered(let state): return state
    }
  }

  /// Whether nothing can be done about its drawing current.
  var isStillPowered: Bool { if case .powered = mode { true } else { false } }

  /// When the switch is tried again that has refused to switch off.
  var retryOff: BootInstant? { switchOff.until }

  /// Until when the switch that has refused to switch on is left in peace, and why.
  func pause(at now: BootInstant) -> Pause? {
    guard let until = switchOn.until, now < until else { return nil }
    return Pause(
      until: until,
      reason: "the switch failed: waiting before attempt \(switchOn.failures + 1)")
  }

  private var canSleep: Bool { capabilities.canSleep && !sleepBreaker.isOpen }

  /// Whether ephemeris that is gathered now will be there, and fresh, when GNSS is wanted again.
  func keepsEphemeris(until: BootInstant?, of search: GnssSearch, at now: BootInstant) -> Bool {
    if let until, until - now > TTFFPrediction.ephemerisLife { return false }
    guard capabilities.canCut, !capabilities.hasBackup else { return true }
    let plan = weigh(until: until, canLeaveOn: false, canSleep: canSleep, of: search, at: now)
    return plan.choice != .cut
  }

  /// What costs the least until `until`; nil: nobody knows until when.
  private func weigh(
    until: BootInstant?, canLeaveOn: Bool, canSleep: Bool, of search: GnssSearch,
    at now: BootInstant
  ) -> LowPowerPlan {
    let pause = until.map { max($0 - now, 0) } ?? Self.unknownPause
    let forecast = search.forecast(pause: pause, hasBackup: capabilities.hasBackup, at: now)
    let decision = LowPowerDecision(
      pause: pause, model: model, forecast: forecast, canLeaveOn: canLeaveOn, canSleep: canSleep,
      canCut: capabilities.canCut)
    let guess = until == nil ? "; the pause is a guess, nobody said how long" : ""
    return LowPowerPlan(
      choice: decision.choice, reason: decision.reason + guess, pause: pause, until: until,
      paysUntil: decision.paysUntil)
  }

  // MARK: From on to low power

  /// The receiver is switched on.
  mutating func powerOn(_ turn: inout Turn) {
    switchOff.succeeded()
    plan = nil
    request(.on, &turn)
  }

  /// It is on, and wanted.
  mutating func stayOn() { plan = nil }

  /// It is on and no longer wanted: leaves it on all the same where that costs least, and answers
  /// whether it does.
  mutating func leaveOn(until: BootInstant?, search: GnssSearch, at now: BootInstant) -> Bool {
    guard search.hasFix || plan != nil, capabilities.canCut || canSleep else { return false }
    if let plan, plan.until == until { return true }
    let choice = weigh(until: until, canLeaveOn: true, canSleep: canSleep, of: search, at: now)
    guard choice.choice == .leaveOn else { return false }
    plan = choice
    return true
  }

  /// Chooses how it is to spend the pause, and asks for it. What has just failed is cut off if it
  /// can be.
  mutating func powerDown(
    after outcome: GnssSession.Outcome, until: BootInstant?, search: inout GnssSearch,
    _ turn: inout Turn
  ) {
    guard capabilities.canCut || canSleep else {
      return stopListening(until: until, &search, &turn)
    }
    let maySleep = canSleep && (outcome != .failed || !capabilities.canCut)
    let choice = weigh(
      until: until, canLeaveOn: false, canSleep: maySleep, of: search, at: turn.now)
    plan = choice
    enter(choice.choice == .sleep ? .sleeping : .off, &search)
    request(mode.powerState, &turn)
  }

  /// Nothing can switch the receiver: at least the board need not hear it. It goes on with what it
  /// did, and draws what that takes.
  private mutating func stopListening(
    until: BootInstant?, _ search: inout GnssSearch, _ turn: inout Turn
  ) {
    let pause = until.map { $0 - turn.now } ?? Self.unknownPause
    plan = LowPowerPlan(
      choice: .leaveOn, reason: "left on, but not listened to: nothing can switch the receiver",
      pause: pause, until: until)
    enter(.powered(search.state ?? state), &search)
    request(mode.powerState, &turn)
  }

  private mutating func enter(_ next: LowPowerMode, _ search: inout GnssSearch) {
    mode = next
    if next == .off, capabilities.canCut, !capabilities.hasBackup { search.forgetEphemeris() }
  }

  private mutating func request(_ state: PowerState, _ turn: inout Turn) {
    request(state, until: plan?.until, &turn)
  }

  private mutating func request(_ state: PowerState, until: BootInstant?, _ turn: inout Turn) {
    toldUntil = plan == nil ? nil : until
    turn.perform(.power(state, until: toldUntil))
  }

  // MARK: While it is in low power

  /// What could not be switched off is tried again: nothing empties a battery faster. Returns what
  /// `status` has to say of it; nil when all is well.
  mutating func retryPowerDown(until: BootInstant?, _ turn: inout Turn) -> String? {
    guard switchOff.failures > 0 else { return nil }
    let what = mode == .sleeping ? "put to sleep" : "switched off"
    if let due = switchOff.until, turn.now >= due {
      switchOff.retry()
      request(mode.powerState, until: until, &turn)
    }
    return "cannot be \(what); it is tried again and again"
  }

  /// The pause may have changed. One that has grown may be worth a cut.
  mutating func replan(until: BootInstant?, search: inout GnssSearch, _ turn: inout Turn) {
    guard let plan, plan.until != until else { return }
    if !capabilities.canCut, mode != .sleeping {
      self.plan?.until = until
      self.plan?.pause = until.map { max($0 - turn.now, 0) } ?? Self.unknownPause
      return
    }
    let isAsleep = mode == .sleeping
    let review = weigh(
      until: until, canLeaveOn: false, canSleep: isAsleep, of: search, at: turn.now)
    self.plan = review
    guard isAsleep, review.choice == .cut else { return }
    enter(.off, &search)
    request(.off, &turn)
    turn.log("gnss-cut", review.reason)
  }

  /// A sleep that has to end by itself is given the end that is known now.
  mutating func tellPause(_ turn: inout Turn) {
    guard let until = plan?.until, until != toldUntil else { return }
    toldUntil = until
    turn.perform(.expectWake(at: until))
  }

  // MARK: What the switch answers

  mutating func switchedOn() { switchOn.succeeded() }

  mutating func poweredDown() {
    switchOff.succeeded()
    if mode == .sleeping { sleepBreaker.succeeded() }
  }

  /// Returns until when it is left in peace.
  mutating func powerOnFailed(at now: BootInstant) -> BootInstant? {
    _ = switchOn.failed(at: now)
    return switchOn.until
  }

  mutating func powerDownFailed(search: inout GnssSearch, _ turn: inout Turn) {
    switch mode {
    case .sleeping:
      // Without a switch in the supply there is nothing else to trust in.
      if capabilities.canCut { countSleepFailure(&turn) }
      sleepFailed(&search, &turn)
    case .off where capabilities.canCut:
      // A switch that refused to switch on has nothing to switch off.
      if switchOn.failures == 0 { _ = switchOff.failed(at: turn.now) }
    case .off, .powered: break
    }
  }

  private mutating func countSleepFailure(_ turn: inout Turn) {
    guard !sleepBreaker.isOpen else { return }
    sleepBreaker.failed()
    guard sleepBreaker.isOpen else { return }
    turn.log(
      "sleep-unavailable",
      "it failed \(SleepCircuitBreaker.limit) times in a row and is not tried again",
      level: .warning)
  }

  /// It will not go to sleep in this run.
  mutating func sleepUnavailable(_ why: String, search: inout GnssSearch, _ turn: inout Turn) {
    guard !sleepBreaker.isOpen else { return }
    sleepBreaker.open()
    turn.log("sleep-unavailable", why, level: .warning)
    if !search.isOn, mode == .sleeping { sleepFailed(&search, &turn) }
  }

  /// The receiver did not go to sleep: the next-stronger way, if there is one.
  private mutating func sleepFailed(_ search: inout GnssSearch, _ turn: inout Turn) {
    if capabilities.canCut {
      plan?.choice = .cut
      plan?.reason = "cut off, because it could not be put to sleep"
      plan?.paysUntil = nil
      enter(.off, &search)
      request(.off, &turn)
    } else if canSleep {
      _ = switchOff.failed(at: turn.now)
    } else {
      plan?.choice = .leaveOn
      plan?.reason = "left on, but not listened to: it cannot be put to sleep"
      plan?.paysUntil = nil
      switchOff.succeeded()
      enter(.powered(.acquiring), &search)
    }
  }

  // MARK: What is learnt

  /// The receiver may prove unable to keep its ephemeris when the cut has already been asked for.
  mutating func learn(_ capabilities: PowerCapabilities, search: inout GnssSearch) {
    self.capabilities = capabilities
    if !search.isOn { enter(mode, &search) }
  }

  mutating func learn(_ model: ReceiverEnergyModel) {
    if model.isPlausible { self.model = model }
  }

  /// A sign that the switch may work again.
  mutating func forgetBackOff() { switchOn.retry() }

  /// Settings have changed, the hardware has not.
  mutating func inherit(from other: LowPowerPlanner, isSameReceiver: Bool) {
    switchOff = other.switchOff
    mode = other.mode
    plan = other.plan
    toldUntil = other.toldUntil
    if isSameReceiver { model = other.model }
  }
}

extension ReceiverEnergyModel {
  /// Whether it makes sense to calculate with it.
  fileprivate var isPlausible: Bool {
    let currents = [acquiring, tracking, sleeping, off]
    return supply > 0 && supply.isFinite && currents.allSatisfy { $0.isFinite && $0 >= 0 }
  }
}

/// Whether the receiver can be expected to obey a sleep command, from what came of earlier ones.
struct SleepCircuitBreaker: Hashable, Sendable {
  /// After so many failures in a row no further one is waited for.
  static let limit = 3

  private var failures = 0
  /// Sleep commands are no longer sent.
  private(set) var isOpen = false

  mutating func failed() {
    failures += 1
    if failures >= Self.limit { isOpen = true }
  }

  mutating func succeeded() { failures = 0 }

  mutating func open() { isOpen = true }
}
