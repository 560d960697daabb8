import Analysis
import Core
import Testing
import VirtualDevice

/// The order and the length of a test.
@Suite struct TestPlanTests {
  private func plan(_ change: (inout TestProtocol) -> Void = { _ in }, seed: UInt64 = 1) throws
    -> TestPlan
  {
    var test = try TestProtocolTests.read(TestProtocolTests.text)
    change(&test)
    var random = SeededRandom(seed: seed)
    return TestPlan(test, using: &random)
  }

  private func names(_ plan: TestPlan) -> [String] {
    plan.steps.compactMap { step in
      guard case .run(let condition, _) = step.part else { return nil }
      return condition.name
    }
  }

  @Test("every round has every condition once, alternating or in random order")
  func rounds() throws {
    let turns = names(try plan { $0.order = .interleaved })
    #expect(turns == (0..<8).flatMap { _ in ["idle", "a request a minute"] })
    for seed in 1...20 as ClosedRange<UInt64> {
      let names = names(try plan(seed: seed))
      for round in 0..<8 { #expect(Set(names[(2 * round)..<(2 * round + 2)]).count == 2) }
    }
    let orders = try (1...20).map { names(try plan(seed: $0)) }
    let first = names(try plan(seed: 1))
    #expect(first == orders[0] && Set(orders).count > 10)
  }

  @Test("baselines, if any, are measured first and last") func baselines() throws {
    let steps = try plan().steps
    #expect(steps.first?.part == .baselineBefore && steps.last?.part == .baselineAfter)
    #expect(steps.count == 18)
    #expect(try plan { $0.baseline = 0 }.steps.count == 16)
  }

  @Test("it lasts as long as all its steps together") func duration() throws {
    // 5 min of warm-up, two baselines, 8 × (10 + 900 + 10 + 600) s.
    #expect(try plan().duration == Seconds(300 + 600 + 8 * 1520))
  }

  @Test("every recording has a unique name that any folder accepts") func files() throws {
    let plan = try plan { test in
      for name in ["../../etc/passwd", "Ä/ö", String(repeating: "x", count: 64)] {
        var condition = TestCondition()
        condition.name = name
        test.conditions.append(condition)
      }
    }
    let files = plan.steps.map(\.file)
    #expect(Set(files).count == files.count)
    for file in files {
      #expect(file.utf8.count <= 45 && !file.contains("/") && !file.contains("."))
    }
  }
}
