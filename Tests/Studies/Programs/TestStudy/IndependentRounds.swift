import Analysis
import Core
import VirtualDevice

/// How the runs of one condition scatter around its mean: by 8 %.
enum Scatter: String, CaseIterable {
  case normal, even, skewed

  static let deviation = 0.08

  /// The factor of one run on the mean.
  func factor(using random: inout SeededRandom) -> Double {
    switch self {
    case .normal: return 1 + Self.deviation * random.normal()
    case .even:
      return 1 + Self.deviation * 3.0.squareRoot() * Double.random(in: -1...1, using: &random)
    case .skewed:
      // An exponential distribution has a standard deviation equal to its mean.
      return 1 - Self.deviation + Self.deviation * random.exponential()
    }
  }

  /// Two conditions, the second with a tenth more of everything; the part that both share in a
  /// round scatters, too.
  func report(runs: Int, seed: UInt64) throws -> PowerReport {
    var random = SeededRandom(seed: seed)
    var (a, b): ([RecordedRun], [RecordedRun]) = ([], [])
    for _ in 0..<runs {
      let round = 1 + 0.03 * random.normal()
      let (first, second) = (factor(using: &random), factor(using: &random))
      a.append(try MadeUpRun(factor: round * first, using: &random).read())
      b.append(try MadeUpRun(factor: round * 1.1 * second, using: &random).read())
    }
    return PowerReport(
      [TestedCondition(name: "a", runs: a), TestedCondition(name: "b", runs: b)],
      options: .init(isPaired: true), using: &random)
  }

  /// A row of the table.
  func row(runs: Int, seeds: Range<UInt64>) throws -> String {
    var (means, differences) = (Coverage(), Coverage())
    var states = ["tracking": Coverage(), "off": Coverage()]
    var method = "-"
    for seed in seeds {
      let report = try report(runs: runs, seed: seed)
      let line = report.lines[0]
      method = line.interval?.method.rawValue ?? "-"
      means.take(line.interval?.low, line.interval?.high, truth: MadeUpRun.mean)
      let difference = report.differences[0].interval
      differences.take(difference?.low, difference?.high, truth: MadeUpRun.mean * 0.1)
      for (figures, interval) in line.states {
        let truth = (figures.state == "off" ? MadeUpRun.off : MadeUpRun.tracking) / 1000
        states[figures.state]?.take(interval?.low, interval?.high, truth: truth)
      }
    }
    return "| \(rawValue) | \(runs) | \(method) | \(means.text) | \(differences.text) "
      + "| \(states["tracking"]?.text ?? "-") | \(states["off"]?.text ?? "-") |"
  }
}
