import Testing

@testable import Analysis

@Suite struct CoverageIntervalTests {
  private func half(_ scatter: Double, _ wide: Double, _ narrow: Double) -> Double {
    CoverageInterval(scatter: scatter, limits: (wide, narrow)).halfWidth
  }

  @Test("scatter alone keeps its interval") func scatter() {
    #expect((half(1, 0, 0) - 1).magnitude < 1e-4)
    #expect(half(0, 0, 0) == 0)
  }

  @Test("a limit alone gives 95 % of it") func limit() {
    #expect((half(0, 1, 0) - 0.95).magnitude < 3e-3)
    #expect((half(0, 0, 1) - 0.95).magnitude < 3e-3)
  }

  /// The sum of two equal rectangles is a triangle: 1 - √0.05 of its half base.
  @Test("two equal limits give a triangle's interval") func twoLimits() {
    #expect((half(0, 1, 1) - 2 * 0.776_4).magnitude < 6e-3)
  }

  @Test("two limits together give less than their sum and more than each") func together() {
    let both = half(1, 1, 0.2)
    #expect(both > 1 && both < 2)
    // With much more scatter than limit they add up as squares: 1.96 σ of 5² and 1² / 3.
    let squares = 1.959_963_985 * ((5 / 1.959_963_985) * (5 / 1.959_963_985) + 1.0 / 3).squareRoot()
    #expect((half(5, 1, 0) - squares).magnitude < 0.02)
  }
}
