import Geodesy
import Quantities
import Records
import SettingDeclarations

/// The constants of Stylianou's Algorithm 1, and those of the timer that stands in for SLU.
public struct HybridSettings: Hashable, SettingGroup {
  /// The paper's example.
  public var swapAfter: Seconds = 120
  public var travelled: Metres = 100
  public var significantInterval: Seconds = 300
  public var significantDistance: Metres = 500
  public var maxSignificantInterval: Seconds = 600

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "policy.hybrid",
      "The constants of Algorithm 1.")
    setting(
      "swap_after_s", &swapAfter, .quantity(5...86_400),
      "From a saved location to the next GNSS location while travelling (the paper's t).")
    setting(
      "travelled_m", &travelled, .quantity(1...100_000),
      "The board has arrived when the distance over the last three saved locations is less "
        + "(the paper's D).")
    setting(
      "slu_interval_s", &significantInterval, .quantity(10...86_400),
      "Significant-change locations come at most this often. Where no source delivers Wi-Fi or "
        + "cell positions: a short GNSS fix at this interval instead.")
    setting(
      "slu_distance_m", &significantDistance, .quantity(10...100_000),
      "Displacement that makes a significant-change location, of the simulated source of godwit "
        + "simulate; real sources have their own.")
    setting(
      "max_slu_interval_s", &maxSignificantInterval, .quantity(10...86_400),
      "While the board stays, the interval of these short fixes grows up to this.")
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
/// Without a coarse source a timer stands in for SLU, and a short GNSS burst gives the location. It
/// counts as a significant one when it lies farther than `D` from the last saved location, so that
/// also a short trip which ended before the next SLU is found, with its destination.
public struct HybridPolicy: Policy {
  public static let descriptor = PolicyDescriptor(
    "hybrid", doc: "Algorithm 1 of G. Stylianou, \"Efficient Spatial Tracking for iOS Devices\".",
    settings: HybridSettings.self
  ) { HybridPolicy($0, hasCoarseSource: $1) }

  enum Service: Hashable, Sendable { case significant, gnss }

  let settings: HybridSettings
  let hasCoarseSource: Bool
  /// Which service is active.
  private(set) var service = Service.gnss
  /// `GPS_Loc`: consecutive accurate GNSS locations since the last SLU location.
  private(set) var consecutiveGnss = 0
  /// `L_j`, `L_j-1`, `L_j-2`: the last three saved locations, newest first.
  private(set) var saved: [Coordinate] = []
  /// "set timer to swap service in t seconds"
  private(set) var swapTimer: BootInstant?
  /// The stand-in for SLU: when the next burst is due, and at which interval.
  private(set) var standInTimer: BootInstant?
  private(set) var standInInterval: Seconds

  public init(_ settings: HybridSettings, hasCoarseSource: Bool) {
    self.settings = settings
    self.hasCoarseSource = hasCoarseSource
    standInInterval = settings.significantInterval
  }

  /// The first location comes from GNSS: nothing is known yet.
  public mutating func started(at now: BootInstant) { service = .gnss }

  /// "if P_i is SLU location then": the caller has applied the accuracy rules of section 2.2 (3)
  /// and discarded what is inaccurate.
  public mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    // "we activate either the GPS or the SLU service and never both": a late answer while GNSS
    // already searches is worth keeping, but changes nothing.
    guard service == .significant else { return false }
    significantLocation(location, at: now)
    return true
  }

  /// "if P_i is GPS location then", accurate: the gate has passed it.
  public mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    // Later fixes of the same burst (a hold after a cold lock) are not locations of their own.
    guard isGnssDue(at: now) else { return false }
    if service == .significant, swapTimer.map({ now < $0 }) ?? true {
      return standInLocation(location, at: now)
    }
    save(location.position)  // "save location to L_j; increase j"
    service = .significant  // "stop GPS and start SLU"
    swapTimer = nil
    consecutiveGnss += 1  // "increase GPS_Loc"
    if consecutiveGnss == 1 {
      swapTimer = now + settings.swapAfter  // the prose, see above
    } else if distanceOverLastThree >= settings.travelled {  // "if distance(...) >= D"
      swapTimer = now + settings.swapAfter  // "set timer to swap service in t seconds"
    } else {
      consecutiveGnss = 0  // "Else set GPS_Loc=0": arrived
    }
    restartStandIn(at: now)
    return true
  }

  /// No sky: SLU goes on, and the swap is tried again after its usual time. The machinery around
  /// the policy stretches this when failures repeat.
  public mutating func searchFailed(at now: BootInstant) {
    service = .significant
    if swapTimer != nil { swapTimer = now + settings.swapAfter }
    armStandIn(at: now)
  }

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    if isGnssDue(at: now) {
      let reason =
        service == .gnss
        ? "first location"
        : swapTimer.map { now >= $0 } ?? false
          ? "swap timer: \(Int(settings.swapAfter.value)) s after the last location"
          : "no Wi-Fi or cell position: short GNSS fix instead"
      return GnssDemand(.on, reason: reason)
    }
    let next = BootInstant.earlier(swapTimer, standInTimer)
    let reason =
      swapTimer == nil
      ? "arrived: waiting for a significant-change location"
      : "travelling: next GNSS location \(Int(settings.swapAfter.value)) s after the last one"
    return GnssDemand(.off(until: next), reason: reason)
  }

  private func isGnssDue(at now: BootInstant) -> Bool {
    service == .gnss || swapTimer.map { now >= $0 } ?? false
      || standInTimer.map { now >= $0 } ?? false
  }

  private mutating func significantLocation(_ location: Location, at now: BootInstant) {
    consecutiveGnss = 0  // "set GPS_Loc=0"
    save(location.position)  // "save location to L_j; increase j"
    swapTimer = now + settings.swapAfter  // "set timer to swap service in t seconds"
    restartStandIn(at: now)
  }

  /// A burst in SLU's stead. Moved: an SLU location. Not moved: SLU would have kept silent.
  private mutating func standInLocation(_ location: Location, at now: BootInstant) -> Bool {
    let moved = saved.first.map { Sphere.distance($0, location.position) } ?? Metres(.infinity)
    if moved >= max(settings.travelled, location.accuracy * 2) {
      significantLocation(location, at: now)
      return true
    }
    standInInterval = min(standInInterval * 1.5, settings.maxSignificantInterval)
    armStandIn(at: now)
    return false
  }

  private mutating func restartStandIn(at now: BootInstant) {
    standInInterval = settings.significantInterval
    armStandIn(at: now)
  }

  private mutating func armStandIn(at now: BootInstant) {
    standInTimer = hasCoarseSource ? nil : now + standInInterval
  }

  private mutating func save(_ position: Coordinate) {
    saved.insert(position, at: 0)
    if saved.count > 3 { saved.removeLast() }
  }

  /// `distance(L_j, L_j-1, L_j-2)`: the way over the last three saved locations.
  private var distanceOverLastThree: Metres {
    zip(saved, saved.dropFirst()).reduce(.zero) { $0 + Sphere.distance($1.0, $1.1) }
  }
}

extension PolicySettings {
  public static func hybrid(_ settings: HybridSettings) -> PolicySettings {
    PolicySettings(HybridPolicy.descriptor, settings)
  }
}
