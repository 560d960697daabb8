import Core
import GNSS
import Records
import Testing
import Tracking

extension FixOutcome {
  /// Empty if the fix was rejected.
  fileprivate var consequences: LocationOutcome {
    if case .accepted(_, let outcome) = self { outcome } else { LocationOutcome() }
  }
}

@Suite struct LocationPipelineTests {
  @Test("a day of fixes becomes visits, destinations and a line of few points")
  func aDayOfFixesBecomesVisitsDestinationsAndALine() {
    var pipeline = LocationPipeline(LocationSettings(), nextVisitID: 5, destinations: [])
    var log = VisitLog()
    var destinations: [Int64: Destination] = [:]
    var track = StoredTrack(TrajectorySettings(), isDense: true)
    var kept = 0
    var seen = 0
    func note(_ outcome: LocationOutcome) {
      log.take(outcome.visits)
      for destination in outcome.destinations { destinations[destination.id] = destination }
      for id in outcome.withdrawnDestinations { destinations[id] = nil }
    }
    for location in RandomDay(seed: 3).locations(every: 5) {
      var fix = Fix(received: .zero + (location.time - GroundTruth.start))
      fix.time = location.time
      fix.mode = .threeD
      fix.position = location.position
      fix.horizontalError = 6
      note(pipeline.handle(fix).consequences)
      kept += track.add(location, for: .passing, session: nil).count
      seen += 1
    }
    note(pipeline.finish())
    #expect(log.visits.count == 7)
    #expect(log.visits.first?.id == 5)
    #expect(log.visits.allSatisfy { $0.destination != nil })
    #expect(destinations.count == 7, "the open visit's among them")
    #expect(destinations.values.map(\.visits).reduce(0, +) == 7)
    #expect(pipeline.openVisit?.id == log.visits.last?.id)
    #expect(kept < seen / 10)
  }

  /// The receiver's date is a year ahead for long enough to be accepted, and then corrected.
  @Test("after a date too late, visits and the line continue with the right one")
  func aWrongDateIsNotWaitedFor() throws {
    var pipeline = LocationPipeline(LocationSettings(), nextVisitID: 1, destinations: [])
    var log = VisitLog()
    var beginnings: [Double] = []
    func rest(from start: Double, dateAhead ahead: Double) {
      for second in stride(from: start, to: start + 1800, by: 5) {
        var fix = GroundTruth.fix(second, 0)
        fix.time = GroundTruth.time(second + ahead)
        let outcome = pipeline.handle(fix).consequences
        log.take(outcome.visits)
        if outcome.isOfOtherDate { beginnings.append(second) }
      }
    }
    rest(from: 0, dateAhead: 31_536_000)
    #expect(pipeline.openVisit != nil)
    rest(from: 1800, dateAhead: 0)
    let open = try #require(pipeline.openVisit)
    #expect(open.arrival.estimate < GroundTruth.time(1900))
    #expect(log.visits.count == 2, "the first has ended, not gone on for a year")
    #expect(beginnings.count == 1 && beginnings.allSatisfy { (1800...1900).contains($0) })
  }

  @Test("a stay is one visit although the clock was an hour back for five minutes")
  func anHourBack() throws {
    var pipeline = LocationPipeline(LocationSettings(), nextVisitID: 1, destinations: [])
    var log = VisitLog()
    for second in stride(from: 0.0, to: 3600, by: 1) {
      var fix = GroundTruth.fix(second, 0)
      if (900..<1200).contains(second) { fix.time = GroundTruth.time(second - 3600) }
      log.take(pipeline.handle(fix).consequences.visits)
    }
    log.take(pipeline.finish().visits)
    #expect(log.visits.count == 1)
    let open = try #require(pipeline.openVisit)
    #expect(open.arrival.estimate == GroundTruth.time(0))
  }

  @Test("no visit spans a date change")
  func datesForward() throws {
    var pipeline = LocationPipeline(LocationSettings(), nextVisitID: 1, destinations: [])
    var log = VisitLog()
    for second in stride(from: 0.0, to: 7200, by: 5) {
      var fix = GroundTruth.fix(second, 0)
      if second >= 3600 { fix.time = GroundTruth.time(second + 31_536_000) }
      log.take(pipeline.handle(fix).consequences.visits)
    }
    #expect(log.visits.count == 2)
    let departure = try #require(log.visits.first?.departure)
    #expect(departure.latest <= GroundTruth.time(3600))
    let open = try #require(pipeline.openVisit)
    #expect(open.arrival.earliest >= GroundTruth.time(3600 + 31_536_000))
  }

  /// The receiver's date is ahead for three hours, and then corrected.
  @Test(
    "no two visits overlap although the date goes back",
    arguments: [3600, 7200, 40_000], [true, false])
  func backIntoVisits(ahead: Double, isRestarted: Bool) {
    var pipeline = LocationPipeline(LocationSettings(), nextVisitID: 1, destinations: [])
    var log = VisitLog()
    // At another place every hour.
    for second in stride(from: 0.0, to: 9 * 3600, by: 5) {
      let hour = (second / 3600).rounded(.down)
      var fix = GroundTruth.fix(second, hour * 1500 + max(0, second - hour * 3600 - 3500) * 15)
      if second < 3 * 3600 { fix.time = GroundTruth.time(second + ahead) }
      log.take(pipeline.handle(fix).consequences.visits)
      if isRestarted, second == 3 * 3600 + 600 {
        let snapshot = pipeline.snapshot
        pipeline = LocationPipeline(LocationSettings(), nextVisitID: 1, destinations: [])
        pipeline.restore(snapshot)
      }
    }
    let end = GroundTruth.time(9 * 3600)
    let bounds = log.visits.map { ($0.arrival.earliest, $0.departure?.latest ?? end) }
      .sorted { $0.0 < $1.0 }
    for (before, after) in zip(bounds, bounds.dropFirst()) {
      #expect(before.1 <= after.0, "\(bounds)")
    }
    #expect(pipeline.openVisit != nil && log.visits.count >= 7, "\(bounds)")
  }

  @Test("a recording that begins with a default date has no visit from then")
  func falseStart() throws {
    var pipeline = LocationPipeline(LocationSettings(), nextVisitID: 1, destinations: [])
    var log = VisitLog()
    for second in stride(from: 0.0, to: 3600, by: 5) {
      // The receiver's dates are the only clock of a recording.
      let at = second < 5 ? 0 : 1_450_000_000 + second
      log.take(pipeline.handle(GroundTruth.fix(at, 0)).consequences.visits)
    }
    log.take(pipeline.finish().visits)
    #expect(log.visits.count == 1)
    #expect(pipeline.openVisit?.arrival.earliest == GroundTruth.time(1_450_000_005))
  }

  @Test("impossible times in a snapshot are damage")
  func hostileTimesInASnapshotAreDamage() throws {
    var pipeline = LocationPipeline(LocationSettings(), nextVisitID: 1, destinations: [])
    for second in stride(from: 0.0, to: 1800, by: 5) {
      _ = pipeline.handle(GroundTruth.fix(second, 0))
    }
    let saved = pipeline.snapshot.text
    let digits = String(GroundTruth.time(1795).nanoseconds)
    #expect(saved.contains(digits))
    let damaged = saved.split(separator: digits, omittingEmptySubsequences: false)
      .joined(separator: String(Int64.min))
    var again = LocationPipeline(LocationSettings(), nextVisitID: 1, destinations: [])
    again.restore(try JSONValue(parsing: damaged))
    #expect(again.openVisit == nil)
    guard case .accepted = again.handle(GroundTruth.fix(1800, 0)) else {
      Issue.record("a good fix is refused")
      return
    }
  }

  @Test("after a damaged snapshot it starts over") func aDamagedSnapshotBeginsAfresh() throws {
    for text in ["{}", "{\"visits\":{\"stay\":3}}", "{\"visits\":{\"latitude\":900}}", "null"] {
      var pipeline = LocationPipeline(LocationSettings(), nextVisitID: 5, destinations: [])
      pipeline.restore(try JSONValue(parsing: text))
      #expect(pipeline.openVisit == nil)
      #expect(pipeline.nextVisitID == 5)
    }
  }
}
