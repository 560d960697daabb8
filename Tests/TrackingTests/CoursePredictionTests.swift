import Core
import Records
import Testing

@testable import Tracking

/// The pause until the next location on straight and on winding roads.
@Suite struct CoursePredictionTests {
  private static let start = Coordinate(latitude: 52, longitude: 13)

  /// Locations every ten seconds at 20 m/s, turning by this many degrees each time.
  private static func drive(turning: Double, times: Int = 5) -> CoursePrediction {
    var course = CoursePrediction()
    var position = start
    var track = 90.0
    for index in 0..<times {
      course.located(location(position, track), at: .zero + Seconds(Double(index) * 10))
      track += turning
      position = Sphere.destination(from: position, bearing: Degrees(track), distance: 200)
    }
    return course
  }

  private static func location(_ position: Coordinate, _ track: Double?) -> Location {
    Location(
      time: UTCInstant(seconds: 1_780_000_000), position: position, accuracy: 3, speed: 20,
      track: track.map { Degrees($0) })
  }

  @Test("a straight road needs few locations, a winding one many") func bends() throws {
    let straight = try #require(Self.drive(turning: 0).pause(for: 200))
    let winding = try #require(Self.drive(turning: 30).pause(for: 200))
    #expect(straight > 100)
    // 30 degrees at 200 m are 104 m off after 10 s: 2 m/s² are 200 m after 14 s.
    #expect((winding - 14).magnitude < 1)
    let wider = try #require(Self.drive(turning: 30).pause(for: 800))
    #expect((wider - winding * 2).magnitude < 0.01, "the error grows with the square of the time")
  }

  @Test("a short history gives a short pause") func unknown() {
    #expect(CoursePrediction().pause(for: 200) == nil)
    #expect(Self.drive(turning: 0, times: 3).pause(for: 200) == nil)
    #expect(Self.drive(turning: 0, times: 4).pause(for: 200) != nil)
  }

  @Test("a missing course, a long pause and a rest start over") func anew() {
    var untold = Self.drive(turning: 0)
    untold.located(Self.location(Self.start, nil), at: .zero + 50)
    untold.located(Self.location(Self.start, 90), at: .zero + 60)
    #expect(untold.pause(for: 200) == nil)
    var later = Self.drive(turning: 0)
    later.located(Self.location(Self.start, 90), at: .zero + 1000)
    #expect(later.pause(for: 200) == nil)
    var rested = Self.drive(turning: 0)
    rested.forget()
    #expect(rested.pause(for: 200) == nil)
  }
}
