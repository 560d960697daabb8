import Formats
import Foundation
import LabelledDays
import Core
import Analysis
import Tracking

/// Scores visit detection on the labelled traces: `godwit-score [--mismatches |
/// --sensitivity | --shape] [CONSTANT=VALUE ...]`.
@main struct Score {
  static func main() throws {
    guard LabelledData.isPresent else {
      print(LabelledData.absence)
      exit(2)
    }
    let verbose = CommandLine.arguments.contains("--mismatches")
    var settings = LocationSettings()
    for argument in CommandLine.arguments.dropFirst() {
      let parts = argument.split(separator: "=")
      guard parts.count == 2, let value = Double(parts[1]) else { continue }
      guard let constant = Constant.all.first(where: { $0.name == parts[0] }) else {
        print("no constant \(parts[0])")
        exit(2)
      }
      constant.set(value, in: &settings)
    }
    let sets = try DataSet.allCases.map { ($0.rawValue, try LabelledData.days(of: $0)) }
    if CommandLine.arguments.contains("--sensitivity") {
      sensitivity(sets, settings)
      return
    }
    if CommandLine.arguments.contains("--shape") {
      shape(sets)
      return
    }
    for (name, days) in sets {
      print(summary(name, score(days, settings, verbose: verbose)))
    }
  }

  static func score(
    _ days: [LabelledDay], _ settings: LocationSettings, verbose: Bool = false
  ) -> VisitScore {
    var total = VisitScore()
    for day in days {
      let replay = TraceReplay(day.samples, settings)
      let end = day.samples.map(\.time).max() ?? UTCInstant(nanoseconds: 0)
      let score = VisitScore(day, found: replay.intervals(until: end))
      total = total + score
      if verbose { report(day, score, replay) }
    }
    return total
  }

  static func shape(_ sets: [(String, [LabelledDay])]) {
    for (name, days) in sets {
      for bound in [10.0, 25, 50] {
        let report = ShapeReport(days, bound: Metres(bound))
        let figures = report.figures
        print(
          String(
            format:
              "%@: bound %.0f m: %.0f fixes/h of %.0f; mean %.1f, p95 %.1f, max %.1f m; %.1f h",
            name, bound, figures.perHour, Double(report.seen) / report.hours, figures.mean,
            figures.p95, figures.largest, report.hours))
      }
    }
  }

  /// F1 with each constant 20 % smaller and larger.
  static func sensitivity(_ sets: [(String, [LabelledDay])], _ settings: LocationSettings) {
    func line(_ name: String, _ settings: LocationSettings) {
      let scores = sets.map { String(format: "%.3f", score($0.1, settings).f1) }
      print("\(name): \(scores.joined(separator: " "))")
    }
    line("F1 of \(sets.map(\.0).joined(separator: ", "))", settings)
    for constant in Constant.all {
      for factor in [0.8, 1.2] {
        var changed = settings
        let value = constant.get(settings) * factor
        constant.set(value, in: &changed)
        line("\(constant.name)=\(value)", changed)
      }
    }
  }

  static func summary(_ name: String, _ score: VisitScore) -> String {
    func time(_ errors: [Seconds]) -> String {
      [Ranks.median(errors), Ranks.percentile(0.9, errors)].map { "\(Int(($0 ?? 0).value))" }
        .joined(separator: "/")
    }
    return String(
      format: "%@: P %.3f R %.3f F1 %.3f (%d of %d stays, %d invented), ", name, score.precision,
      score.recall, score.f1, score.matches.count, score.matches.count + score.missed.count,
      score.invented.count)
      + "arrival median/p90 \(time(score.arrivalErrors)) s, "
      + "departure \(time(score.departureErrors)) s, "
      + "split \(score.splits), merged \(score.merges)"
  }

  static func report(_ day: LabelledDay, _ score: VisitScore, _ replay: TraceReplay) {
    print(
      String(
        format: "  %@: %d found, %d missed, %d invented, split %d, merged %d",
        day.name, score.matches.count, score.missed.count, score.invented.count, score.splits,
        score.merges))
    let rejected = replay.rejections.sorted { $0.key.rawValue < $1.key.rawValue }
    print("    \(rejected.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", "))")
    for visit in replay.visits {
      print(
        "    visit    \(ISO8601.text(visit.arrival.estimate)) ... "
          + (visit.departure.map { ISO8601.text($0.estimate) } ?? "open")
          + String(format: " confidence %.2f, %d locations", visit.confidence, visit.locations))
    }
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
