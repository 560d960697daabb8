import TestSupport
import Testing

/// Track files of other users whose dates are wrong, out of order or have gaps.
@Suite(.enabled(if: ReportedFiles.isHere, ReportedFiles.absence))
struct ReportedDatesTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let both = ReportedTracksTests.both
  private static let twoDays = both + ["05-02 08:00-08:20", "05-02 08:25-08:44"]
  private static let long = ["05-01 08:00-09:00", "05-01 09:10-10:10"]
  private static let wrong = ["skipped 1 wrong date"]

  private static func after(_ day: String) -> [String] {
    both + ["\(day) 08:00-08:20", "\(day) 08:25-08:44"]
  }

  static let read: [ReportedTrack] = [
    .init(name: "61-two-docs.gpx", visits: twoDays, accepted: 180),
    .init(
      name: "62-reverse.gpx", visits: both, told: ["sorted by time"], accepted: 90,
      simulated: "sorted by time"),
    .init(name: "63-overlap.gpx", visits: both, told: ["left out 90 positions"], accepted: 90),
    .init(
      name: "74-first-1970.csv", visits: both, told: wrong, accepted: 90, simulated: "wrong date"),
    .init(name: "74-first-2000.csv", visits: both, told: wrong, accepted: 90),
    .init(
      name: "74-first-2025.csv", visits: both, told: wrong, accepted: 90, simulated: "wrong date"),
    .init(
      name: "75-first-2039.csv", visits: both, told: wrong, accepted: 90, simulated: "wrong date"),
    .init(name: "75-mid-1970.csv", visits: both, told: wrong, accepted: 90),
    .init(
      name: "75-mid-2039.csv", visits: both, told: wrong, accepted: 90, simulated: "wrong date"),
    .init(name: "76-gap-7d.csv", visits: after("05-08"), gaps: 1, simulated: "1 hole of more"),
    .init(name: "76-gap-30d.csv", visits: after("05-31"), gaps: 1),
    .init(name: "76-gap-90d.csv", visits: after("07-30"), gaps: 1),
    .init(
      name: "80-gpscorrelate-2043.gpx", visits: both, told: ["skipped 2 wrong dates"],
      accepted: 88, simulated: "2 wrong dates"),
    .init(name: "81-osmand-year0.gpx", visits: both, told: ["skipped 2 rows"], accepted: 88),
    .init(
      name: "82-outrun-cumulative.gpx", visits: both, told: ["left out 90 positions"],
      accepted: 90),
    .init(name: "83-newest-track-first.gpx", visits: twoDays, told: ["sorted by time"]),
    .init(name: "130-gap-years.csv", visits: ["05-01 18:00-18:30"], told: wrong, accepted: 360),
    .init(name: "230-glitch-forward-10min.csv", visits: long, told: wrong, accepted: 259),
    .init(name: "230-glitch-forward-1h.csv", visits: long, told: wrong, accepted: 259),
    .init(name: "230-glitch-forward-6h.csv", visits: long, told: wrong, accepted: 259),
    .init(name: "230-glitch-forward-1d.csv", visits: long, told: wrong, accepted: 259),
    .init(name: "230-glitch-forward-30d.csv", visits: long, told: wrong, accepted: 259),
    .init(
      name: "231-glitch-step10.csv", visits: ["05-01 08:00-11:59"], told: wrong, accepted: 1439),
    .init(
      name: "231-glitch-step300.csv", visits: ["05-01 08:00-11:55"], told: wrong, accepted: 47),
    .init(
      name: "250-sim-gap-24h-same.csv", visits: ["05-01 08:00"], gaps: 1,
      simulated: "1 hole of more"),
    .init(
      name: "250-sim-gap-24h-50km.csv", visits: ["05-01 08:00-08:29", "05-02 08:30-08:59"],
      gaps: 1, simulated: "1 hole of more"),
  ]

  @Test("the visits are those of the file, and corrections are reported", arguments: read)
  func visits(track: ReportedTrack) throws { try track.check(in: scratch) }

  @Test("a gap of months is not simulated", arguments: ["76-gap-30d.csv", "76-gap-90d.csv"])
  func longHoles(name: String) throws {
    let found = try ReplayedVisits(["simulate"], ReportedFiles.path(name), in: scratch)
    #expect(found.exitCode == 1 && found.messages.contains("--through-holes"))
  }
}
