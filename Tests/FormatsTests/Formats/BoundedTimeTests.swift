import Core
import Records
import Testing

@testable import Formats

/// A time is printed as precisely as it is known.
@Suite struct BoundedTimeTests {
  static let start = UTCInstant(seconds: 1_777_936_860)  // 2026-05-04T23:21:00Z
  static let style = TableStyle(end: start + 3600) {
    String(ISO8601.text($0).prefix(19).replacing("T", with: " "))
  }

  static func time(_ width: Seconds) -> TimeEstimate {
    TimeEstimate(estimate: start + width * 0.5, earliest: start, latest: start + width)
  }

  @Test(
    "to the second, to the minute, or as two bounds",
    arguments: [
      (60, "2026-05-04 23:21:30", "2026-05-04 23:21:30"),
      (61, "2026-05-04 23:21", "2026-05-04 23:21"),
      (900, "2026-05-04 23:28", "2026-05-04 23:28"),
      (901, "2026-05-04 23:21 to 23:36", "between 2026-05-04 23:21 and 23:36"),
      (42_840, "2026-05-04 23:21 to 05-05 11:15", "between 2026-05-04 23:21 and 05-05 11:15"),
    ] as [(Seconds, String, String)])
  func asExactlyAsKnown(width: Seconds, text: String, phrase: String) {
    let time = BoundedTime(Self.time(width))
    #expect(time.text(Self.style) == text)
    #expect(time.phrase(Self.style) == phrase)
  }

  @Test("the year of an end in another year is printed") func turnOfTheYear() {
    let start = UTCInstant(seconds: 1_798_754_400)  // 2026-12-31T22:00:00Z
    #expect(
      BoundedTime.range(start, start + 14_400, Self.style)
        == "2026-12-31 22:00 to 2027-01-01 02:00")
    let visit = Visit(
      id: 1, arrival: TimeEstimate(exactly: start), position: ExportSamples.position(52, 5),
      accuracy: 3, confidence: 1, locations: 9)
    let gap = UnobservedPeriod(start: start + 10_800, end: start + 14_400)
    #expect(
      BoundedTime.gap(gap, of: visit, Self.style)
        == "no position for 1 h 00 min from 2027-01-01 01:00")
  }

  static func visit(arrival: Seconds, departure: Seconds?) -> Visit {
    Visit(
      id: 1, arrival: time(arrival),
      departure: departure.map {
        TimeEstimate(
          estimate: start + 20_000, earliest: start + 20_000 - $0, latest: start + 20_000)
      }, position: ExportSamples.position(52, 5), accuracy: 3, confidence: 1, locations: 9)
  }

  @Test("a stay between uncertain times has a range of durations") func stays() {
    #expect(BoundedDuration(Self.visit(arrival: 0, departure: 0))?.text == "5 h 33 min")
    #expect(BoundedDuration(Self.visit(arrival: 0, departure: 18_000))?.text == "33 min to 6 h")
    #expect(BoundedDuration(Self.visit(arrival: 5000, departure: 18_000))?.text == "0 min to 6 h")
    #expect(BoundedDuration(Self.visit(arrival: 0, departure: nil)) == nil)
  }

  @Test("the table of visits shows bounds, gaps and how far an open visit is known")
  func table() {
    var open = Self.visit(arrival: 5000, departure: nil)
    open.gaps = UnobservedPeriods([
      UnobservedPeriod(start: Self.start + 600, end: Self.start + 42_600)
    ])
    let cells = Visit.columns.cells(of: open, style: Self.style)
    #expect(cells.contains("2026-05-04 23:21 to 05-05 00:44"))
    #expect(cells.contains("still there at 2026-05-05 00:21"))
    #expect(cells.contains("no position for 11 h 40 min from 05-04 23:31"))
  }
}
