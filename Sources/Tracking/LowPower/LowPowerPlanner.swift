import Records
import Core

/// What was last asked of a receiver that nobody listens to.
enum LowPowerMode: Hashable, Sendable {
  case off
  case sleeping

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
  private var situation: Situation
  private var sleepBreaker = SleepCircuitBreaker()
  /// After the switch has refused to switch on.
  private var switchOn: BackOff
  private let maxRetryPause: Seconds

  private enum Situation: Sendable {
    /// It is on, and wanted.
    case wanted
    /// It is on and no longer wanted.
    case leftOn(CurrentPlan)
    case low(LowPower)
  }

  private struct CurrentPlan: Sendable {
    var plan: LowPowerPlan
    /// The end of the pause that was last told with an effect.
    var toldUntil: BootInstant?

    /// The end of the pause, if it has not been told yet.
    mutating func takeNews() -> BootInstant? {
      guard let until = plan.until, until != toldUntil else { return nil }
      toldUntil = until
      return until
    }
  }

  private struct LowPower: Sendable {
    var mode: LowPowerMode
    /// Nil before the first session.
    var current: CurrentPlan?
    /// After the switch has refused to switch off: the receiver is still powered.
    var switchOff: BackOff

    init(_ mode: LowPowerMode, _ plan: LowPowerPlan? = nil, maxRetryPause: Seconds) {
      self.mode = mode
      current = plan.map { CurrentPlan(plan: $0) }
      switchOff = BackOff(first: firstSwitchRetry, maxPause: maxRetryPause)
    }
  }

  init(_ capabilities: PowerCapabilities, model: ReceiverEnergyModel, maxRetryPause: Seconds) {
    self.capabilities = capabilities
    self.model = model
    self.maxRetryPause = maxRetryPause
    switchOn = BackOff(first: Self.firstSwitchRetry, maxPause: maxRetryPause)
    situation = .low(LowPower(.off, maxRetryPause: maxRetryPause))
  }

  // MARK: What is known

  /// Nil while the receiver is wanted.
  var plan: LowPowerPlan? {
    switch situation {
    case .wanted: nil
    case .leftOn(let current): current.plan
    case .low(let low): low.current?.plan
    }
  }

  /// What is drawn by the receiver at least and while it searches, and has been drawn in all.
  func draw(_ total: Joules, sources: Watts) -> EnergyDraw {
    EnergyDraw(
      total: total, resting: model.restingPower(capabilities) + sources,
      searching: model.searchingPower)
  }

  /// Nil while the receiver is on.
  private var low: LowPower? { if case .low(let low) = situation { low } else { nil } }

  /// Changes what is in low power, if it is.
  private mutating func update(_ change: (inout LowPower) -> Void) {
    guard case .low(var low) = situation else { return }
    change(&low)
    situation = .low(low)
  }

  /// When the switch is tried again that has refused to switch off.
  var retryOff: BootInstant? { low?.switchOff.until }

  /// Until when the switch that has refused to switch on is left in peace, and why.
  func pause(at now: BootInstant) -> Pause? {
    guard let until = switchOn.until, now < until else { return nil }
    return Pause(
      until: until,
      reason: "the switch failed: waiting before attempt \(switchOn.failures + 1)")
  }

  private var canSleep: Bool { capabilities.canSleep && !sleepBreaker.isOpen }

  /// Whether anything can be done to have the receiver draw less, as far as is known.
  var canRest: Bool { capabilities.canCut || canSleep }

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
  mutating func powerOn(_ step: inout Turn) {
    situation = .wanted
    step.perform(.power(.on, until: nil))
  }

  /// It is on, and wanted.
  mutating func stayOn() { situation = .wanted }

  /// It is on and no longer wanted: leaves it on all the same where that costs least, and answers
  /// whether it does.
  mutating func leaveOn(until: BootInstant?, search: GnssSearch, at now: BootInstant) -> Bool {
    guard search.hasFix || plan != nil, canRest else { return false }
    if let plan, plan.until == until { return true }
    let choice = weigh(until: until, canLeaveOn: true, canSleep: canSleep, of: search, at: now)
    guard choice.choice == .leaveOn else { return false }
    let toldUntil: BootInstant? =
      if case .leftOn(let current) = situation { current.toldUntil } else { nil }
    situation = .leftOn(CurrentPlan(plan: choice, toldUntil: toldUntil))
    return true
  }

  /// Chooses how it is to spend the pause, and asks for it. What has just failed is cut off if it
  /// can be.
  mutating func powerDown(
    after outcome: GnssSession.Outcome, until: BootInstant?, search: inout GnssSearch,
    _ step: inout Turn
  ) {
    guard canRest else {
      return stopListening(until: until, &search, &step)
    }
    let maySleep = canSleep && (outcome != .failed || !capabilities.canCut)
    let choice = weigh(
      until: until, canLeaveOn: false, canSleep: maySleep, of: search, at: step.now)
    begin(choice.choice == .sleep ? .sleeping : .off, choice, &search, &step)
  }

  /// Nothing can switch the receiver: at least the board need not hear it. It goes on with what it
  /// did, and draws what that takes.
  private mutating func stopListening(
    until: BootInstant?, _ search: inout GnssSearch, _ step: inout Turn
  ) {
    let pause = until.map { $0 - step.now } ?? Self.unknownPause
    let plan = LowPowerPlan(
      choice: .leaveOn, reason: "left on, but not listened to: nothing can switch the receiver",
      pause: pause, until: until)
    begin(.off, plan, &search, &step)
  }

  private mutating func begin(
    _ mode: LowPowerMode, _ plan: LowPowerPlan, _ search: inout GnssSearch, _ step: inout Turn
  ) {
    situation = .low(LowPower(mode, plan, maxRetryPause: maxRetryPause))
    enter(mode, &search)
    request(until: plan.until, &step)
  }

  private mutating func enter(_ mode: LowPowerMode, _ search: inout GnssSearch) {
    update { $0.mode = mode }
    if mode == .off, capabilities.canCut, !capabilities.hasBackup { search.forgetEphemeris() }
  }

  /// Asks the switch for the mode.
  private mutating func request(until: BootInstant?, _ step: inout Turn) {
    update { low in
      low.current?.toldUntil = until
      step.perform(.power(low.mode.powerState, until: low.current?.toldUntil))
    }
  }

  // MARK: While it is in low power

  /// What could not be switched off is tried again: nothing empties a battery faster. Returns what
  /// `status` has to say of it; nil when all is well.
  mutating func retryPowerDown(until: BootInstant?, _ step: inout Turn) -> String? {
    guard let low, low.switchOff.failures > 0 else { return nil }
    let what = low.mode == .sleeping ? "put to sleep" : "switched off"
    if let due = low.switchOff.until, step.now >= due {
      update { $0.switchOff.retry() }
      request(until: until, &step)
    }
    return "cannot be \(what); it is tried again and again"
  }

  /// The pause may have changed. One that has grown may be worth a cut.
  mutating func replan(until: BootInstant?, search: inout GnssSearch, _ step: inout Turn) {
    guard let low, var plan = low.current?.plan, plan.until != until else { return }
    let isAsleep = low.mode == .sleeping
    if !capabilities.canCut, !isAsleep {
      plan.until = until
      plan.pause = until.map { max($0 - step.now, 0) } ?? Self.unknownPause
    } else {
      plan = weigh(until: until, canLeaveOn: false, canSleep: isAsleep, of: search, at: step.now)
    }
    update { $0.current?.plan = plan }
    guard isAsleep, plan.choice == .cut else { return }
    enter(.off, &search)
    request(until: plan.until, &step)
    step.log(.gnssCut, plan.reason)
  }

  /// A sleep that has to end by itself is given the end that is known now.
  mutating func tellPause(_ step: inout Turn) {
    var news: BootInstant?
    if case .leftOn(var current) = situation {
      news = current.takeNews()
      situation = .leftOn(current)
    }
    update { news = $0.current?.takeNews() }
    if let news { step.perform(.expectWake(at: news)) }
  }

  // MARK: What the switch answers

  mutating func switchedOn() { switchOn.succeeded() }

  mutating func poweredDown() {
    update { $0.switchOff.succeeded() }
    if low?.mode == .sleeping { sleepBreaker.succeeded() }
  }

  /// Returns until when it is left in peace.
  mutating func powerOnFailed(at now: BootInstant) -> BootInstant? {
    _ = switchOn.failed(at: now)
    return switchOn.until
  }

  mutating func powerDownFailed(search: inout GnssSearch, _ step: inout Turn) {
    switch low?.mode {
    case .sleeping:
      // Without a switch in the supply there is nothing else to trust in.
      if capabilities.canCut { countSleepFailure(&step) }
      sleepFailed(&search, &step)
    case .off where capabilities.canCut:
      // A switch that refused to switch on has nothing to switch off.
      if switchOn.failures == 0 { update { _ = $0.switchOff.failed(at: step.now) } }
    case .off, nil: break
    }
  }

  private mutating func countSleepFailure(_ step: inout Turn) {
    guard !sleepBreaker.isOpen else { return }
    sleepBreaker.failed()
    guard sleepBreaker.isOpen else { return }
    step.log(
      .sleepUnavailable,
      "it failed \(SleepCircuitBreaker.limit) times in a row and is not tried again",
      level: .warning)
  }

  /// It will not go to sleep in this run.
  mutating func sleepUnavailable(_ why: String, search: inout GnssSearch, _ step: inout Turn) {
    guard !sleepBreaker.isOpen else { return }
    sleepBreaker.open()
    step.log(.sleepUnavailable, why, level: .warning)
    if low?.mode == .sleeping { sleepFailed(&search, &step) }
  }

  /// The receiver did not go to sleep: the next-stronger way, if there is one.
  private mutating func sleepFailed(_ search: inout GnssSearch, _ step: inout Turn) {
    if capabilities.canCut {
      amend(.cut, "cut off, because it could not be put to sleep")
      enter(.off, &search)
      request(until: plan?.until, &step)
    } else if canSleep {
      update { _ = $0.switchOff.failed(at: step.now) }
    } else {
      amend(.leaveOn, "left on, but not listened to: it cannot be put to sleep")
      update { $0.switchOff.succeeded() }
      enter(.off, &search)
    }
  }

  /// What was planned could not be done.
  private mutating func amend(_ choice: LowPowerDecision.Choice, _ reason: String) {
    update { low in
      low.current?.plan.choice = choice
      low.current?.plan.reason = reason
      low.current?.plan.paysUntil = nil
    }
  }

  // MARK: What is learnt

  /// The receiver may prove unable to keep its ephemeris when the cut has already been asked for.
  mutating func learn(_ capabilities: PowerCapabilities, search: inout GnssSearch) {
    self.capabilities = capabilities
    if let low { enter(low.mode, &search) }
  }

  mutating func learn(_ model: ReceiverEnergyModel) {
    if model.isPlausible { self.model = model }
  }

  /// A sign that the switch may work again.
  mutating func forgetBackOff() { switchOn.retry() }

  /// Settings have changed, the hardware has not.
  mutating func inherit(from other: LowPowerPlanner, isSameReceiver: Bool) {
    if let low = other.low { situation = .low(low) }
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
