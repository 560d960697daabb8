import Foundation

/// What came of a scenario.
struct Outcome: Sendable {
  let scenario: String
  let isPassed: Bool
  /// What belongs into the verdict.
  let headlines: [String]
  /// For whoever reads along, in lines.
  let report: String

  init(_ scenario: String, _ figures: [Figure], seconds: Double) {
    self.scenario = scenario
    isPassed = figures.allSatisfy(\.isKept)
    headlines = figures.filter(\.isHeadline).map(\.description)
    let verdict = isPassed ? "passed" : "FAILED"
    report =
      ([String(format: "\(scenario): \(verdict) in %.1f s", seconds)]
      + figures.filter(\.isShown).map { "  \($0)" }).joined(separator: "\n")
  }

  init(_ scenario: String, failed error: any Error) {
    self.scenario = scenario
    isPassed = false
    headlines = []
    report = "\(scenario): FAILED: \(error)"
  }
}
