import Core
import Records

/// How closely the logged trajectory follows the observed one.
public struct TrajectorySettings: Hashable, SettingGroup {
  public var sedBound: Metres = 25
  public var maxInterval: Seconds = 900

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "trajectory", counts: .atReload,
      "Simplification of the stored track.")
    setting(
      "sed_bound_m", &sedBound, .quantity(0.1...10_000),
      "Maximum distance of a dropped location from the stored line at the same time "
        + "(synchronised Euclidean distance).")
    setting(
      "max_interval_s", &maxInterval, .quantity(1...86_400),
      "Maximum interval of stored locations while locations are dense: the most that a power cut "
        + "can lose.")
  }
}

/// Keeps the locations that carry the shape of the path, in one pass and constant memory.
///
/// Each location after the last kept one allows a disc of velocities that pass it within the bound
/// at its time; the line to a new location is valid for all in between if its velocity lies in
/// every disc (cone intersection: Lin et al., "One-pass trajectory simplification using the
/// synchronous Euclidean distance", VLDB J. 28, 2019). The intersection is kept as a polygon of 16
/// sides within the discs, so the bound holds exactly and at most 2 % of it are lost.
public struct TrajectorySimplifier: Sendable {
  public let settings: TrajectorySettings
  private var plane = LocalPlane(origin: Coordinate(latitude: 0, longitude: 0))
  /// The last kept location, and the newest one, which is kept if the next does not fit.
  private(set) var anchor: Location?
  private(set) var pending: Location?
  private var lower = Self.open
  private var upper = -Self.open

  /// The directions of the polygon's sides: cosines and sines of 0, 22.5 ... 157.5 degrees.
  private static let cosines = SIMD8<Double>(
    1, 0.923_879_532_511_286_7, 0.707_106_781_186_547_6, 0.382_683_432_365_089_8,
    0, -0.382_683_432_365_089_8, -0.707_106_781_186_547_6, -0.923_879_532_511_286_7)
  private static let sines = SIMD8<Double>(
    0, 0.382_683_432_365_089_8, 0.707_106_781_186_547_6, 0.923_879_532_511_286_7,
    1, 0.923_879_532_511_286_7, 0.707_106_781_186_547_6, 0.382_683_432_365_089_8)
  /// The inner radius of a polygon of 16 sides whose corners lie on the unit circle: cos(π/16).
  private static let innerRadius = 0.980_785_280_403_230_4
  private static let open = SIMD8<Double>(repeating: -Double.infinity)

  public init(_ settings: TrajectorySettings) { self.settings = settings }

  /// Adds the next location; returns the one that has to be kept because of it, if any.
  /// - Parameter isTimed: whether one is kept at least every `maxInterval`.
  public mutating func add(_ location: Location, isTimed: Bool = true) -> Location? {
    guard let anchor else {
      begin(at: location)
      return location
    }
    guard location.time > (pending ?? anchor).time else { return nil }
    let fits = allows(location, from: anchor)
    let late = isTimed && location.time - anchor.time > settings.maxInterval
    var kept: Location?
    if let pending, !fits || late {
      kept = pending
      begin(at: pending)
    }
    narrow(by: location)
    pending = location
    return kept
  }

  /// Adds a location that is kept in any case; returns the previous one if that has to be kept,
  /// too.
  mutating func keep(_ location: Location) -> Location? {
    defer { begin(at: location) }
    guard let anchor, let pending, location.time > pending.time else { return nil }
    return allows(location, from: anchor) ? nil : pending
  }

  /// The end of the data: the last location belongs to the line.
  public mutating func finish() -> Location? {
    guard let last = pending else { return nil }
    begin(at: last)
    return last
  }

  private mutating func begin(at location: Location) {
    anchor = location
    pending = nil
    plane = LocalPlane(origin: location.position)
    lower = Self.open
    upper = -Self.open
  }

  /// Whether the straight line from the anchor to here passes all in between within the bound.
  private func allows(_ location: Location, from anchor: Location) -> Bool {
    let along = projections(of: location, from: anchor)
    return all(along .>= lower .& along .<= upper)
  }

  private mutating func narrow(by location: Location) {
    guard let anchor else { return }
    let along = projections(of: location, from: anchor)
    let seconds = Double(location.time.nanoseconds - anchor.time.nanoseconds) / 1e9
    let slack = settings.sedBound.value * Self.innerRadius / seconds
    lower.replace(with: along - slack, where: along - slack .> lower)
    upper.replace(with: along + slack, where: along + slack .< upper)
  }

  /// The velocity from the anchor to the location, along each direction.
  private func projections(of location: Location, from anchor: Location) -> SIMD8<Double> {
    let point = plane.point(location.position)
    let seconds = Double(location.time.nanoseconds - anchor.time.nanoseconds) / 1e9
    return Self.cosines * (point.east.value / seconds) + Self.sines * (point.north.value / seconds)
  }
}
