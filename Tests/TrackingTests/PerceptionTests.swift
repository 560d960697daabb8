import Notation
import Quantities
import ReceiverProtocols
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
