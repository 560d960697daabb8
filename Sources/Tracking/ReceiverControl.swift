import Core
import Records

/// Switches the receiver: compares the demand with what the receiver does, and requests the
/// difference, as far as reception and the switch allow it.
struct ReceiverControl: Sendable {
  /// What has become of the session.
  enum Change {
    case unchanged, opened, closed
    /// There is no signal: the caller closes it, with the demand that follows from that.
    case searchFailed(pause: Seconds)
  }

  private var lowPower: LowPowerPlanner
  /// Why GNSS is on or off.
  private(set) var reason = "not started"

  init(_ settings: TrackerSettings) {
    lowPower = LowPowerPlanner(
      settings.power, model: settings.receiver,
      maxRetryPause: settings.acquisition.maxBackOff)
  }

  // MARK: The demand

  /// How the receiver spends the time without demand; nil while there is demand.
  var lowPowerPlan: LowPowerPlan? { lowPower.plan }
  /// Whether the receiver's draw can be reduced, as far as is known.
  var canRest: Bool { lowPower.canRest }

  /// Whether ignoring the receiver would save nothing.
  func listensAllTheTime(for demands: Demands) -> Bool { !canRest && !demands.isVetoed }

  /// The demand, as far as the switch and reception allow it.
  func wanted(
    by demands: Demands, _ search: GnssSearch, in context: TrackingContext, at now: BootInstant
  ) -> GnssDemand {
    if listensAllTheTime(for: demands), lowPower.pause(at: now) == nil {
      return demands.demandOfUnswitched
    }
    return search.isOn
      ? demands.demand(at: now, in: context)
      : wantedNext(by: demands, after: search, in: context, at: now)
  }

  /// The demand for the next session.
  func wantedNext(
    by demands: Demands, after search: GnssSearch, in context: TrackingContext, at now: BootInstant
  ) -> GnssDemand {
    demands.demand(at: now, in: context, after: search, switchPause: lowPower.pause(at: now))
  }

  private func givesUpSearching(for demands: Demands, at now: BootInstant) -> Bool {
    demands.givesUpSearching(at: now) && canRest
  }

  // MARK: Switching

  /// Switches where the demand differs from what the receiver does.
  mutating func follow(
    _ demand: GnssDemand, of demands: Demands, _ search: inout GnssSearch,
    _ step: inout TrackerStep
  ) -> Change {
    reason = demand.reason
    switch (search.isOn, demand.mode) {
    case (false, .on):
      lowPower.powerOn(&step)
      search.open(because: demand.reason, &step)
      return .opened
    case (false, .off(let until)):
      reason = lowPower.retryPowerDown(until: until, &step) ?? reason
      lowPower.replan(until: until, search: &search, &step)
      return .unchanged
    case (true, _): return reconsider(demand, of: demands, &search, &step)
    }
  }

  /// The receiver is on: decides whether it goes off.
  private mutating func reconsider(
    _ demand: GnssDemand, of demands: Demands, _ search: inout GnssSearch,
    _ step: inout TrackerStep
  ) -> Change {
    if givesUpSearching(for: demands, at: step.now),
      search.hasNoChance(at: step.now, worth: demand.worth)
    {
      if lowPower.plan != nil, case .off(let until) = demand.mode {
        // Left on because keeping a fix cost nothing; the fix is lost and not in demand.
        return close(.fixObtained, until: until, &search, &step)
      }
      reason = "no signal"
      return .searchFailed(pause: search.failed(&step))
    }
    guard case .off(let until) = demand.mode else {
      lowPower.stayOn()
      return .unchanged
    }
    if !demands.isForcedOff {
      if search.isGatheringEphemeris(at: step.now),
        lowPower.keepsEphemeris(until: until, of: search, at: step.now)
      {
        reason = "collecting ephemeris after a cold start"
        return .unchanged
      }
      if lowPower.leaveOn(until: until, search: search, at: step.now) {
        reason = lowPower.plan?.reason ?? reason
        return .unchanged
      }
    }
    let hasSucceeded = demands.isAutomatic && search.hasHadFix
    return close(hasSucceeded ? .fixObtained : .stopped, until: until, &search, &step)
  }

  /// Switches off at the end of a session.
  /// - Parameter until: when GNSS is wanted again, if known.
  mutating func close(
    _ outcome: GnssSession.Outcome, until: BootInstant?, _ search: inout GnssSearch,
    _ step: inout TrackerStep
  ) -> Change {
    search.switchedOff(at: step.now)
    lowPower.powerDown(after: outcome, until: until, search: &search, &step)
    search.close(outcome, &step)
    return .closed
  }

  /// Announces the end of the pause for a sleep that has to end by itself.
  mutating func announcePause(_ step: inout TrackerStep) { lowPower.announcePause(&step) }

  /// When to decide again without an event.
  func planChecks(
    _ demand: GnssDemand, of demands: Demands, _ search: inout GnssSearch, at now: BootInstant
  ) -> [BootInstant] {
    var checks = search.planChecks(givesUp: givesUpSearching(for: demands, at: now), at: now)
    if case .off(let until?) = demand.mode, !search.isOn || lowPower.plan != nil {
      checks.append(until)
    }
    if !search.isOn, !demands.isEnding, let retry = lowPower.retryOff { checks.append(retry) }
    return checks
  }

  // MARK: Events

  /// Handles a report of the receiver or its switch; ignores every other event.
  mutating func handle(
    _ event: Event, _ search: inout GnssSearch, _ step: inout TrackerStep
  ) -> Change {
    switch event {
    case .powerReached: if search.isOn { lowPower.switchedOn() } else { lowPower.poweredDown() }
    case .powerFailed(let why):
      step.log(.switchFailed, why, level: .warning)
      if search.isOn {
        return close(.failed, until: lowPower.powerOnFailed(at: step.now), &search, &step)
      }
      lowPower.powerDownFailed(search: &search, &step)
    case .sleepUnavailable(let why): lowPower.sleepUnavailable(why, search: &search, &step)
    case .learnt(let means): lowPower.learn(means, search: &search)
    case .measured(let model): lowPower.learn(model)
    default: break
    }
    return .unchanged
  }

  /// The receiver's draw as part of that of the board.
  func draw(_ total: Joules, sources: Watts) -> EnergyDraw {
    lowPower.draw(total, sources: sources)
  }

  mutating func forgetBackOff() { lowPower.forgetBackOff() }

  /// The settings have changed, the hardware has not.
  mutating func inherit(from other: ReceiverControl, isSameReceiver: Bool) {
    lowPower.inherit(from: other.lowPower, isSameReceiver: isSameReceiver)
  }
}
