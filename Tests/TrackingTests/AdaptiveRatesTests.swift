import Core
import Testing

@testable import Tracking

@Suite struct AdaptiveRatesTests {
  static func wish(_ kind: FixAttemptKind) -> Watts {
    switch kind {
    case .rest: 6
    case .underWay: 3
    case .bracket: 1
    }
  }

  static func pace(within income: Double) -> AdaptiveRates {
    AdaptiveRates(wish: wish, within: Watts(income))
  }

  /// The power of the fix attempts at these rates.
  static func cost(_ pace: AdaptiveRates) -> Double {
    FixAttemptKind.allCases.reduce(0) { $0 + wish($1).value / pace[$1] }
  }

  @Test("with enough income nothing is stretched")
  func enough() {
    #expect(Self.pace(within: 10) == .unlimited)
    #expect(Self.pace(within: 1e300) == .unlimited)
    #expect(AdaptiveRates(wish: { _ in 0 }, within: 0) == .unlimited)
  }

  @Test("attempts at rest are reduced first, then those under way, last the brackets")
  func order() {
    let some = Self.pace(within: 7)
    #expect(some.rest == 1.5 && some.underWay == 1.5 && some.bracket == 1)
    let less = Self.pace(within: 3.5)
    #expect(less.rest == 6 && less.underWay == 2 && less.bracket == 1)
    let little = Self.pace(within: 1.9)
    #expect(little.rest == 32 && little.underWay > 2 && little.bracket == 1)
    let least = Self.pace(within: 0.8)
    #expect(least.rest == 32 && least.underWay == 8 && least.bracket > 1)
    #expect(Self.pace(within: 0)[.bracket] == 8)
  }

  @Test("the rates use the income, as far as pauses can be stretched, and are monotone")
  func cost() {
    var last = Self.pace(within: 0)
    for step in 0...1200 {
      let income = Double(step) / 100
      let pace = Self.pace(within: income)
      let affordable = max(income, Self.cost(Self.pace(within: 0)))
      #expect(abs(Self.cost(pace) - min(affordable, 10)) < 1e-9)
      for kind in FixAttemptKind.allCases { #expect(pace[kind] <= last[kind] + 1e-9) }
      last = pace
    }
  }

  @Test("NaN stretches within the bounds")
  func absurd() {
    for income in [Double.nan, -1, -.infinity, .infinity] {
      for wish in [Double.nan, 0, 1e300, .infinity] {
        let pace = AdaptiveRates(wish: { _ in Watts(wish) }, within: Watts(income))
        for kind in FixAttemptKind.allCases { #expect(pace[kind] >= 1 && pace[kind] <= 32) }
      }
    }
  }

  @Test("the demand is the power of the attempts at their unstretched rate")
  func wishes() {
    var wish = UnconstrainedDemand(income: 1)
    #expect(abs((wish[.rest] + wish[.underWay] + wish[.bracket]).value - 1) < 1e-9)
    // 3 J every 960 s, a quarter of the demanded rate.
    for _ in 0..<2000 { wish.attempted(.rest, took: 3, after: 960, of: 4) }
    #expect(abs(wish[.rest].value - 3.0 / 240) < 1e-4)
    #expect(wish[.underWay] < 1e-4)
    let before = wish
    for pause in [0, -5, Double.nan, .infinity] {
      wish.attempted(.rest, took: 3, after: Seconds(pause), of: 4)
    }
    wish.attempted(.rest, took: Joules(.nan), after: 60, of: 4)
    #expect(wish == before)
  }
}
