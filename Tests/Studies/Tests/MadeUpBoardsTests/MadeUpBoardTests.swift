import Analysis
import MadeUpBoards
import Testing

/// The 200 boards of docs/results/receiver-model.md come from `godwit-fit-study`: these few take
/// seconds.
@Suite struct MadeUpBoardTests {
  @Test("the intervals of a few generated boards contain the truth")
  func coverage() throws {
    let trials = try (9001...9002).map { try FitTrial(MadeUpBoard(seed: $0), days: 0.5) }
    let told = trials.flatMap(\.told)
    #expect(told.count >= 2 * 3)
    let covered = told.count(where: \.isCovered)
    #expect(Double(covered) >= 0.8 * Double(told.count))
    // With few starts, the share of slow ones is less certain than anything else.
    let widths = told.filter { !$0.key.hasPrefix("slow_") }.map(\.estimate.relativeHalfWidth)
      .sorted()
    #expect(widths[widths.count / 2] <= 0.05)
    #expect(trials.flatMap(\.brokenLimits) == [])
  }
}
