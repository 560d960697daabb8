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

  @Test func aDamagedSnapshotBeginsAfresh() throws {
    for text in ["{}", "{\"visits\":{\"stay\":3}}", "{\"visits\":{\"latitude\":900}}", "null"] {
      var perception = Perception(PerceptionSettings(), nextVisitID: 5, destinations: [])
      perception.restore(try JSONValue(parsing: text))
      #expect(perception.openVisit == nil)
      #expect(perception.nextVisitID == 5)
    }
  }
}
