import Core
import Records
import Testing

@testable import Analysis

@Suite struct RecordingTests {
  private static let start = CurrentFitTests.start

  /// Ten readings per second: 30 mA for the first 20 s, then 0.5 mA.
  private func recording(seconds: Int, wobble: Double = 0.000_3) -> Recording {
    Recording(
      start: Self.start,
      samples: (0..<seconds * 10).map { (tenth: Int) -> Recording.Sample in
        let mean: Double = tenth < 200 ? 0.03 : 0.000_5
        let error: Double = tenth % 2 == 0 ? wobble : -wobble
        return Recording.Sample(
          elapsed: Seconds(Double(tenth) / 10), current: Amperes(mean + error),
          uncertainty: 0.000_2, voltage: 3.3)
      })
  }

  private func segment(_ state: GnssState, from: Double, seconds: Double) -> PowerSegment {
    PowerSegment(
      state: state, start: Self.start + Seconds(from), duration: Seconds(seconds), charge: 1,
      energy: 3.3, basis: .modelled)
  }

  @Test("a recording replaces the segment that it covers") func inPlace() throws {
    let stored = [
      segment(.acquiring, from: 0, seconds: 20), segment(.sleeping, from: 20, seconds: 40),
    ]
    let (segments, recorded) = recording(seconds: 60).measuring(stored)
    #expect(recorded == 2 && segments.map(\.basis) == [.measured, .measured])
    for (segment, current) in zip(segments, [0.03, 0.000_5]) {
      let mean = segment.charge.value / segment.duration.value
      #expect((mean / current - 1).magnitude < 0.02)
      // 0.2 mA, and almost nothing from scatter.
      let uncertainty = try #require(segment.energyUncertainty)
      let average = uncertainty.value / segment.duration.value / 3.3
      #expect((0.000_2...0.000_21).contains(average))
    }
    // 1.5 s at each end are left out.
    #expect(segments[0].start >= Self.start + 1.5 && segments[0].duration <= 17)
  }

  @Test("segments outside the recording stay unchanged") func outOfReach() {
    let stored = [
      segment(.off, from: -100, seconds: 90), segment(.tracking, from: 1, seconds: 3.2),
      segment(.sleeping, from: 59, seconds: 900),
    ]
    let (segments, recorded) = recording(seconds: 60).measuring(stored)
    #expect(recorded == 0 && segments == stored)
    #expect(Recording(start: Self.start, samples: []).measuring(stored).recorded == 0)
  }

  @Test("a truncated recording measures the part of a segment that it covers") func cutOff() {
    let stored = [segment(.sleeping, from: 20, seconds: 900)]
    let (segments, recorded) = recording(seconds: 60).measuring(stored)
    #expect(recorded == 1 && (37...39).contains(segments[0].duration.value))
  }
}
