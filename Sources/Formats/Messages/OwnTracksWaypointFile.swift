import Core

/// Waypoints in the file that OwnTracks' apps export and import (`.otrw`): the message of `_type`
/// "waypoints", written waypoint by waypoint, one per line, because their number is not limited.
struct OwnTracksWaypointFile: Sendable {
  static let opening = Array("{\"_type\":\"waypoints\",\"waypoints\":[".utf8)
  static let ending = Array("\n]}\n".utf8)

  private var isFirst = true

  init() {}

  /// The next bytes of the file.
  mutating func adding(_ waypoint: OwnTracksWaypoint) -> [UInt8] {
    defer { isFirst = false }
    return Array((isFirst ? "\n" : ",\n").utf8) + OwnTracksMessage.waypoint(waypoint).bytes
  }
}
