import RadioSignals
import Core
import Places

/// Places as OwnTracks' waypoints, in the file that its apps import
/// (owntracks.org/booklet/features/waypoints): circles with a name, and an iBeacon if there is one.
///
/// Apps identify a waypoint by `tst` (Android) or `rid`. So both are derived from the place's id
/// alone, and a changed place replaces the earlier one: `rid` is the id itself, `tst` a time from
/// 2001 to 2023 chosen by a digest of it. If two places of one file get the same time (of 700
/// million), the later one gets the next.
struct OwnTracksPlaceWriter: PlaceWriter {
  private static let firstMoment = 1_000_000_000
  private static let moments: UInt64 = 700_000_000

  var output: [UInt8]
  private var file = OwnTracksWaypointFile()
  private var taken: Set<Int> = []

  init() { output = OwnTracksWaypointFile.opening }

  mutating func place(_ place: Place) -> [String] {
    guard case .fixed(let location) = place.location else {
      return ["it is left out: OwnTracks' waypoints do not follow a device"]
    }
    var notices: [String] = []
    let centre: Coordinate
    let radius: Metres
    switch place.perimeter {
    case .circle(let given): (centre, radius) = (location, Metres(given.value.rounded()))
    case .polygons(let polygons):
      let circle = PolygonCircle.around(polygons, from: location)
      (centre, radius) = (circle.centre, Metres(circle.radius.value.rounded(.up)))
      notices.append("its polygon becomes a circle around it")
    }
    let beacon = place.beacons.lazy.compactMap { OwnTracksWaypoint.Beacon($0) }.first
    let lost = Self.parts(of: place, beside: beacon)
    if !lost.isEmpty {
      notices.append("OwnTracks has no field for its \(lost.joined(separator: ", "))")
    }
    write(place, at: centre, radius, beacon)
    return notices
  }

  private mutating func write(
    _ place: Place, at centre: Coordinate, _ radius: Metres, _ beacon: OwnTracksWaypoint.Beacon?
  ) {
    var moment = Self.moment(of: place.id)
    while !taken.insert(moment).inserted { moment += 1 }
    var waypoint = OwnTracksWaypoint(
      place.name, createdAt: UTCInstant(seconds: Double(moment)))
    waypoint.position = centre
    waypoint.radius = radius
    waypoint.regionID = place.id.description
    waypoint.beacon = beacon
    output += file.adding(waypoint)
  }

  mutating func finish() { output += OwnTracksWaypointFile.ending }

  private static func moment(of id: PlaceID) -> Int {
    var digest = SHA256()
    digest.update(id.bytes)
    let number = digest.digestBytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return firstMoment + Int(number % moments)
  }

  private static func parts(
    of place: Place, beside beacon: OwnTracksWaypoint.Beacon?
  ) -> [String] {
    let parts: [(name: String, isThere: Bool)] = [
      ("description", !place.description.isEmpty), ("lifetime", place.lifetime != PlaceLifetime()),
      ("schedule", place.schedule != nil), ("visibility", place.visibility != .open),
      ("relationships", !place.relationships.isEmpty), ("tags", !place.tags.isEmpty),
      ("followers", place.followers != PlaceFollowers()), ("contents", !place.contents.isEmpty),
      ("beacons", place.beacons.count > (beacon == nil ? 0 : 1)),
    ]
    return parts.filter(\.isThere).map(\.name)
  }
}

extension OwnTracksWaypoint.Beacon {
  /// Nil: not an iBeacon, or it has a number 0, which means any there.
  fileprivate init?(_ region: BeaconRegion) {
    guard case .iBeacon(let uuid, let major, let minor) = region, major != 0, minor != 0 else {
      return nil
    }
    self.init(uuid: uuid.description, major: Int(major ?? 0), minor: Int(minor ?? 0))
  }
}
