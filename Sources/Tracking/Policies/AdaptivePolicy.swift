import Core
import Records

/// What to detect, and how accurately.
public struct AdaptiveSettings: Hashable, SettingGroup {
  public var trajectoryError: Metres = 100
  var timing: Seconds = 240
  public var budget = BudgetSettings()

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "policy.adaptive", counts: .atReload, "Targets of the adaptive policy, and its budget."
    )
    setting(
      "trajectory_error_m", &trajectoryError, .quantity(10...10_000),
      "Maximum error of the stored track while the board is under way, as a target.")
    setting(
      "timing_s", &timing, .quantity(30...3600),
      "Interval of fix attempts where no source reports arrivals and departures, up to a quarter "
        + "longer at hours at which a place is never left. Shorter stays may be missed.")
    budget.declare(setting)
  }
}

/// Makes a fix attempt when it is worth its energy: at rest as rarely as the evidence allows, at
/// once when a departure is suspected, while moving as often as the track needs, and at short
/// intervals while the board seems to come to rest. With a budget, attempts become rarer as it runs
/// short.
public struct AdaptivePolicy: Policy {
  public static let descriptor = PolicyDescriptor(
    "adaptive", doc: "fix attempts as often as the evidence of rest and movement requires.",
    traits: PolicyTraits(pacesSearches: true), settings: AdaptiveSettings.self
  ) { settings, _ in AdaptivePolicy(settings) }

  /// The interval in which an arrival is to lie.
  private static let bracket: Seconds = 60
  /// A monitored board is checked all the same, in case the monitoring fails: a network may reach
  /// to the next house, and scans miss short distances. With a motion sensor, checks become rarer
  /// the longer the board rests.
  private static let check: Seconds = 1800
  private static let minFeltCheck: Seconds = .hours(1)
  private static let maxFeltCheck: Seconds = .hours(4)
  /// Where the signal was lost while moving.
  private static let regain: Seconds = 30
  private static let minPause: Seconds = 8
  /// Where a sensor detects the end of a journey, the last location before it need not be near.
  private static let feltPause: Seconds = 120

  private let settings: AdaptiveSettings
  private var lastAttempt: BootInstant?
  /// When the next attempt was due, as of the last one.
  private var planned: BootInstant?
  /// The rest that already has a location in the trajectory.
  private var storedRest: BootInstant?
  private var course = CoursePrediction()
  /// Nil: there is no budget.
  private var controller: AdaptiveBudgetController?

  public init(_ settings: AdaptiveSettings) {
    self.settings = settings
    controller = settings.budget.budget.map { AdaptiveBudgetController($0) }
  }

  public mutating func started(at now: BootInstant) { lastAttempt = nil }

  public mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    // The location may have changed the due time, but it was requested for the earlier one.
    let next = nextAttempt(context).due
    guard now >= min(next, planned ?? next) else { return false }
    attempted(at: now)
    defer { planned = nextAttempt(context).due }
    guard case .resting(let since) = context.motion.state else {
      course.located(location, at: now)
      return true
    }
    course.forget()
    defer { storedRest = since }
    return storedRest != since
  }

  public mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { false }

  public mutating func searchFailed(at now: BootInstant) { attempted(at: now) }

  private mutating func attempted(at now: BootInstant) {
    lastAttempt = now
    planned = nil
    controller?.attempted(at: now)
  }

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    if let budget, budget.isSpent {
      return GnssDemand(.off(until: budget.nextCheck), reason: "the energy budget is spent")
    }
    let attempt = nextAttempt(context)
    let reason = attempt.reason + stretching(attempt.kind)
    guard now >= attempt.due else { return GnssDemand(.off(until: attempt.due), reason: reason) }
    // At rest an attempt only checks whether reception is as usual; the position is known.
    let isCheck = context.motion.isResting && context.motion.isLocatedAtRest
    return GnssDemand(.on, worth: isCheck ? 2 : 20, reason: reason)
  }

  private struct FixAttempt {
    let due: BootInstant
    let kind: FixAttemptKind
    let reason: String
  }

  /// When the next attempt is due, and why.
  private func nextAttempt(_ context: TrackingContext) -> FixAttempt {
    let motion = context.motion
    guard let lastAttempt else {
      return FixAttempt(due: .zero, kind: .bracket, reason: "first location")
    }
    if let suspicion = motion.lastTrigger, suspicion > lastAttempt {
      // Without a budget this is at once.
      let soonest = lastAttempt + Self.bracket * (rates.bracket - 1)
      return FixAttempt(
        due: max(suspicion, soonest), kind: .bracket, reason: "something has changed")
    }
    switch motion.state {
    case .resting(let since): return atRest(since, lastAttempt, context)
    case .moving: return underWay(lastAttempt, motion)
    case .unknown:
      let hasNoSignal = motion.noSignalSince != nil
      return attempt(
        hasNoSignal ? settings.timing : Self.bracket, after: lastAttempt,
        hasNoSignal ? .rest : .bracket,
        "rest or movement unknown yet")
    }
  }

  private func atRest(
    _ since: BootInstant, _ lastLook: BootInstant, _ context: TrackingContext
  ) -> FixAttempt {
    let motion = context.motion
    if motion.isMonitored {
      return lastLook <= since
        ? FixAttempt(due: since, kind: .bracket, reason: "position after coming to rest")
        : attempt(
          motion.isMotionSensed ? Self.feltCheck(after: lastLook - since) : Self.check,
          after: lastLook,
          .rest,
          "at rest, by the evidence")
    }
    if motion.noSignalSince != nil {
      return attempt(Self.bracket, after: lastLook, .bracket, "the signal is lost")
    }
    if motion.isScanned(at: lastLook) {
      return attempt(Self.check, after: lastLook, .rest, "at rest, by scans")
    }
    // Taken at half of the pause, as its representative moment.
    let habit = context.usualStretch(at: lastLook + settings.timing * 0.5)
    return attempt(
      min(Self.restPause(lastLook - since), settings.timing * habit), after: lastLook, .rest,
      habit < 0.8
        ? "at rest, where it often leaves at this hour" : "at rest, by the last locations")
  }

  /// A long rest is likely to go on for about as long again, and a sensor that has detected so many
  /// departures will detect the next.
  private static func feltCheck(after rested: Seconds) -> Seconds {
    min(max(minFeltCheck, rested * 0.5), maxFeltCheck)
  }

  /// Most stays are short, and a long stay is likely to last: a stay goes on for about as long as
  /// it has already lasted.
  private static func restPause(_ rested: Seconds) -> Seconds { max(bracket, rested * 0.25) }

  private func underWay(_ lastLook: BootInstant, _ motion: MotionEstimator) -> FixAttempt {
    if let noSignalStart = motion.noSignalSince {
      let pause = max(Self.regain, min(Self.bracket, (lastLook - noSignalStart) * 0.5))
      return attempt(pause, after: lastLook, .underWay, "under way, without signal")
    }
    let error = settings.trajectoryError
    let speed = max(motion.speed, 1)
    // A board that turns back is off the straight line by half the distance. Where a sensor detects
    // the end, the pause follows from that, or is longer on a straight road. Otherwise the pause
    // must not miss stays, and is short anyway.
    let pause =
      motion.isMotionSensed
      ? min(Self.feltPause, max(error * 2 / speed, course.pause(for: error * 2) ?? 0))
      : min(Self.bracket, error * 4 / speed)
    return attempt(max(Self.minPause, pause), after: lastLook, .underWay, "under way")
  }

  /// The attempt after a pause, stretched as the budget requires.
  private func attempt(
    _ pause: Seconds, after lastLook: BootInstant, _ kind: FixAttemptKind, _ reason: String
  ) -> FixAttempt {
    FixAttempt(due: lastLook + pause * rates[kind], kind: kind, reason: reason)
  }
}

// MARK: The budget

extension AdaptivePolicy {
  public var budget: EnergyBudget? {
    get { controller?.budget }
    set { if let newValue { controller?.budget = newValue } }
  }

  private var rates: AdaptiveRates { controller?.rates ?? .unlimited }

  public mutating func drawn(
    _ draw: EnergyDraw, at now: BootInstant, in context: TrackingContext
  ) {
    let next = nextAttempt(context).kind
    controller?.drawn(draw, at: now, before: next)
  }

  /// The effect of the budget on the pause, for people.
  private func stretching(_ kind: FixAttemptKind) -> String {
    guard rates[kind] >= 1.05 else { return "" }
    return "; the budget makes the pause \(FixedDecimal.text(rates[kind], digits: 1)) times as long"
  }

  /// The pause while nothing happens.
  private func restPause(_ motion: MotionEstimator) -> Seconds {
    if motion.isMotionSensed {
      guard case .resting(let since) = motion.state, let lastAttempt else {
        return Self.minFeltCheck
      }
      return Self.feltCheck(after: lastAttempt - since)
    }
    return motion.isMonitored ? Self.check : settings.timing
  }

  public func affordable(in context: TrackingContext) -> AffordableRates? {
    guard let pace = controller?.nextPace else { return nil }
    return AffordableRates(
      restPause: restPause(context.motion) * pace.rest,
      trajectoryError: settings.trajectoryError * pace.underWay,
      bracket: Self.bracket * pace.bracket)
  }
}

extension PolicySettings {
  public static func adaptive(_ settings: AdaptiveSettings) -> PolicySettings {
    PolicySettings(AdaptivePolicy.descriptor, settings)
  }
}
