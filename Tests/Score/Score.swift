import Formats
import Foundation
import Notation
import Quantities
import Scoring
import Tracking

/// Scores visit detection on the labelled traces: `godwit-score [--mismatches]`.
@main struct Score {
  static func main() throws {
    guard LabelledData.isPresent else {
      print(LabelledData.absence)
      exit(2)
    }
    let verbose = CommandLine.arguments.contains("--mismatches")
    for set in DataSet.allCases {
      let days = try LabelledData.days(of: set)
      var total = VisitScore()
      for day in days {
        let replay = TraceReplay(day.samples)
        let end = day.samples.map(\.time).max() ?? UTCInstant(nanoseconds: 0)
        let score = VisitScore(day, found: replay.intervals(until: end))
        total = total + score
        report(day, score, verbose: verbose)
      }
      print(summary(set.rawValue, total))
    }
  }

  static func summary(_ name: String, _ score: VisitScore) -> String {
    func time(_ errors: [Seconds]) -> String {
      [0.5, 0.9].map { "\(Int(VisitScore.quantile($0, of: errors).value))" }.joined(separator: "/")
    }
    return String(
      format: "%@: P %.3f R %.3f F1 %.3f (%d of %d stays, %d invented), ", name, score.precision,
      score.recall, score.f1, score.matches.count, score.matches.count + score.missed.count,
      score.invented.count)
      + "arrival median/p90 \(time(score.arrivalErrors)) s, "
      + "departure \(time(score.departureErrors)) s, "
      + "split \(score.splits), merged \(score.merges)"
  }

  static func report(_ day: LabelledDay, _ score: VisitScore, verbose: Bool) {
    print(
      String(
        format: "  %@: %d found, %d missed, %d invented, split %d, merged %d",
        day.name, score.matches.count, score.missed.count, score.invented.count, score.splits,
        score.merges))
    guard verbose else { return }
    for stay in score.missed { print("    missed   \(text(stay))") }
    for visit in score.invented { print("    invented \(text(visit))") }
    for match in score.matches {
      let arrival = Int((match.found.start - match.stay.start).value)
      let departure = Int((match.found.end - match.stay.end).value)
      if abs(arrival) > 300 || abs(departure) > 300 {
        print("    matched  \(text(match.stay)) arrival \(arrival) s, departure \(departure) s")
      }
    }
  }

  static func text(_ interval: Interval) -> String {
    "\(ISO8601.text(interval.start)) ... \(ISO8601.text(interval.end)) "
      + "\(Int(interval.length.value / 60)) min"
  }
}
