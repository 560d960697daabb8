import Foundation

/// What came of a scenario.
struct Outcome: Sendable {
  let scenario: String
  /// What was not as it must be, if anything: in a few words.
  let failure: String?
  /// What belongs into the verdict.
  let headlines: [String]
  /// For whoever reads along, in lines.
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
    // What the scenario itself said last, after all that its programs have.
    let own = lines.last { $0.hasPrefix(scenario + ": ") }?.dropFirst(scenario.count + 2)
    failure = (own ?? lines.first).map(String.init) ?? "it said nothing"
    report = "\(scenario): FAILED: \(error)"
  }
}
