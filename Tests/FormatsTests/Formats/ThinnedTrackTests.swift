import Core
import Records
import Testing

@testable import Formats

/// A long track keeps its shape: lines, gaps, beginning and end.
@Suite struct ThinnedTrackTests {
  private static func track(_ count: Int, gapAfter gap: Int? = nil) -> ThinnedTrack {
    var track = ThinnedTrack()
    for index in 0..<count {
      let pause: Double = gap.map { index > $0 ? 100_000 : 0 } ?? 0
      track.add(ExportSamples.point(Double(index) * 600 + pause, 52, 5).location)
    }
    return track
  }

  @Test(
    "omitted points are not gaps, and the ends are kept",
    arguments: [1, 2, 50_000, 50_001, 50_002, 120_000, 260_007])
  func lines(count: Int) {
    let track = Self.track(count)
    #expect(track.points.count <= ThinnedTrack.maxPoints + 1)
    #expect(track.points.count(where: \.beginsLine) == 1 && track.points[0].beginsLine)
    #expect(track.times?.first == ExportSamples.start)
    #expect(track.times?.last == ExportSamples.start + Seconds(Double(count - 1) * 600))
  }

  @Test("a gap is kept, whichever points are omitted", arguments: 60_000..<60_009)
  func gaps(after gap: Int) {
    let track = Self.track(260_000, gapAfter: gap)
    #expect(track.points.count(where: \.beginsLine) == 2)
  }

  @Test("an empty track has no times") func empty() {
    #expect(ThinnedTrack().times == nil && ThinnedTrack().points.isEmpty)
  }
}
