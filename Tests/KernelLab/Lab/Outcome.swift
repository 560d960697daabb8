import Foundation

/// The result of a scenario.
struct Outcome: Sendable {
  let scenario: String
  /// What failed, if anything, in a few words.
  let failure: String?
  /// The lines for the summary.
  let headlines: [String]
  /// The full report in lines.
  let report: String

  init(_ scenario: String, _ figures: [Figure], seconds: Double) {
    self.scenario = scenario
    let broken = figures.filter { !$0.isKept }.map(\.description)
    failure = broken.isEmpty ? nil : broken.joined(separator: ", ")
    headlines = figures.filter(\.isHeadline).map(\.description)
    let verdict = broken.isEmpty ? "passed" : "FAILED"
    report =
      ([String(format: "\(scenario): \(verdict) in %.1f s", seconds)]
      + figures.filter(\.isShown).map { "  \($0)" }).joined(separator: "\n")
  }

  init(_ scenario: String, failed error: any Error) {
    self.scenario = scenario
    headlines = []
    let lines = "\(error)".split(separator: "\n")
    // The scenario's own last line takes precedence over its programs' output.
    let own = lines.last { $0.hasPrefix(scenario + ": ") }?.dropFirst(scenario.count + 2)
    failure = (own ?? lines.first).map(String.init) ?? "it said nothing"
    report = "\(scenario): FAILED: \(error)"
  }
}
