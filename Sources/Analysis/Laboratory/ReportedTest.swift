/// The test that a report's recordings belong to.
public struct ReportedTest: Sendable {
  let name: String
  let about: String
  /// One per monitor; empty: none was measured.
  let baselines: [BaselineDrift]

  public init(name: String, about: String, baselines: [BaselineDrift]) {
    self.name = name
    self.about = about
    self.baselines = baselines
  }

  /// "The idle board: 31.94 mA before, 32.01 mA after, 0.2 % more."; nil: it was not measured.
  var idleBoard: String? {
    let drifts = baselines.compactMap(\.text)
    return drifts.isEmpty ? nil : "The idle board: \(drifts.joined(separator: "; "))."
  }
}
