import Core
import Records

public struct ApproachSettings: Hashable, SettingGroup {
  var shortWait: Seconds = 30
  var maxPause: Seconds = 1800

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section("policy.approach", counts: .atReload, "Timing of the approach policy.")
    setting(
      "short_wait_s", &shortWait, .quantity(1...3600),
      "Minimum wait for which the receiver is switched off.")
    setting(
      "max_pause_s", &maxPause, .quantity(60...86_400),
      "Maximum interval of fix attempts, however far the nearest alert is.")
    setting.ascending("short_wait_s", "max_pause_s")
  }
}

/// Makes a fix attempt when the board may have reached the nearest alert: J. de Oliveira Dias 2011,
/// "Optimized Near Real-time Remote Device Tracking and Monitoring System" (EyeGotcha), section
/// 4.6; the equations are in `ApproachEstimate`. Its rules:
///
/// * "When the timeout is considerably low, the GPS keeps operating": `short_wait_s`.
/// * "If the timeout is reached and no coordinates were obtained, then it will be turned off": that
///   is how every search ends here (`acquisition.timeout_s`).
/// * "The less this time is, the faster the GPS receiver will be activated" again: after half of
///   the rest of the estimate, and at once where that is a short wait. The text has no limit; here
///   each further consecutive failure doubles the minimum pause, or a board in a cellar near an
///   alert would search for ever.
/// * A request for a location that fails gets "the last known position" with its timestamp: the
///   tracker keeps it (`Tracker.lastGnss`) for every policy.
///
/// The estimate assumes that the board continues as before; a start from rest is detected by
/// evidence of movement, or within `max_pause_s`.
public struct ApproachPolicy: Policy {
  public static let descriptor = PolicyDescriptor(
    "approach",
    doc: "a fix when the nearest alert could be reached: the power saving of J. Dias's EyeGotcha.",
    traits: PolicyTraits(pacesSearches: true, pacesBlindly: true, followsPlaces: true),
    settings: ApproachSettings.self
  ) { settings, _ in ApproachPolicy(settings) }

  /// What is farther away cannot be reached before the surroundings are requested again.
  private static let reach: Metres = 100_000
  /// The share of the rest of the estimate, after a search without a location.
  private static let retryShare = 0.5

  private typealias Sighting = ApproachEstimate.Sighting

  private let settings: ApproachSettings
  private var places = NearbyPlaces(reach: reach)
  /// NP and LP: the new and the last position.
  private var new: Sighting?
  private var last: Sighting?
  /// The estimate for the nearest alert; nil: there is none.
  private var estimate: ApproachEstimate?
  private var nearest: Metres?
  /// Consecutive searches without a location, and the end of the last one.
  private var failures = 0
  private var failed: BootInstant?
  /// The position of the last point of the trajectory.
  private var stored: Coordinate?

  public init(_ settings: ApproachSettings) { self.settings = settings }

  public mutating func started(at now: BootInstant) {
    (new, last, estimate, nearest) = (nil, nil, nil, nil)
    (failures, failed) = (0, nil)
  }

  // MARK: Locations

  public mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    places.located(at: location.position, now: now)
    last = new
    new = Sighting(location: location, at: now)
    (failures, failed) = (0, nil)
    estimateTime()
    // While the receiver stays on, the path is stored and not its errors.
    if let stored, Sphere.distance(stored, location.position) <= location.accuracy { return false }
    stored = location.position
    return true
  }

  public mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { false }

  private mutating func estimateTime() {
    guard let new, let alert = places.nearest(to: new.location.position) else {
      (estimate, nearest) = (nil, nil)
      return
    }
    estimate = ApproachEstimate(from: new, after: last, to: alert.region)
    nearest = alert.distance
  }

  public mutating func searchFailed(at now: BootInstant) {
    failures += 1
    failed = now
  }

  // MARK: Places

  public mutating func takePlaceSearch() -> SphericalCap? { places.takeSearch() }

  public mutating func found(
    _ targets: [PlaceTarget], within cap: SphericalCap, at now: BootInstant
  ) {
    places.found(targets.filter(\.hasAlerts), within: cap)
    estimateTime()
  }

  // MARK: When to attempt a fix

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    if places.isAwaited(at: now) { return GnssDemand(.on, reason: "nearest alert unknown") }
    let reason =
      switch (new, nearest) {
      case (nil, _): "first location"
      case (_, let distance?): "\(Int(distance.value.rounded())) m to the nearest alert"
      case (_, nil): "no alert is near"
      }
    let due = due(in: context)
    return now >= due
      ? GnssDemand(.on, reason: reason) : GnssDemand(.off(until: due), reason: reason)
  }

  private func due(in context: TrackingContext) -> BootInstant {
    if let suspicion = context.motion.lastTrigger, suspicion > failed ?? new?.at ?? suspicion {
      return suspicion
    }
    if let failed { return failed + retryPause(from: failed) }
    guard let new else { return .zero }
    let pause = isWatchedRest(since: new.at, in: context) ? settings.maxPause : wait
    return pause <= settings.shortWait ? new.at : new.at + pause
  }

  /// "The interval of time between GPS receiver reactivations".
  private var wait: Seconds { min(estimate?.time ?? settings.maxPause, settings.maxPause) }

  /// The pause after a search without a location.
  private func retryPause(from failed: BootInstant) -> Seconds {
    let left =
      if let new, let estimate { estimate.unhurried - (failed - new.at) } else {
        new == nil ? Seconds.zero : settings.maxPause
      }
    let sooner = left <= settings.shortWait ? 0 : left * Self.retryShare
    let least =
      failures < 2 ? 0 : settings.shortWait * Double(1 << min(failures - 2, 20))
    return min(max(sooner, least), settings.maxPause)
  }

  /// Whether a trusted source confirms that the board rests where it was located.
  private func isWatchedRest(since look: BootInstant, in context: TrackingContext) -> Bool {
    guard case .resting(let since) = context.motion.state else { return false }
    return context.motion.isMonitored && look >= since
  }
}

extension PolicySettings {
  public static func approach(_ settings: ApproachSettings) -> PolicySettings {
    PolicySettings(ApproachPolicy.descriptor, settings)
  }
}
