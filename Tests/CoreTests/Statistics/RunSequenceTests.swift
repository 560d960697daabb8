import Core
import Testing
import VirtualDevice

/// Independent runs in sequence are not reported; others are.
@Suite struct RunSequenceTests {
  private static func runs(
    _ count: Int, alike kept: Double, drift: Double = 0, _ random: inout SeededRandom
  ) -> RunSequence {
    var state = random.gaussian()
    return RunSequence(
      (0..<count).map { index in
        state = kept * state + (1 - kept * kept).squareRoot() * random.gaussian()
        return 100 + state + drift * Double(index) / Double(count - 1)
      })
  }

  /// One in a hundred for each test: 0 to 14 of 500 (99.9 %).
  @Test("independent runs are hardly ever reported as dependent", arguments: [6, 12])
  func independent(count: Int) {
    var random = SeededRandom(seed: 5)
    let all = (0..<500).map { _ in Self.runs(count, alike: 0, &random) }
    #expect(all.count { $0.trend?.isCertain == true } <= 14)
    #expect(all.count { $0.correlation != nil } <= 14)
  }

  @Test("a drift of four standard deviations is detected in twelve runs") func drift() {
    var random = SeededRandom(seed: 6)
    let all = (0..<100).map { _ in Self.runs(12, alike: 0, drift: 4, &random) }
    #expect(all.count { $0.trend?.isCertain == true } >= 70)
    let mean = all.compactMap { $0.trend?.change }.reduce(0, +) / 100
    #expect((3.7...4.3).contains(mean))
  }

  /// Without this correction 44 % of such intervals contain the mean.
  @Test("intervals of runs correlated with the one before contain the mean far more often")
  func alike() throws {
    var random = SeededRandom(seed: 7)
    var (held, heldWithout, doubted) = (0, 0, 0)
    for _ in 0..<200 {
      let runs = Self.runs(24, alike: 0.8, &random)
      if try #require(runs.interval(using: &random)).contains(100) { held += 1 }
      if try #require(runs.figures.interval(using: &random)).contains(100) { heldWithout += 1 }
      if runs.correlation != nil { doubted += 1 }
    }
    #expect(held >= 160 && heldWithout <= 120, "\(held) and \(heldWithout) of 200")
    #expect(doubted >= 160)
  }

  @Test("few, equal and hostile runs give a result") func edges() {
    #expect(RunSequence([]).trend == nil && RunSequence([1, 2, 3]).trend == nil)
    let equal = RunSequence([Double](repeating: 2, count: 9))
    #expect(equal.trend == nil && equal.correlation == nil && !equal.isCorrelated)
    #expect(RunSequence([1, 2, 3, 4, 5, 6]).trend?.isCertain == true)
    // If the moments are invalid or not all different, the order of the runs is used.
    let undated = RunSequence([1, 2, 3, 4, 5, 6], at: [0, 0, 0, 0, 0, 0])
    #expect(undated.trend?.change == 5)
    let broken = RunSequence([1, .nan, 3, .infinity, 5, 6], at: [5, 4, .nan, 2, 1, 0])
    #expect(broken.figures.count == 4 && broken.trend == nil)
  }
}
