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

  // MARK: Places, bounds and confidence

  private static let home = Coordinate(latitude: 53, longitude: 6)

  /// A stay of an hour at home, and a visit so many metres north of it, with bounds of ±60 s.
  private func claim(
    _ distance: Metres, arrival: Double = 0, confidence: Double = 0.5, destination: Int64 = 1
  ) -> Interval {
    let plane = LocalPlane(origin: Self.home)
    func bounds(_ seconds: Double) -> ClosedRange<UTCInstant> {
      UTCInstant(seconds: seconds - 60)...UTCInstant(seconds: seconds + 60)
    }
    return Interval(
      UTCInstant(seconds: arrival), UTCInstant(seconds: 3600),
      at: plane.coordinate(LocalPlane.Point(east: 0, north: distance)),
      claims: VisitClaims(
        id: destination, arrival: bounds(arrival), departure: bounds(3600), accuracy: 30,
        confidence: confidence, destination: destination))
  }

  private func figures(_ visits: [Interval]) -> ScoreFigures {
    visits.reduce(into: RunScore()) { total, visit in
      let stay = Interval(UTCInstant(seconds: 0), UTCInstant(seconds: 3600), at: Self.home)
      total.add(score([stay], [visit]))
    }.figures
  }

  @Test("a visit too far from its true place is a missed stay and a false visit") func places() {
    let figures = figures([claim(10), claim(45), claim(80), claim(300, destination: 2)])
    #expect(figures.visits == VisitCounts(found: 4))
    #expect(figures.visitsFar == VisitCounts(found: 3, missed: 1, invented: 1))
    #expect(figures.visitsNear == VisitCounts(found: 2, missed: 2, invented: 2))
    #expect(figures.places == 4 && figures.destinations == 4)
    #expect(figures.withinAccuracy == 0.25 && figures.withinTwiceAccuracy == 0.5)
  }

  @Test("one place with two destinations counts once") func destinations() {
    let stays = [0.0, 5000].map {
      Interval(UTCInstant(seconds: $0), UTCInstant(seconds: $0 + 3600), at: Self.home)
    }
    var later = claim(10, destination: 2)
    later.start = UTCInstant(seconds: 5000)
    later.end = UTCInstant(seconds: 8600)
    let score = score(stays, [claim(10), later])
    #expect(score.places == 1 && score.destinations == 2)
  }

  @Test("without the true places there is no score in place") func unknownPlaces() {
    var total = RunScore()
    total.add(score([stretch(0, 3600)], [claim(10)]))
    let figures = total.figures
    #expect(figures.visits == VisitCounts(found: 1) && figures.arrivalBounds.share == 1)
    #expect(figures.visitsFar == nil && figures.places == nil && figures.withinAccuracy == nil)
  }

  @Test("bounds hold the true time with a second of tolerance") func bounds() {
    let figures = figures([claim(0), claim(0, arrival: 61), claim(0, arrival: 61.5)])
    #expect(((figures.arrivalBounds.share ?? 0) - 2 / 3.0).magnitude < 1e-9)
    #expect(figures.arrivalBounds.width == 120 && figures.departureBounds.share == 1)
  }

  @Test("a confidence is compared with the share of right visits of about the same")
  func confidence() {
    var total = RunScore()
    let stay = Interval(UTCInstant(seconds: 0), UTCInstant(seconds: 3600), at: Self.home)
    for confidence in [0.9, 0.8] { total.add(score([stay], [claim(0, confidence: confidence)])) }
    total.add(score([], [claim(0, confidence: 0.85)]))
    total.add(score([], [claim(0, confidence: 0.1)]))
    let classes = total.figures.confidence
    #expect(classes.map(\.visits) == [1, 3])
    #expect(classes[0].right == 0 && classes[0].confidence == 0.1)
    #expect(classes[1].right == 2 / 3.0 && (classes[1].confidence - 0.85).magnitude < 1e-9)
  }
}
