import Core
import Records
import Testing

@testable import Formats

/// `godwit visits --gaps`: when the position of the board is unknown.
@Suite struct GapFinderTests {
  static let start = BoundedTimeTests.start

  static func visit(_ id: Int64, from: Seconds, to: Seconds?) -> Visit {
    var visit = Visit(
      id: id, arrival: TimeEstimate(exactly: start + from),
      departure: to.map { TimeEstimate(exactly: start + $0) },
      position: ExportSamples.position(52, 5), accuracy: 3, confidence: 1, locations: 9)
    visit.destination = id * 10
    return visit
  }

  static func point(_ second: Seconds) -> TrackPoint {
    TrackPoint(
      location: Location(
        time: start + second, position: ExportSamples.position(52, 5), accuracy: 4),
      reason: .scheduled)
  }

  static func gaps(_ visits: [Visit], _ points: [Seconds], end: Seconds? = nil) -> [String] {
    var finder = GapFinder(visits, end: end.map { start + $0 })
    for second in points { finder.add(point(second)) }
    finder.finish()
    return finder.gaps.map { gap in
      "\(gap.kind.rawValue) \(Int((gap.time.start - start).value)) "
        + "\(Int((gap.time.end - start).value)) \(gap.destination ?? 0)"
    }
  }

  @Test("each kind of gap is named correctly") func kinds() {
    let visits = [
      Self.visit(1, from: 1000, to: 5000), Self.visit(2, from: 20_000, to: 30_000),
      Self.visit(3, from: 40_000, to: nil),
    ]
    #expect(
      Self.gaps(visits, [0, 32_000, 34_000, 35_000], end: 50_000) == [
        "arrival 0 1000 0", "between visits 5000 20000 10", "departure 30000 32000 20",
        "under way 32000 34000 0", "under way 34000 35000 0", "arrival 35000 40000 0",
      ])
  }

  @Test("a stay without a fix attempt in between is a gap of its own") func withinAVisit() {
    var visit = Self.visit(1, from: 0, to: 50_000)
    visit.gaps = UnobservedPeriods([Self.gap(1000, 40_000)])
    #expect(Self.gaps([visit], []) == ["within a visit 1000 40000 10"])
  }

  @Test("a gap that exceeds the known time by a fraction of a second still counts")
  func fractions() {
    var visit = Self.visit(1, from: 0.4, to: 7300.7)
    visit.gaps = UnobservedPeriods([Self.gap(0, 3600), Self.gap(3700, 7301)])
    #expect(
      Self.gaps([visit], []) == ["within a visit 0 3600 10", "within a visit 3700 7300 10"])
  }

  @Test("every gap of a stay is reported, not only the longest") func heartbeats() {
    var visit = Self.visit(1, from: 0, to: 12_000)
    visit.gaps = UnobservedPeriods([
      Self.gap(100, 3700), Self.gap(3700, 7300), Self.gap(7400, 11_000),
    ])
    #expect(
      Self.gaps([visit], []) == [
        "within a visit 100 3700 10", "within a visit 3700 7300 10",
        "within a visit 7400 11000 10",
      ])
    #expect(
      Self.gaps([visit], [100, 3700, 7300, 7400, 12_000]) == [
        "within a visit 100 3700 10", "within a visit 3700 7300 10",
        "within a visit 7400 11000 10",
      ], "the looks between them end none")
  }

  static func gap(_ start: Seconds, _ end: Seconds) -> UnobservedPeriod {
    UnobservedPeriod(start: Self.start + start, end: Self.start + end)
  }

  @Test("points within a stay, and pauses of a quarter of an hour, are not gaps") func none() {
    #expect(Self.gaps([Self.visit(1, from: 0, to: 9000)], [100, 200, 9900]) == [])
    #expect(Self.gaps([], [0, 900, 1800]) == [])
    #expect(Self.gaps([], []) == [])
  }

  @Test("the uncertainty of an arrival or a departure belongs to the gap") func bounds() {
    var visit = Self.visit(1, from: 2000, to: nil)
    visit.arrival.latest = Self.start + 3000
    visit.departure = TimeEstimate(
      estimate: Self.start + 9000, earliest: Self.start + 4000, latest: Self.start + 9000)
    #expect(
      Self.gaps([visit], [0, 9000]) == ["arrival 0 3000 0", "departure 4000 9000 10"])
  }
}
