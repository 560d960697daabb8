import Notation
import Quantities
import ReceiverProtocols
import Records
import Testing
import Tracking

@Suite struct PerceptionTests {
  @Test func aDayOfFixesBecomesVisitsDestinationsAndALine() {
    var perception = Perception(PerceptionSettings(), nextVisitID: 5, destinations: [])
    var log = VisitLog()
    var destinations: [Int64: Destination] = [:]
    var kept = 0
    var seen = 0
    func note(_ outcome: PerceptionOutcome) {
      log.note(outcome.visits)
      for destination in outcome.destinations { destinations[destination.id] = destination }
      kept += outcome.shape.count
    }
    for sighting in RandomDay(seed: 3).sightings(every: 5) {
      var fix = Fix(received: .zero + (sighting.time - Carrier.start))
      fix.time = sighting.time
      fix.mode = .threeD
      fix.position = sighting.place
      fix.horizontalError = 6
      note(perception.take(fix))
      seen += 1
    }
    note(perception.finish())
    #expect(log.visits.count == 7)
    #expect(log.visits.first?.id == 5)
    #expect(log.visits.dropLast().allSatisfy { $0.destination != nil })
    #expect(destinations.count == 6)
    #expect(perception.openVisit?.id == log.visits.last?.id)
    #expect(kept < seen / 10)
  }

  /// A receiver is a year ahead for as long as it takes to be believed, and then knows better.
  @Test func aWrongDateIsNotWaitedFor() throws {
    var perception = Perception(PerceptionSettings(), nextVisitID: 1, destinations: [])
    var log = VisitLog()
    var shape: [Sighting] = []
    func rest(from start: Double, dateAhead ahead: Double) {
      for second in stride(from: start, to: start + 1800, by: 5) {
        var fix = Carrier.fix(second, 0)
        fix.time = Carrier.time(second + ahead)
        let outcome = perception.take(fix)
        log.note(outcome.visits)
        shape += outcome.shape
      }
    }
    rest(from: 0, dateAhead: 31_536_000)
    #expect(perception.openVisit != nil)
    rest(from: 1800, dateAhead: 0)
    let open = try #require(perception.openVisit)
    #expect(open.arrival.estimate < Carrier.time(1900))
    #expect(log.visits.count == 2, "the first has ended, not gone on for a year")
    #expect(shape.last.map { $0.time < Carrier.time(3600) } == true)
  }

  @Test("a stay is one visit although the clock was an hour back for five minutes")
  func anHourBack() throws {
    var perception = Perception(PerceptionSettings(), nextVisitID: 1, destinations: [])
    var log = VisitLog()
    for second in stride(from: 0.0, to: 3600, by: 1) {
      var fix = Carrier.fix(second, 0)
      if (900..<1200).contains(second) { fix.time = Carrier.time(second - 3600) }
      log.note(perception.take(fix).visits)
    }
    log.note(perception.finish().visits)
    #expect(log.visits.count == 1)
    let open = try #require(perception.openVisit)
    #expect(open.arrival.estimate == Carrier.time(0))
  }

  @Test("no visit leads from one date to a later one")
  func datesForward() throws {
    var perception = Perception(PerceptionSettings(), nextVisitID: 1, destinations: [])
    var log = VisitLog()
    for second in stride(from: 0.0, to: 7200, by: 5) {
      var fix = Carrier.fix(second, 0)
      if second >= 3600 { fix.time = Carrier.time(second + 31_536_000) }
      log.note(perception.take(fix).visits)
    }
    #expect(log.visits.count == 2)
    let departure = try #require(log.visits.first?.departure)
    #expect(departure.latest <= Carrier.time(3600))
    let open = try #require(perception.openVisit)
    #expect(open.arrival.earliest >= Carrier.time(3600 + 31_536_000))
  }

  @Test("a recording that begins with a default date has no visit from then")
  func falseStart() throws {
    var perception = Perception(PerceptionSettings(), nextVisitID: 1, destinations: [])
    var log = VisitLog()
    for second in stride(from: 0.0, to: 3600, by: 5) {
      // Its dates are the only clock of a recording.
      let at = second < 5 ? 0 : 1_450_000_000 + second
      log.note(perception.take(Carrier.fix(at, 0)).visits)
    }
    log.note(perception.finish().visits)
    #expect(log.visits.count == 1)
    #expect(perception.openVisit?.arrival.earliest == Carrier.time(1_450_000_005))
  }

  @Test func hostileTimesInASnapshotAreDamage() throws {
    var perception = Perception(PerceptionSettings(), nextVisitID: 1, destinations: [])
    for second in stride(from: 0.0, to: 1800, by: 5) {
      _ = perception.take(Carrier.fix(second, 0))
    }
    let saved = perception.snapshot.text
    let digits = String(Carrier.time(1795).nanoseconds)
    #expect(saved.contains(digits))
    let damaged = saved.split(separator: digits, omittingEmptySubsequences: false)
      .joined(separator: String(Int64.min))
    var again = Perception(PerceptionSettings(), nextVisitID: 1, destinations: [])
    again.restore(try JSONValue(parsing: damaged))
    #expect(again.openVisit == nil)
    #expect(again.take(Carrier.fix(1800, 0)).sighting != nil)
  }

  @Test func aDamagedSnapshotBeginsAfresh() throws {
    for text in ["{}", "{\"visits\":{\"stay\":3}}", "{\"visits\":{\"latitude\":900}}", "null"] {
      var perception = Perception(PerceptionSettings(), nextVisitID: 5, destinations: [])
      perception.restore(try JSONValue(parsing: text))
      #expect(perception.openVisit == nil)
      #expect(perception.nextVisitID == 5)
    }
  }
}
