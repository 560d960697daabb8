import Core
import Testing

@testable import Formats

@Suite struct OwnTracksWaypointFileTests {
  @Test("a file written piece by piece is one message", arguments: 0...3)
  func oneMessage(_ count: Int) throws {
    let waypoints = (0..<count).map { index in
      var waypoint = OwnTracksWaypoint("A \"\(index)\"", createdAt: UTCInstant(seconds: 9))
      waypoint.position = Coordinate(latitude: 1, longitude: Degrees(Double(index)))
      waypoint.radius = 50
      return waypoint
    }
    var file = OwnTracksWaypointFile()
    let pieces = Array(waypoints.map { file.adding($0) }.joined())
    let bytes = OwnTracksWaypointFile.opening + pieces + OwnTracksWaypointFile.ending
    #expect(try OwnTracksMessage(parsing: bytes) == .waypoints(waypoints, rest: []))
    #expect(bytes.count { $0 == UInt8(ascii: "\n") } == count + 2)
  }
}
