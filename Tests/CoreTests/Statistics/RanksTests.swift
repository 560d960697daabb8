import Core
import Testing

@Suite struct RanksTests {
  @Test("medians and percentiles match the Python scorers") func ranks() {
    let values: [Seconds] = [1, 2, 3, 10]
    #expect(Ranks.median(values) == 2.5 && Ranks.percentile(0.9, values) == 10)
    #expect(Ranks.percentile(0.5, values) == 2 && Ranks.median([Seconds]()) == nil)
  }
}
