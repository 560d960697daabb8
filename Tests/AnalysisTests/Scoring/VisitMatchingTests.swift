import Core
import Analysis
import Testing

/// The same cases as those of Tests/Tools/scoring_test.py.
@Suite struct VisitMatchingTests {
  private func stretch(_ start: Double, _ end: Double) -> Interval {
    Interval(UTCInstant(seconds: start), UTCInstant(seconds: end))
  }

  private func score(_ stays: [Interval], unscored: [Interval] = [], _ found: [Interval])
    -> VisitScore
  {
    VisitScore(stays: stays, unscored: unscored, found: found, shortest: 300)
  }

  @Test("a stay that matches no visit is missed") func missed() {
    let score = score(
      [stretch(0, 3600), stretch(4600, 5080), stretch(5180, 8000)],
      [stretch(30, 3500), stretch(5200, 7900)])
    #expect(score.counts == VisitCounts(found: 2, missed: 1, invented: 0))
    #expect(score.missed == [stretch(4600, 5080)])
    #expect(score.arrivalErrors == [20, 30] && score.departureErrors == [100, 100])
    #expect((score.recall - 2 / 3.0).magnitude < 1e-9 && score.precision == 1)
    #expect((score.f1 - 0.8).magnitude < 1e-9)
  }

  @Test("the best matching visit gets the stay, in any order") func best() {
    let score = score([stretch(0, 1000)], [stretch(0, 600), stretch(0, 990)])
    #expect(score.matches.map(\.found) == [stretch(0, 990)])
    #expect(score.invented == [stretch(0, 600)])
  }

  @Test("a visit half in unscored time is neither rewarded nor penalised") func unscored() {
    let found = [stretch(0, 400), stretch(1000, 2000)]
    #expect(score([], unscored: [stretch(200, 900)], found).invented == [stretch(1000, 2000)])
    #expect(score([], unscored: [stretch(201, 900)], found).invented.count == 2)
  }

  @Test("short visits are not errors, and an empty truth scores 1") func short() {
    let score = score([], [stretch(0, 299)])
    #expect(score.counts == VisitCounts() && score.f1 == 1)
  }

  @Test("a split stay and two merged stays are distinguished") func splitsAndMerges() {
    let split = score([stretch(0, 3000)], [stretch(0, 1000), stretch(1500, 3000)])
    #expect(split.splits == 1 && split.merges == 0)
    let merged = score([stretch(0, 1000), stretch(1100, 2000)], [stretch(0, 2000)])
    #expect(merged.merges == 1 && merged.splits == 0)
  }
}
