import Core
import Testing

@testable import Runtime

@Suite struct RefusalLogLimiterTests {
  @Test("a hundred refusals a day are logged, the last announces the silence") func flood() {
    var told = RefusalLogLimiter()
    let lines = (0..<1000).map { second in
      told.text(of: "no. \(second)", at: .zero + Seconds(Double(second)))
    }
    #expect(lines.count { $0 != nil } == RefusalLogLimiter.most)
    #expect(lines[0] == "no. 0")
    #expect(lines[98] == "no. 98")
    #expect(lines[99] == "no. 99; further ones are not logged within a day of the first")
    #expect(lines[100...].allSatisfy { $0 == nil })
  }

  @Test("a day after the first they are logged again") func nextDay() {
    var told = RefusalLogLimiter()
    for _ in 0..<200 { _ = told.text(of: "x", at: .zero) }
    #expect(told.text(of: "x", at: .zero + RefusalLogLimiter.day - 1) == nil)
    #expect(told.text(of: "y", at: .zero + RefusalLogLimiter.day) == "y")
    #expect(told.text(of: "z", at: .zero + RefusalLogLimiter.day + 1) == "z")
  }
}
