import Quantities
import Scoring
import Testing
import Tracking

/// Floors under what was reached on labelled traces, a little below it: they guard against losses,
/// not against the noise of one stay more or less.
@Suite(.enabled(if: LabelledData.isPresent, Comment(rawValue: LabelledData.absence)))
struct VisitScoreTests {
  static func score(_ set: DataSet) throws -> VisitScore {
    try LabelledData.days(of: set).reduce(VisitScore()) { total, day in
      let end = day.samples.map(\.time).max() ?? UTCInstant(nanoseconds: 0)
      return total + VisitScore(day, found: TraceReplay(day.samples).intervals(until: end))
    }
  }

  @Test func travelDiaries() throws {
    let score = try Self.score(.utrecht)
    #expect(score.matches.count + score.missed.count >= 10)
    #expect(score.f1 >= 0.62)
  }

  @Test func scriptedDays() throws {
    let score = try Self.score(.mobilityNet)
    #expect(score.matches.count + score.missed.count >= 60)
    #expect(score.f1 >= 0.9)
    #expect(VisitScore.quantile(0.5, of: score.arrivalErrors) <= 150)
    #expect(VisitScore.quantile(0.5, of: score.departureErrors) <= 150)
  }
}
