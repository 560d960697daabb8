import Core
import Records

public struct ProximitySettings: Hashable, SettingGroup {
  public var rule = ProximityLevel.Rule.corrected
  var maxPause: Seconds = 180

  public init() {}

  public init(rule: ProximityLevel.Rule) { self.rule = rule }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "policy.proximity", counts: .atReload, "Choice of the accuracy level by the proximity policy."
    )
    setting(
      "rule", &rule, .choice,
      "Rule for a finer level. \"published\": only once the last location is too inaccurate for "
        + "the coarser one, as printed in the thesis; this misses places. \"corrected\": without "
        + "that condition, the final result of the thesis.")
    setting(
      "max_pause_s", &maxPause, .quantity(10...86_400),
      "Maximum interval of fix attempts if no source reports coarse locations by itself; 180 s is "
        + "3 km at 60 km/h. With a sensor that reports rest it is half an hour.")
  }
}

/// Accuracy that follows the distance to the nearest place: M. J. Landsmann 2013, "Energy-Efficient
/// Location-Based System Architecture for Mobile Client-Server Applications using
/// Location-Dependent Content" (Letterbox), section 4.5, with Program 4.2.
///
/// In the thesis the levels choose how a phone is located. Here they are:
///
/// * FAR: coarse locations alone, as long as a source reports them unsolicited. Otherwise GNSS
///   makes a short fix attempt as often as the distance filter could have been passed; sources that
///   have to be queried are queried first.
/// * MEDIUM: locations within 100 m: of a coarse source of that accuracy, else a fix.
/// * CLOSE: GNSS all the time, as accurate as possible, which the thesis's notice within 20 m
///   needs. The code that gives that notice, and rearms it outside 20 m (lines 8 to 13), receives
///   every location.
///
/// A location counts when the board has moved by a third of the distance (`distanceFilter`). A
/// receiver has no such filter, so GNSS makes an attempt when the board could have moved so far at
/// its speed. The distance is that to the nearest edge, from inside or outside: the thesis's places
/// are points, and the middle of a large place has no significance.
///
/// Unlike the thesis, it begins with a fix: without one coarse locations have no date either. And
/// while a trusted source reports rest, there is only one attempt every half hour.
public struct ProximityPolicy: Policy {
  public static let descriptor = PolicyDescriptor(
    "proximity",
    doc: "the more accurate, the nearer a place is: the architecture of M. Landsmann's Letterbox.",
    traits: PolicyTraits(followsPlaces: true), settings: ProximitySettings.self
  ) { ProximityPolicy($0, hasCoarseSource: $1) }

  /// A board at a standstill may start to walk: no lower speed is assumed.
  private static let leastSpeed: MetresPerSecond = 1.4
  /// Between two epochs.
  private static let minPause: Seconds = 1
  /// A monitored board is checked all the same, in case the monitoring fails.
  private static let restPause: Seconds = 1800
  /// How long before an attempt a query is sent: a scan takes some seconds.
  private static let answerTime: Seconds = 15
  /// How long to search with weak signals where a fix is essential: at first, and near a place.
  private static let needWorth: Seconds = 120
  /// 10 km in every direction, section 4.5.2.
  private static let reach: Metres = 10_000

  private let settings: ProximitySettings
  private let hasCoarseSource: Bool
  private var places = NearbyPlaces(reach: reach)
  /// `currentAccuracyLevel`
  private(set) var level = ProximityLevel.far
  /// `smallestDistance`, at most 3 km.
  private var distance = ProximityLevel.mediumDistance
  /// The last location that counted: the distance is measured from it.
  private var counted: Location?
  /// The last location, whether it counted or not.
  private var last: (location: Location, at: BootInstant)?
  /// When the last attempt failed.
  private var failed: BootInstant?
  /// The position of the last point of the trajectory.
  private var stored: Coordinate?

  public init(_ settings: ProximitySettings, hasCoarseSource: Bool) {
    self.settings = settings
    self.hasCoarseSource = hasCoarseSource
  }

  public mutating func started(at now: BootInstant) {
    level = .far
    counted = nil
    last = nil
    failed = nil
  }

  // MARK: Locations

  public mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { handle(location, at: now) }

  /// A location that is accurate enough for the level replaces a fix. A less accurate one still
  /// shows that the board has moved on, where it is farther away than both errors explain.
  public mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    guard let last else { return false }
    let way = Sphere.distance(last.location.position, location.position)
    let isEnough = level.accuracy.map { location.accuracy <= $0 } ?? false
    guard isEnough || way > location.accuracy + last.location.accuracy else { return false }
    return handle(location, at: now)
  }

  /// Returns whether it belongs to the trajectory.
  private mutating func handle(_ location: Location, at now: BootInstant) -> Bool {
    places.located(at: location.position, now: now)
    last = (location, now)
    failed = nil
    if let counted, Sphere.distance(counted.position, location.position) < filter { return false }
    counted = location
    checkDistance()
    // Inside a place every location counts, and at rest they differ only by their errors.
    if let stored, Sphere.distance(stored, location.position) <= location.accuracy { return false }
    stored = location.position
    return true
  }

  /// `checkDistancesToLocation`
  private mutating func checkDistance() {
    guard let counted else { return }
    distance = min(
      places.nearest(to: counted.position)?.distance ?? ProximityLevel.mediumDistance,
      ProximityLevel.mediumDistance)
    level = ProximityLevel.level(
      at: distance, accuracy: counted.accuracy, current: level, by: settings.rule)
  }

  private var filter: Metres { ProximityLevel.filter(at: distance) }

  public mutating func searchFailed(at now: BootInstant) { failed = now }

  // MARK: Places

  public mutating func takePlaceSearch() -> SphericalCap? { places.takeSearch() }

  /// The last location counts for the new places, however far the board has moved.
  public mutating func found(
    _ targets: [PlaceTarget], within cap: SphericalCap, at now: BootInstant
  ) {
    places.found(targets, within: cap)
    counted = last?.location ?? counted
    checkDistance()
  }

  // MARK: When to attempt a fix

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    guard let last else {
      return attempt(due(in: context), at: now, worth: Self.needWorth, reason: "first location")
    }
    if places.isAwaited(at: now) { return GnssDemand(.on, reason: "nearest place unknown") }
    if let rest = watchedRest(since: last.at, in: context) {
      return attempt(
        rest, at: now, within: level.accuracy, reason: "at rest, by the evidence")
    }
    let near = "\(Int(distance.value.rounded())) m to the nearest place"
    switch level {
    case .far:
      guard let due = due(in: context) else {
        return GnssDemand(.off(until: nil), reason: "no place is near: coarse locations suffice")
      }
      return attempt(due, at: now, reason: "no place is near")
    case .medium: return attempt(due(in: context), at: now, within: level.accuracy, reason: near)
    case .close: return GnssDemand(.on, worth: Self.needWorth, reason: near)
    }
  }

  private func attempt(
    _ due: BootInstant?, at now: BootInstant, within accuracy: Metres? = nil,
    worth: Seconds = 30, reason: String
  ) -> GnssDemand {
    let isDue = due.map { now >= $0 } ?? true
    return GnssDemand(
      isDue ? .on : .off(until: due), accuracy: accuracy, worth: worth, reason: reason)
  }

  /// Sources that have to be queried are queried before GNSS is used.
  public func coarseDue(in context: TrackingContext) -> BootInstant? {
    guard let last, level != .close, watchedRest(since: last.at, in: context) == nil else {
      return nil
    }
    return due(in: context).map { $0 - Self.answerTime }
  }

  /// When the board could have moved by the distance filter; nil: a coarse source reports it.
  private func due(in context: TrackingContext) -> BootInstant? {
    guard let last else { return failed.map { $0 + settings.maxPause } ?? .zero }
    if level == .far, hasCoarseSource { return nil }
    if let suspicion = context.motion.lastTrigger, suspicion > failed ?? last.at {
      return suspicion
    }
    if let failed { return failed + pause }
    let isEnough = level.accuracy.map { last.location.accuracy <= $0 } ?? false
    return isEnough ? last.at + pause : .zero
  }

  private var pause: Seconds {
    guard let last, let counted else { return settings.maxPause }
    let measured = last.location.speed ?? 0
    let speed = measured.isFinite ? max(measured, Self.leastSpeed) : Self.leastSpeed
    let left = filter - Sphere.distance(counted.position, last.location.position)
    return min(max(left / speed, Self.minPause), settings.maxPause)
  }

  /// When to check a located board that rests according to a trusted source; nil: there is no such
  /// rest.
  private func watchedRest(since attempt: BootInstant, in context: TrackingContext) -> BootInstant?
  {
    guard case .resting(let since) = context.motion.state, context.motion.isMonitored,
      attempt >= since
    else { return nil }
    return (failed ?? attempt) + Self.restPause
  }
}

extension PolicySettings {
  public static func proximity(_ settings: ProximitySettings) -> PolicySettings {
    PolicySettings(ProximityPolicy.descriptor, settings)
  }
}
