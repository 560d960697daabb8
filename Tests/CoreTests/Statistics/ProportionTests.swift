import Core
import Testing

@Suite struct ProportionTests {
  /// By Wilson's formula: (95 + 1.9207) / 103.8415 ± 1.96 × √(4.75 + 0.9604) / 103.8415.
  @Test("95 of 100 are 89 to 98 %") func interval() {
    let share = Proportion(95, of: 100)
    #expect(share.share == 0.95)
    #expect((share.low - 0.888_25).magnitude < 1e-4 && (share.high - 0.978_46).magnitude < 1e-4)
  }

  @Test("none and all have finite intervals") func ends() {
    let (none, all) = (Proportion(0, of: 59), Proportion(59, of: 59))
    #expect(none.low < 1e-12 && (none.high - 0.061_13).magnitude < 1e-4)
    #expect((all.low - 0.938_87).magnitude < 1e-4 && all.high > 1 - 1e-12)
    #expect(Proportion(0, of: 0).share == 0)
  }
}
