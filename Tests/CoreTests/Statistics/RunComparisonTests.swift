import Core
import Testing
import VirtualDevice

/// Comparison of A with B, and the number of runs needed.
@Suite struct RunComparisonTests {
  @Test("variation common to both runs of a pair cancels out") func paired() throws {
    var random = SeededRandom(seed: 3)
    let days = (0..<8).map { _ in Double.random(in: 50...150, using: &random) }
    let b = days.map { $0 + 1 + Double.random(in: -0.1...0.1, using: &random) }
    let pairs = try #require(RunComparison(pairs: days, b))
    let together = try #require(pairs.interval(using: &random))
    #expect(together.contains(1) && together.halfWidth < 0.2)
    let apart = try #require(
      RunComparison(apart: RunStatistics(days), RunStatistics(b)).interval(using: &random))
    #expect(apart.contains(1) && apart.halfWidth > 20)
    #expect(RunComparison(pairs: [1, 2], [1]) == nil)
    #expect(RunComparison(pairs: [1, .nan, 3], [1, 2, 5])?.a.count == 2)
  }

  @Test(
    "95 % of the intervals of unpaired runs contain the difference, within the limits of 200 draws")
  func coverage() throws {
    var random = SeededRandom(seed: 11)
    var held = 0
    for _ in 0..<200 {
      let a = (0..<8).map { _ in 5 + Double.random(in: -1...1, using: &random) }
      let b = (0..<12).map { _ in 7 + 3 * Double.random(in: -1...1, using: &random) }
      let comparison = RunComparison(apart: RunStatistics(a), RunStatistics(b))
      if try #require(comparison.interval(using: &random)).contains(2) { held += 1 }
    }
    #expect((182...198).contains(held), "\(held) of 200")
  }

  @Test("two and two runs have Welch's interval") func welch() throws {
    var random = SeededRandom(seed: 1)
    let comparison = RunComparison(apart: RunStatistics([1, 3]), RunStatistics([5, 7]))
    let interval = try #require(comparison.interval(using: &random))
    // Standard error √2, two degrees of freedom: 4 ± 4.303 × 1.414.
    #expect(interval.method == .studentT && (interval.halfWidth - 6.085).magnitude < 0.001)
    let alike = RunComparison(apart: RunStatistics([1, 1]), RunStatistics([1, 1]))
    #expect(alike.interval(using: &random)?.halfWidth == 0 && alike.effectSize == nil)
    let none = RunComparison(apart: RunStatistics([]), RunStatistics([1]))
    #expect(none.interval(using: &random) == nil && none.difference == nil)
  }

  @Test("the effect is given in standard deviations, corrected for the bias of few runs")
  func effect() throws {
    let comparison = RunComparison(apart: RunStatistics([1, 2, 3]), RunStatistics([3, 4, 5]))
    // d = 2; 1 − 3 / (4 × 4 − 1) = 0.8.
    #expect((try #require(comparison.effectSize) - 1.6).magnitude < 1e-12)
  }

  @Test("the number of runs needed makes the interval as narrow as requested, one fewer does not")
  func runs() throws {
    let figures = RunStatistics([9, 10, 11, 10, 9, 11])
    for share in [0.5, 0.1, 0.05, 0.01] {
      let runs = try #require(figures.runsNeeded(forHalfWidth: share))
      #expect(Self.halfWidth(figures, runs) <= 10.02 * share)
      #expect(runs == 2 || Self.halfWidth(figures, runs - 1) > 9.98 * share)
    }
    #expect(RunStatistics([4, 4, 4]).runsNeeded(forHalfWidth: 0.01) == 2)
    #expect(RunStatistics([4]).runsNeeded(forHalfWidth: 0.01) == nil)
    #expect(RunStatistics([-1, 1]).runsNeeded(forHalfWidth: 0.01) == nil)
    #expect(RunStatistics([1e-9, 1, 2]).runsNeeded(forHalfWidth: 1e-9) == nil)
  }

  /// For that many runs with the same scatter. With many runs Student's t is nearly 1.96; for few
  /// it comes from the tables.
  private static func halfWidth(_ figures: RunStatistics, _ runs: Int) -> Double {
    let t = [
      1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 6: 2.4469, 7: 2.3646, 8: 2.3060,
      9: 2.2622, 10: 2.2281, 12: 2.1788, 13: 2.1604, 14: 2.1448, 15: 2.1314, 16: 2.1199,
      17: 2.1098, 18: 2.1009, 19: 2.0930, 20: 2.0860,
    ]
    return (t[runs - 1] ?? 1.969) * (figures.standardDeviation ?? 0) / Double(runs).squareRoot()
  }

  @Test("runs that are equal except for rounding have no effect size") func dust() {
    let a = RunStatistics([0.1 + 0.2, 0.3, 0.3, 0.3])
    #expect(a.standardDeviation == 0)
    #expect(RunComparison(apart: a, RunStatistics([0.4, 0.4, 0.4])).effectSize == nil)
  }
}
