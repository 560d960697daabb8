import Foundation
import Core
import Analysis
import TestSupport
import Testing

@testable import godwit

@Suite struct ScoreAgreementTests {
  @Test(
    "the score equals that of the Python scorer",
    arguments: [("school-run", "hybrid"), ("parcel-driver", "adaptive")])
  func python(life: String, policy: String) throws {
    let scratch = try ScratchFolder()
    let (store, stays, track) = (
      scratch.file("a.gpkg"), scratch.file("stays.json"), scratch.file("track.csv")
    )
    let outcome = try Program.run(
      "simulate", "--life", life, "--days", "2", "--seed", "4", "--policy", policy, "--store",
      store, "--truth-stays", stays, "--truth-track", track, "--score", "--json")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let own = try JSONValue(parsing: outcome.output.trimmingCharacters(in: .newlines))
    let tool = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Tools/score_store.py").path
    let other = try run("python3", tool, BuiltProgram.path("godwit"), store, stays, track)
    #expect(other.status == 0)
    guard
      case .object(let figures) = try JSONValue(
        parsing: other.output.trimmingCharacters(in: .newlines))
    else { return #expect(Bool(false), "\(other.output)") }
    #expect(figures.count == 24)
    for (key, value) in figures {
      let difference = ((own[key]?.number ?? .infinity) - (value.number ?? 0)).magnitude
      #expect(difference <= 0.06, "\(key): \(own[key]?.number ?? -1), not \(value.number ?? -1)")
    }
  }

  @Test("a run's output for comparisons contains all of its score") func samples() throws {
    var route = RouteErrors()
    for error in [0.04, 12.3, 12.34, 99_999] { route.add(.init(error)) }
    route.add(nil)
    let score = RunScore(
      visits: VisitCounts(found: 2, missed: 1, invented: 2),
      matches: [
        MatchedVisit(
          arrivalError: 1.5, departureError: -20, positionError: 3.5, accuracy: 12,
          confidence: 0.75, arrival: BoundsCheck(width: 60, excess: 0),
          departure: BoundsCheck(width: 5, excess: 2.5)),
        MatchedVisit(arrivalError: 0, departureError: 3),
      ],
      inventedConfidences: [0.5, 0.25], places: 3, destinations: 4, route: route,
      searchTimes: [2.25])
    let text = ScoreSamples.json(score).text
    #expect(ScoreSamples.score(try JSONValue(parsing: text)) == score)
    #expect(ScoreSamples.score(.object([])) == nil)
  }
}
