import Core
import Testing

@Suite struct RatioOfSumsTests {
  @Test("for equal denominators it is the mean with Student's interval") func mean() {
    let values: [Double] = [10, 12, 14, 16]
    let ratio = RatioOfSums(values.map { .init($0, over: 1) })
    #expect(ratio.value == 13)
    // The standard deviation is 2.582, the standard error 1.291, t for three degrees of freedom
    // 3.182.
    #expect(((ratio.margin95 ?? 0) - 4.108).magnitude < 0.001)
  }

  @Test("one part has no interval, and no part has no ratio") func few() {
    #expect(RatioOfSums([.init(3, over: 2)]).value == 1.5)
    #expect(RatioOfSums([.init(3, over: 2)]).margin95 == nil)
    #expect(RatioOfSums([]).value == nil)
    #expect(RatioOfSums([.init(0, over: 0), .init(1, over: 1)]).margin95 == nil)
  }
}
