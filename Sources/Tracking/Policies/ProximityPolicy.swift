import Core
import Records

public struct ProximitySettings: Hashable, SettingGroup {
  public var rule = ProximityLevel.Rule.corrected
  public var maxPause: Seconds = 180

  public init() {}

  public init(rule: ProximityLevel.Rule) { self.rule = rule }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "policy.proximity", counts: .atReload, "How the proximity policy chooses among its levels.")
    setting(
      "rule", &rule, .choice,
      "\"published\": a finer level waits until the last location is too inaccurate for the "
        + "coarser one, as the thesis printed it; places are missed by that. \"corrected\": "
        + "without that, as it found out in the end.")
    setting(
      "max_pause_s", &maxPause, .quantity(10...86_400),
      "Where no source tells coarse locations by itself GNSS looks at least this often; 180 s is 3 "
        + "km at 60 km/h. A sensor that tells of rest makes it half an hour.")
  }
}

/// Accuracy that follows the distance to the nearest place: M. J. Landsmann 2013, "Energy-Efficient
/// Location-Based System Architecture for Mobile Client-Server Applications using
/// Location-Dependent Content" (Letterbox), section 4.5, with Program 4.2.
///
/// His levels choose what a phone locates itself with. Here they are:
///
/// * FAR: coarse locations alone, as long as a source tells them by itself. Without one GNSS gives
///   a short look as often as the distance filter could have been passed, sources that have to be
///   asked being asked first.
/// * MEDIUM: locations within 100 m: of a coarse source that knows a place so well, else a fix.
/// * CLOSE: GNSS all the time, as good as it gets, which is what his notice within 20 m needs. Who
///   gives that notice, and arms it again outside 20 m (lines 8 to 13), hears every location.
///
/// A location counts when the board has moved by a third of the distance (`distanceFilter`); a
/// receiver has no such filter, so that GNSS looks when the board could have moved so far at its
/// speed. The distance is that to the nearest edge, from inside as from outside: his places are
/// points, and of a large place nothing changes in its middle.
///
/// Unlike his, it begins with a fix: without one there is no date for coarse locations either. And
/// while something trusted says that the board rests it looks every half hour only.
public struct ProximityPolicy: Policy {
  public static let descriptor = PolicyDescriptor(
    "proximity",
    doc: "the more accurate the nearer a place is: the architecture of M. Landsmann's Letterbox.",
    traits: PolicyTraits(followsPlaces: true), settings: ProximitySettings.self
  ) { ProximityPolicy($0, hasCoarseSource: $1) }

  /// Who stands may walk on: slower than this nobody is expected to go.
  private static let leastSpeed: MetresPerSecond = 1.4
  /// Between two epochs.
  private static let minPause: Seconds = 1
  /// A watched board is looked at all the same, should what watches it have failed.
  private static let restPause: Seconds = 1800
  /// How much earlier than a look an answer is asked for: a scan takes some seconds.
  private static let answerTime: Seconds = 15
  /// For how long a weak sky is searched where everything depends on it: at first, and near a
  /// place.
  private static let needWorth: Seconds = 120
  /// 10 km in every direction, section 4.5.2.
  private static let reach: Metres = 10_000

  private let settings: ProximitySettings
  private let hasCoarseSource: Bool
  private var places = NearbyPlaces(reach: reach)
  /// `currentAccuracyLevel`
  public private(set) var level = ProximityLevel.far
  /// `smallestDistance`, which is 3 km where no place is nearer.
  private var distance = ProximityLevel.mediumDistance
  /// The last location that counted: what the distance was measured from.
  private var counted: Location?
  /// The last location at all.
  private var last: (location: Location, at: BootInstant)?
  /// When the last look came to nothing.
  private var failed: BootInstant?
  /// Of the last point of the trajectory.
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
  ) -> Bool { took(location, at: now) }

  /// One that does for the level is worth a look. One that does not still tells that the board has
  /// gone on, where it is farther away than both errors explain.
  public mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    guard let last else { return false }
    let way = Sphere.distance(last.location.position, location.position)
    let isEnough = level.accuracy.map { location.accuracy <= $0 } ?? false
    guard isEnough || way > location.accuracy + last.location.accuracy else { return false }
    return took(location, at: now)
  }

  /// Answers whether it belongs to the trajectory.
  private mutating func took(_ location: Location, at now: BootInstant) -> Bool {
    places.located(at: location.position, now: now)
    last = (location, now)
    failed = nil
    if let counted, Sphere.distance(counted.position, location.position) < filter { return false }
    counted = location
    checkDistance()
    // Within a place every location counts, and at rest they differ by their errors only.
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

  /// Whatever the board has moved, the last location counts for them.
  public mutating func found(
    _ targets: [PlaceTarget], within cap: SphericalCap, at now: BootInstant
  ) {
    places.found(targets, within: cap)
    counted = last?.location ?? counted
    checkDistance()
  }

  // MARK: When to look

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    guard let last else {
      return look(due(in: context), at: now, worth: Self.needWorth, reason: "first location")
    }
    if places.isAwaited(at: now) { return GnssDemand(.on, reason: "which places are near?") }
    if let rest = watchedRest(since: last.at, in: context) {
      return look(
        rest, at: now, within: level.accuracy, reason: "at rest, as the evidence says")
    }
    let near = "\(Int(distance.value.rounded())) m to the nearest place"
    switch level {
    case .far:
      guard let due = due(in: context) else {
        return GnssDemand(.off(until: nil), reason: "no place is near: coarse locations do")
      }
      return look(due, at: now, reason: "no place is near")
    case .medium: return look(due(in: context), at: now, within: level.accuracy, reason: near)
    case .close: return GnssDemand(.on, worth: Self.needWorth, reason: near)
    }
  }

  private func look(
    _ due: BootInstant?, at now: BootInstant, within accuracy: Metres? = nil,
    worth: Seconds = 30, reason: String
  ) -> GnssDemand {
    let isDue = due.map { now >= $0 } ?? true
    return GnssDemand(
      isDue ? .on : .off(until: due), accuracy: accuracy, worth: worth, reason: reason)
  }

  /// Sources that have to be asked are asked before GNSS is.
  public func coarseDue(in context: TrackingContext) -> BootInstant? {
    guard let last, level != .close, watchedRest(since: last.at, in: context) == nil else {
      return nil
    }
    return due(in: context).map { $0 - Self.answerTime }
  }

  /// When the board could have moved by the distance filter; nil: somebody else tells.
  private func due(in context: TrackingContext) -> BootInstant? {
    guard let last else { return failed.map { $0 + settings.maxPause } ?? .zero }
    if level == .far, hasCoarseSource { return nil }
    if let suspicion = context.motion.suspicion, suspicion > failed ?? last.at { return suspicion }
    if let failed { return failed + pause }
    let isEnough = level.accuracy.map { last.location.accuracy <= $0 } ?? false
    return isEnough ? last.at + pause : .zero
  }

  private var pause: Seconds {
    guard let last, let counted else { return settings.maxPause }
    let told = last.location.speed ?? 0
    let speed = told.isFinite ? max(told, Self.leastSpeed) : Self.leastSpeed
    let left = filter - Sphere.distance(counted.position, last.location.position)
    return min(max(left / speed, Self.minPause), settings.maxPause)
  }

  /// When to look at a board that something trusted watches at rest, and that was located there;
  /// nil: it does not rest so.
  private func watchedRest(since look: BootInstant, in context: TrackingContext) -> BootInstant? {
    guard case .resting(let since) = context.motion.state, context.motion.isWatched,
      look >= since
    else { return nil }
    return (failed ?? look) + Self.restPause
  }
}

extension PolicySettings {
  public static func proximity(_ settings: ProximitySettings) -> PolicySettings {
    PolicySettings(ProximityPolicy.descriptor, settings)
  }
}
