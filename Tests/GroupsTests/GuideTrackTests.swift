import Geodesy
import People
import Quantities
import TestSupport
import Testing

@testable import Groups

@Suite struct GuideTrackTests {
  private typealias Bench = GroupBench

  private static func track(_ points: [(Double, Metres)], accuracy: Metres = 5) -> GuideTrack {
    GuideTrack(points.map { Bench.position(Bench.guide, $1, accuracy: accuracy, at: $0) })
  }

  private static func point(
    _ track: GuideTrack, _ seconds: Double, gap: Seconds = 600
  ) -> GuideTrack.Point? { track.point(at: Bench.date + Seconds(seconds), gap: gap) }

  @Test("between two positions the guide was on the way, and is known less well in its middle")
  func between() throws {
    let track = Self.track([(0, 0), (100, 1000)])
    let quarter = try #require(Self.point(track, 25))
    let middle = try #require(Self.point(track, 50))
    #expect(Sphere.distance(quarter.position, Bench.place(250)) < 1)
    #expect(Sphere.distance(middle.position, Bench.place(500)) < 1)
    #expect(middle.deviation > quarter.deviation && (middle.deviation - 250).magnitude < 1)
    let standing = try #require(Self.point(Self.track([(0, 0), (100, 0)]), 50))
    #expect(standing.deviation < 4)
  }

  @Test("positions that are too far apart say nothing of what was between them") func gap() {
    let track = Self.track([(0, 0), (601, 0)])
    #expect(Self.point(track, 300) == nil)
    #expect(Self.point(track, 300, gap: 601) != nil)
    #expect(Self.point(track, 601) != nil)
  }

  @Test("after the last position nobody knows where the guide is, but for a moment") func last() {
    let track = Self.track([(0, 0), (100, 1000)])
    #expect(Self.point(track, 121) == nil && Self.point(track, -21) == nil)
    // At 10 m/s.
    #expect(Self.point(track, 110).map { $0.deviation > 99 } == true)
    #expect(Self.point(GuideTrack(), 0) == nil)
  }

  @Test("what is late is not kept, and the track does not grow") func bounded() {
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
