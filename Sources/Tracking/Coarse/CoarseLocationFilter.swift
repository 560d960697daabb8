import Core
import Records

public struct CoarseSettings: Hashable, SettingGroup {
  var accurate: Metres = 200
  var accessPointRadius: Metres = 150
  var similarTime: Seconds = 300
  /// A source that failed is queried again after this time. Not a setting.
  var retryAfter: Seconds = 300
  var askAgainAfter: Seconds = .hours(1)

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "coarse", counts: .atReload,
      "Acceptance of the locations of coarse sources.")
    setting(
      "accurate_m", &accurate, .quantity(1...100_000),
      "Maximum reported error with which a coarse location counts as accurate.")
    setting(
      "access_point_radius_m", &accessPointRadius, .quantity(1...100_000),
      "Range of a Wi-Fi access point: while the board is joined to one with a known position, a "
        + "location farther from it than this plus the reported error is discarded.")
    setting(
      "similar_time_s", &similarTime, .quantity(0...86_400),
      "Time within which a GNSS location replaces a coarse location with a large error.")
    setting(
      "ask_again_after_s", &askAgainAfter, .quantity(10...86_400),
      "Time after which a source without an answer is queried again. A source that answers only a "
        + "change of position can be silent for hours.")
  }
}

public enum CoarseDecision: Hashable, Sendable {
  case accurate(Location)
  /// Large error, kept unless GNSS gives a better location with a similar time.
  case keptUntilBetter(Location)
  case discarded(reason: String)
}

/// Which coarse locations to accept: section 2.2 (3) of Stylianou's paper.
///
/// "Accurate" depends on whether the board is on a Wi-Fi access point with a known position: there,
/// a location far from that position is an error and is discarded. Elsewhere a large error may be
/// the best available, so the location is kept until GNSS provides a better one.
public struct CoarseLocationFilter: Hashable, Sendable {
  static let maxAccessPoints = 256
  /// Bytes of a name. A network's name has up to 32 (IEEE 802.11), an access point's address 17.
  static let maxNameLength = 128
  /// An access point's position is the mean of at most this many locations; each further one then
  /// has this weight, so that a slow move is followed.
  static let maxLocations = 100
  /// Half the Earth's circumference: a larger claimed error means no location.
  static let maxError: Metres = 20_000_000

  struct KnownAccessPoint: Hashable, Sendable {
    var position: Coordinate
    var locations: Int
    var lastUsed: Int
  }

  let settings: CoarseSettings
  private(set) var accessPoints: [String: KnownAccessPoint] = [:]
  private var uses = 0

  public init(_ settings: CoarseSettings) { self.settings = settings }

  public func evaluate(_ observation: CoarseObservation, time: UTCInstant?) -> CoarseDecision {
    guard let position = observation.position, let accuracy = observation.accuracy else {
      return .discarded(reason: "the source has no position here")
    }
    guard let time else { return .discarded(reason: "the date is not known yet") }
    guard accuracy > 0, accuracy <= Self.maxError, !position.isNullIsland,
      time >= FixGate.firstTime
    else {
      return .discarded(reason: "the source's answer is invalid")
    }
    let location = Location(time: time, position: position, accuracy: accuracy, source: .coarse)
    if let name = observation.accessPoint, let known = accessPoints[name] {
      let off = Sphere.distance(known.position, position)
      guard off <= settings.accessPointRadius + accuracy, accuracy <= settings.accurate else {
        return .discarded(reason: "\(Int(off.value)) m from the known access point's position")
      }
      return .accurate(location)
    }
    return accuracy <= settings.accurate ? .accurate(location) : .keptUntilBetter(location)
  }

  /// GNSS located the board while it was connected to this access point. One that appears elsewhere
  /// (a bus, a telephone, a move) is learnt anew.
  public mutating func learn(accessPoint name: String, at position: Coordinate) {
    guard (1...Self.maxNameLength).contains(name.utf8.count) else { return }
    uses += 1
    if var known = accessPoints[name],
      Sphere.distance(known.position, position) <= settings.accessPointRadius
    {
      known.locations = min(known.locations + 1, Self.maxLocations)
      let share = 1 / Double(known.locations)
      let plane = LocalPlane(origin: known.position)
      let offset = plane.point(position)
      known.position = plane.coordinate(
        .init(east: offset.east * share, north: offset.north * share))
      known.lastUsed = uses
      accessPoints[name] = known
      return
    }
    if accessPoints[name] == nil, accessPoints.count >= Self.maxAccessPoints,
      let oldest = accessPoints.min(by: { $0.value.lastUsed < $1.value.lastUsed })
    {
      accessPoints[oldest.key] = nil
    }
    accessPoints[name] = KnownAccessPoint(position: position, locations: 1, lastUsed: uses)
  }
}

extension CoarseLocationFilter {
  /// A learnt access point with its name, as stored in a snapshot.
  private struct NamedAccessPoint: Sendable {
    var name = ""
    var point = KnownAccessPoint(
      position: Coordinate(latitude: 0, longitude: 0), locations: 1, lastUsed: 0)

    static let coding = SnapshotFields<NamedAccessPoint>([
      .required("name", \.name, .text(1...maxNameLength)), .position(\.point.position),
      .required("locations", \.point.locations, .count(1...maxLocations)),
    ]).coding(onto: NamedAccessPoint()) { !$0.point.position.isNullIsland }
  }

  var hasLearnt: Bool { !accessPoints.isEmpty }

  /// The learnt access points, least recently used first.
  public var snapshot: JSONValue {
    let points = accessPoints.sorted { $0.value.lastUsed < $1.value.lastUsed }
      .map { NamedAccessPoint.coding.json(NamedAccessPoint(name: $0.key, point: $0.value)) }
    return .object([("access_points", .array(points))])
  }

  /// Continues with the access points of an earlier run. Damaged ones are dropped; of too many, the
  /// most recently used are kept.
  public mutating func restore(_ snapshot: JSONValue?) {
    guard let saved = snapshot?["access_points"]?.array else { return }
    accessPoints = [:]
    uses = 0
    for var named in saved.compactMap(NamedAccessPoint.coding.value).suffix(Self.maxAccessPoints) {
      uses += 1
      named.point.lastUsed = uses
      accessPoints[named.name] = named.point
    }
  }
}
