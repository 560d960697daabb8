import Core
import Records

/// The constants of Stylianou's Algorithm 1, and those of the timer that replaces SLU.
public struct HybridSettings: Hashable, SettingGroup {
  /// Half of the paper's example of 120 s and 100 m: the same speed over the last three locations
  /// counts as travelling, and four minutes of a five-minute stay are detected instead of two.
  public var swapAfter: Seconds = 60
  public var travelled: Metres = 50
  public var significantInterval: Seconds = 300
  public var significantDistance: Metres = 500
  var maxSignificantInterval: Seconds = 600

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "policy.hybrid", counts: .atReload,
      "Constants of Algorithm 1.")
    setting(
      "swap_after_s", &swapAfter, .quantity(5...86_400),
      "Time from a saved location to the next GNSS location while travelling: t of the paper, 120 "
        + "there.")
    setting(
      "travelled_m", &travelled, .quantity(1...100_000),
      "Distance over the last three saved locations below which the board has arrived: D of the "
        + "paper, 100 there.")
    setting(
      "slu_interval_s", &significantInterval, .quantity(10...86_400),
      "Minimum interval of significant-change locations. If no source delivers Wi-Fi or cell "
        + "positions: interval of short GNSS fixes instead.")
    setting(
      "slu_distance_m", &significantDistance, .quantity(10...100_000),
      "Displacement that causes a significant-change location of the simulated source of godwit "
        + "simulate; real sources have their own threshold.")
    setting(
      "max_slu_interval_s", &maxSignificantInterval, .quantity(10...86_400),
      "Maximum to which the interval of these short fixes grows while the board stays.")
    setting.ascending("slu_interval_s", "max_slu_interval_s")
  }
}

/// The hybrid schedule: Algorithm 1 of G. Stylianou, "Efficient Spatial Tracking for iOS Devices".
/// Names in backquotes are the paper's.
///
/// At any time either significant-change locations (SLU) or GNSS is active, never both. Where
/// the printed pseudo-code and the prose disagree, the prose is followed: the pseudo-code arms no
/// timer when `GPS_Loc` has just become 1, so that a second consecutive GNSS location could never
/// come; section 2.2 asks to go on scheduling until two or more of them show that nothing was
/// travelled.
///
/// Without a source whose silence means that nothing has changed, a timer replaces SLU. Sources
/// that answer queries are queried first; where they have no position, a short GNSS burst gives the
/// location. It counts as a significant one when it lies farther than `D` from the last saved
/// location, so that a short trip that ended before the next SLU is found, too, with its
/// destination. While a trusted source reports rest, the timer is suspended; so is the swap timer
/// after a fix attempt at that place: otherwise a rest without signal would cause attempts all
/// night.
public struct HybridPolicy: Policy {
  public static let descriptor = PolicyDescriptor(
    "hybrid", doc: "Algorithm 1 of G. Stylianou, \"Efficient Spatial Tracking for iOS Devices\".",
    settings: HybridSettings.self
  ) { HybridPolicy($0, hasCoarseSource: $1) }

  /// Which service is active, and until when.
  private enum Phase: Hashable, Sendable {
    /// GNSS: nothing is known yet.
    case first
    /// SLU, and GNSS again when the timer ends: "set timer to swap service in t seconds".
    /// `GPS_Loc` counts the consecutive accurate GNSS locations since the last SLU location.
    case travelling(swapAt: BootInstant, consecutiveGnss: Int)
    /// SLU, for as long as the board stays.
    case arrived
  }

  /// The timer that replaces SLU.
  private struct SubstituteTimer: Hashable, Sendable {
    private let settings: HybridSettings
    private var interval: Seconds
    /// When the next burst is due; nil before the first location.
    private(set) var due: BootInstant?

    init(_ settings: HybridSettings) {
      self.settings = settings
      interval = settings.significantInterval
    }

    mutating func arm(at now: BootInstant) { due = now + interval }

    mutating func restart(at now: BootInstant) {
      interval = settings.significantInterval
      arm(at: now)
    }

    /// No movement: the next burst comes later.
    mutating func postpone(at now: BootInstant) {
      interval = min(interval * 1.5, settings.maxSignificantInterval)
      arm(at: now)
    }
  }

  private let settings: HybridSettings
  private var phase = Phase.first
  /// `L_j`, `L_j-1`, `L_j-2`: the last three saved locations, newest first.
  private var saved: [Coordinate] = []
  /// Nil where a coarse source delivers SLU locations by itself.
  private var standIn: SubstituteTimer?
  /// The last GNSS attempt.
  private var lastAttempt: BootInstant?
  /// When an answer last became an SLU location.
  private var lastAnswer: BootInstant?
  /// How long before a burst a query is sent: a scan takes some seconds.
  private static let answerTime: Seconds = 15

  public init(_ settings: HybridSettings, hasCoarseSource: Bool) {
    self.settings = settings
    standIn = hasCoarseSource ? nil : SubstituteTimer(settings)
  }

  /// The first location comes from GNSS: nothing is known yet.
  public mutating func started(at now: BootInstant) { phase = .first }

  /// "if P_i is SLU location then": the caller has applied the accuracy rules of section 2.2 (3)
  /// and discarded what is inaccurate.
  public mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    // "we activate either the GPS or the SLU service and never both": a late answer during a GNSS
    // search is kept, but changes nothing.
    guard phase != .first else { return false }
    guard standIn == nil || isSignificant(location, at: now) else {
      // The location is accurate enough to show that the board is still there.
      if location.accuracy <= settings.significantDistance { standIn?.postpone(at: now) }
      return false
    }
    lastAnswer = now
    // The source of a fast board reports locations more often than the timer ends: a pending swap
    // is kept, or GNSS would never be used.
    let pending: BootInstant? = if case .travelling(let swapAt, _) = phase { swapAt } else { nil }
    significantLocation(location, at: now, swapAt: pending)
    return true
  }

  /// Accepts at most one location per `slu_interval_s`, and at once one that is `slu_distance_m`
  /// away: both only farther than their error explains.
  private func isSignificant(_ location: Location, at now: BootInstant) -> Bool {
    guard let from = saved.first else { return true }
    let way = Sphere.distance(from, location.position)
    guard way >= max(settings.travelled, location.accuracy * 2) else { return false }
    let isDue = lastAnswer.map { now - $0 >= settings.significantInterval } ?? true
    return isDue || way >= settings.significantDistance
  }

  public func coarseDue(in context: TrackingContext) -> BootInstant? {
    guard phase != .first else { return nil }
    return standInDue(in: context).map { $0 - Self.answerTime }
  }

  /// When the next burst is due; nil while a trusted source reports rest. A journey that a sensor
  /// detects is followed at the travelling interval from its first edges on.
  private func standInDue(in context: TrackingContext) -> BootInstant? {
    let motion = context.motion
    if motion.isResting, motion.isMonitored { return nil }
    guard let due = standIn?.due, case .moving(let since) = motion.state, motion.isMotionSensed,
      let lastAttempt
    else { return standIn?.due }
    return min(due, max(since, lastAttempt + settings.swapAfter))
  }

  /// When to swap to GNSS; nil while a trusted source reports rest and there was a GNSS attempt
  /// since it began.
  private func swapDue(_ swapAt: BootInstant, in context: TrackingContext) -> BootInstant? {
    guard case .resting(let since) = context.motion.state, context.motion.isMonitored,
      let lastAttempt, lastAttempt >= since
    else { return swapAt }
    return nil
  }

  private func isSwapDue(
    _ swapAt: BootInstant, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    swapDue(swapAt, in: context).map { now >= $0 } ?? false
  }

  /// "if P_i is GPS location then", accurate: the gate has accepted it.
  public mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    // Later fixes of the same burst (a hold after a cold start) are not separate locations.
    guard isGnssDue(at: now, in: context) else { return false }
    defer { lastAttempt = now }
    var consecutive = 1  // "increase GPS_Loc"
    switch phase {
    case .first: break
    case .travelling(let swapAt, let consecutiveGnss)
    where isSwapDue(swapAt, at: now, in: context):
      consecutive = consecutiveGnss + 1
    case .travelling, .arrived: return standInLocation(location, at: now)
    }
    save(location.position)  // "save location to L_j; increase j", "stop GPS and start SLU"
    // The prose, see above; "if distance(...) >= D"
    if consecutive == 1 || distanceOverLastThree >= settings.travelled {
      travel(since: now, consecutiveGnss: consecutive)
    } else {
      phase = .arrived  // "Else set GPS_Loc=0"
    }
    standIn?.restart(at: now)
    return true
  }

  /// No signal: SLU continues, and the swap is tried again after its usual time. The tracker's
  /// back-off extends this when failures repeat.
  public mutating func searchFailed(at now: BootInstant) {
    lastAttempt = now
    switch phase {
    case .first: phase = .arrived
    case .travelling(_, let consecutiveGnss):
      travel(since: now, consecutiveGnss: consecutiveGnss)
    case .arrived: break
    }
    standIn?.arm(at: now)
  }

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    let interval = Int(settings.swapAfter.value)
    switch phase {
    case .first: return GnssDemand(.on, reason: "first location")
    case .travelling(let swapAt, _)
    where isSwapDue(swapAt, at: now, in: context):
      return GnssDemand(.on, reason: "swap timer: \(interval) s after the last location")
    case _ where isGnssDue(at: now, in: context):
      return GnssDemand(.on, reason: "no Wi-Fi or cell position: short GNSS fix instead")
    case .travelling(let swapAt, _):
      return GnssDemand(
        .off(until: .earlier(swapDue(swapAt, in: context), standInDue(in: context))),
        reason: "travelling: next GNSS location \(interval) s after the last one")
    case .arrived:
      return GnssDemand(
        .off(until: standInDue(in: context)),
        reason: "arrived: waiting for a significant-change location")
    }
  }

  private func isGnssDue(at now: BootInstant, in context: TrackingContext) -> Bool {
    if let due = standInDue(in: context), now >= due { return true }
    switch phase {
    case .first: return true
    case .travelling(let swapAt, _):
      return isSwapDue(swapAt, at: now, in: context)
    case .arrived: return false
    }
  }

  private mutating func significantLocation(
    _ location: Location, at now: BootInstant, swapAt pending: BootInstant? = nil
  ) {
    save(location.position)  // "save location to L_j; increase j"
    travel(since: now, consecutiveGnss: 0, swapAt: pending)  // "set GPS_Loc=0"
    standIn?.restart(at: now)
  }

  /// "set timer to swap service in t seconds", unless it ends earlier.
  private mutating func travel(
    since now: BootInstant, consecutiveGnss: Int, swapAt pending: BootInstant? = nil
  ) {
    let end = now + settings.swapAfter
    phase = .travelling(
      swapAt: pending.map { min($0, end) } ?? end, consecutiveGnss: consecutiveGnss)
  }

  /// A burst in place of SLU. Moved: an SLU location. Not moved: SLU would have reported nothing.
  private mutating func standInLocation(_ location: Location, at now: BootInstant) -> Bool {
    let moved = saved.first.map { Sphere.distance($0, location.position) } ?? Metres(.infinity)
    if moved >= max(settings.travelled, location.accuracy * 2) {
      significantLocation(location, at: now)
      return true
    }
    standIn?.postpone(at: now)
    return false
  }

  private mutating func save(_ position: Coordinate) {
    saved.insert(position, at: 0)
    if saved.count > 3 { saved.removeLast() }
  }

  /// `distance(L_j, L_j-1, L_j-2)`: the path over the last three saved locations.
  private var distanceOverLastThree: Metres {
    zip(saved, saved.dropFirst()).reduce(.zero) { $0 + Sphere.distance($1.0, $1.1) }
  }
}

extension PolicySettings {
  public static func hybrid(_ settings: HybridSettings) -> PolicySettings {
    PolicySettings(HybridPolicy.descriptor, settings)
  }
}
