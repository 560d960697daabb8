import Analysis
import Core
import VirtualDevice

/// How the rounds of a test depend on each other.
enum Rounds: String, CaseIterable {
  case independent
  /// Each keeps four fifths of the deviation of the one before.
  case alike = "like the one before"
  /// By 15 % from the first to the last, and the second condition always follows the first.
  case driftInOrder = "drift, order A B A B"
  /// The same drift, with the order drawn anew for each round.
  case driftInTurns = "drift, order drawn"

  private static let (round, run, drift, kept) = (0.05, 0.02, 0.15, 0.8)

  private var drifts: Bool { self == .driftInOrder || self == .driftInTurns }

  /// Two conditions; the second draws a fifth more.
  /// - Parameter gain: the monitor's reading of a true current of 1.
  private func report(
    runs: Int, gain: Double, using random: inout SeededRandom
  ) throws -> PowerReport {
    var conditions: [[RecordedRun]] = [[], []]
    var state = random.normal()
    for round in 0..<runs {
      let kept = self == .alike ? Self.kept : 0
      state = kept * state + (1 - kept * kept).squareRoot() * random.normal()
      let isSwapped = self != .driftInOrder && random.chance(0.5)
      for condition in 0...1 {
        let slot = 2 * round + (isSwapped ? 1 - condition : condition)
        let place = Double(slot) / Double(2 * runs - 1) - 0.5
        let common = drifts ? 1 + Self.drift * place : 1 + Self.round * state
        let factor = common * (condition == 0 ? 1 : 1.2) * (1 + Self.run * random.normal())
        conditions[condition].append(
          try MadeUpRun(factor: factor, gain: gain, minute: 5 * slot, using: &random).read())
      }
    }
    return PowerReport(
      zip(["a", "b"], conditions).map { TestedCondition(name: $0, runs: $1) },
      options: .init(isPaired: true), using: &random)
  }

  /// A row of the table. The scatter intervals refer to the monitor's readings of the truth: its
  /// gain is the same in every run.
  func row(runs: Int, seeds: Range<UInt64>) throws -> String {
    var (means, inAll, differences) = (Coverage(), Coverage(), Coverage())
    var (doubts, trusted) = (Coverage(), Coverage())
    for seed in seeds {
      var random = SeededRandom(seed: seed, stream: 5)
      let gain = 1 + MadeUpRun.gainLimit * Double.random(in: -1...1, using: &random)
      let report = try report(runs: runs, gain: gain, using: &random)
      let line = report.lines[0]
      guard let mean = line.condition.currents.mean, let interval = line.interval,
        let expanded = line.expanded, let difference = report.differences[0].interval
      else { continue }
      means.take(interval.contains(MadeUpRun.mean * gain))
      inAll.take((mean - MadeUpRun.mean).magnitude <= expanded)
      let isHeld = difference.contains(MadeUpRun.mean * 0.2 * gain)
      differences.take(isHeld)
      doubts.take(!report.doubts.isEmpty)
      if report.doubts.isEmpty { trusted.take(isHeld) }
    }
    return "| \(rawValue) | \(runs) | \(means.text) | \(inAll.text) | \(differences.text) "
      + "| \(doubts.text) | \(trusted.text) |"
  }
}
