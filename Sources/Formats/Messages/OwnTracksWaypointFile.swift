import Core

/// Waypoints in the file that OwnTracks' apps export and import (`.otrw`): the message of `_type`
/// "waypoints", written one waypoint at a time and a line each, as there may be any number.
public struct OwnTracksWaypointFile: Sendable {
  public static let opening = Array("{\"_type\":\"waypoints\",\"waypoints\":[".utf8)
  public static let ending = Array("\n]}\n".utf8)

  private var isFirst = true

  public init() {}

  /// The bytes that the file goes on with.
  public mutating func adding(_ waypoint: OwnTracksWaypoint) -> [UInt8] {
    defer { isFirst = false }
    return Array((isFirst ? "\n" : ",\n").utf8) + OwnTracksMessage.waypoint(waypoint).bytes
  }
}
