import Core
import Testing
import VirtualDevice

/// Tests whether intervals of repeated runs contain the true value.
@Suite struct ConfidenceIntervalTests {
  /// How runs scatter about a known mean.
  enum Scatter: String, CaseIterable, Sendable {
    /// Sum of eight bytes: nearly normal.
    case normal
    case even
    /// Most runs are similar, and some take up to several times as long, as acquisitions do.
    case skewed

    var mean: Double { self == .skewed ? 1.25 : 10 }

    func draw(_ random: inout SeededRandom) -> Double {
      func uniform() -> Double { Double.random(in: 0..<1, using: &random) }
      switch self {
      case .normal: return 10 + (0..<8).reduce(-4) { sum, _ in sum + uniform() }
      case .even: return 9 + 2 * uniform()
      case .skewed:
        let u = uniform()
        return 1 + u * u * u
      }
    }
  }

  /// 182 to 198 of 200 such intervals contain the true value (99.7 %); of 1,000, 94.8 to 97.5 %
  /// did, most where the scatter is even.
  @Test(
    "95 % of the intervals contain the true value, within the limits of 200 draws",
    arguments: Scatter.allCases,
    [6, 12])
  func coverage(scatter: Scatter, runs: Int) throws {
    var random = SeededRandom(seed: 7)
    var held = 0
    let trials = 200
    for _ in 0..<trials {
      let figures = RunStatistics((0..<runs).map { _ in scatter.draw(&random) })
      if try #require(figures.interval(using: &random)).contains(scatter.mean) { held += 1 }
    }
    #expect((182...198).contains(held), "\(held) of \(trials)")
  }

  @Test("too few runs for a bootstrap have Student's interval")
  func few() throws {
    var random = SeededRandom(seed: 1)
    let interval = try #require(RunStatistics([9, 10, 11]).interval(using: &random))
    #expect(interval.method == .studentT)
    // t = 4.303 with two degrees of freedom; s / √3 = 0.57735.
    #expect((interval.high - 12.484).magnitude < 0.001 && (interval.low - 7.516).magnitude < 0.001)
    #expect(RunStatistics([10]).interval(using: &random) == nil)
    #expect(RunStatistics([]).interval(using: &random) == nil)
    #expect(RunStatistics([.nan, .infinity, 3]).count == 1)
  }

  @Test("interval calculation ends for nearly identical runs")
  func alike() throws {
    var random = SeededRandom(seed: 1)
    let interval = try #require(RunStatistics([1, 1, 1, 1, 1, 2]).interval(using: &random))
    #expect(interval.method == .studentT && interval.low.isFinite && interval.high.isFinite)
    let none = try #require(
      RunStatistics([Double](repeating: 4, count: 10)).interval(using: &random))
    #expect(none.low == 4 && none.high == 4)
  }

  @Test("the same draws give the same interval") func reproducible() {
    func interval(_ seed: UInt64) -> ConfidenceInterval? {
      var random = SeededRandom(seed: seed)
      return RunStatistics([3, 1, 4, 1, 5, 9, 2, 6]).interval(using: &random)
    }
    #expect(interval(1) == interval(1) && interval(1) != interval(2))
  }
}
