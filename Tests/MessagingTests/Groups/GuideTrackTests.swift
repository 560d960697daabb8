import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct GuideTrackTests {
  private typealias Bench = GroupBench

  private static func track(_ points: [(Double, Metres)], accuracy: Metres = 5) -> GuideTrack {
    GuideTrack(points.map { Bench.position(Bench.guide, $1, accuracy: accuracy, at: $0) })
  }

  /// The closest point of the track to a position at this distance to the east.
  private static func point(
    _ track: GuideTrack, _ seconds: Double, from east: Metres = 5000, gap: Seconds = 600
  ) -> GuideTrack.Point? {
    track.point(nearest: Bench.place(east), at: Bench.date + Seconds(seconds), gap: gap)
  }

  private static func distance(
    _ track: GuideTrack, _ seconds: Double, from east: Metres
  ) -> Metres? {
    point(track, seconds, from: east).map { Sphere.distance($0.position, Bench.place(east)) }
  }

  @Test("between two positions the guide may be anywhere on the path, or beside it")
  func between() throws {
    let track = Self.track([(0, 0), (100, 1000)])
    for second in [1.0, 50, 99] {
      for east in [0.0, 300, 1000] {
        let distance = try #require(Self.distance(track, second, from: Metres(east)))
        #expect(distance < 1, "\(second) s, \(east) m")
      }
    }
    let behind = try #require(Self.distance(track, 50, from: -400))
    let ahead = try #require(Self.distance(track, 1, from: 1400))
    #expect((behind - 150).magnitude < 1, "as far as the way may bend in its middle")
    #expect((ahead - 395).magnitude < 1)
    let standing = try #require(Self.point(Self.track([(0, 0), (100, 0)]), 50))
    #expect(standing.deviation < 4)
    #expect(Sphere.distance(standing.position, Bench.place(0)) < 1)
  }

  @Test("positions too far apart do not constrain the path between them") func gap() {
    let track = Self.track([(0, 0), (601, 0)])
    #expect(Self.point(track, 300) == nil)
    #expect(Self.point(track, 300, gap: 601) != nil)
    #expect(Self.point(track, 601) != nil)
  }

  @Test("shortly after the last position the guide's position is unknown") func last() {
    let track = Self.track([(0, 0), (100, 1000)])
    #expect(Self.point(track, 121) == nil && Self.point(track, -21) == nil)
    // A member farther away than a car could get by then is not beside the guide.
    #expect(Self.distance(track, 110, from: 2000).map { ($0 - 600).magnitude < 1 } == true)
    #expect(Self.point(track, 110, from: 1300) == nil)
    #expect(Self.distance(track, 100, from: 1300).map { ($0 - 300).magnitude < 1 } == true)
    #expect(Self.point(GuideTrack(), 0) == nil)
  }

  @Test("late positions are dropped, and the track does not grow") func bounded() {
    var track = GuideTrack()
    for second in 0..<100 {
      let isKept = track.add(Bench.position(Bench.guide, 0, at: Double(second)))
      #expect(isKept)
    }
    let isKept = track.add(Bench.position(Bench.guide, 0, at: 99))
    #expect(!isKept && track.positions.count == 16)
    #expect(track.last?.time == Bench.date + 99)
  }
}
