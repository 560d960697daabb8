import Foundation
import Quantities
import Scoring
import Testing
import Tracking

/// The visits found in the labelled recordings, with the same constants for both sets. The floors
/// are what the best other program reached on each, 0.62 and 0.83, by different programs.
@Suite(.enabled(if: LabelledData.isPresent, Comment(rawValue: LabelledData.absence)))
struct LabelledVisitsTests {
  @Test(arguments: [(DataSet.utrecht, 0.64), (.mobilityNet, 0.90)])
  func oneSettingBeatsTheBestOfEachSet(set: DataSet, floor: Double) throws {
    var total = VisitScore()
    for day in try LabelledData.days(of: set) {
      let end = day.samples.map(\.time).max() ?? UTCInstant(nanoseconds: 0)
      total = total + VisitScore(day, found: TraceReplay(day.samples).intervals(until: end))
    }
    #expect(total.f1 > floor)
  }
}
