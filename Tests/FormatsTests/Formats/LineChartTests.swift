import Testing

@testable import Formats

@Suite struct LineChartTests {
  private static func near(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 0.01 }

  @Test("a logarithmic axis spans powers of ten, evenly spaced") func logarithmic() {
    let scale = ChartScale(
      [3, 1400, 65, 0, -5, .nan, .infinity], onto: 0...400, isLogarithmic: true)
    #expect(scale.ticks == [1, 10, 100, 1000, 10_000])
    #expect(scale.ticks.map(scale.label) == ["1", "10", "100", "1000", "10000"])
    #expect(Self.near(scale.place(1), 0) && Self.near(scale.place(10), 100))
    #expect(Self.near(scale.place(10_000), 400))
    // The logarithms of 65 and 2 are 1.8129 and 0.3010.
    #expect(Self.near(scale.place(65), 181.29) && Self.near(scale.place(2), 30.10))
    #expect(!scale.hasPlace(for: 0) && scale.hasPlace(for: 0.001))
  }

  @Test("a logarithmic axis also exists below one and without values") func small() {
    let scale = ChartScale([0.02, 0.5], onto: 0...200, isLogarithmic: true)
    #expect(scale.ticks.map(scale.label) == ["0.01", "0.1", "1"])
    #expect(Self.near(scale.place(0.1), 100))
    #expect(ChartScale([], onto: 0...1, isLogarithmic: true).ticks == [1, 10])
    #expect(ChartScale([100], onto: 0...1, isLogarithmic: true).ticks == [100, 1000])
  }

  @Test("a value without a place on a logarithmic axis is not drawn") func zero() {
    let line = LineChart.Line(name: "a", pieces: [[(0, 10), (1, 0), (2, 1000), (3, 100)]])
    let chart = LineChart(title: "t", x: "x", y: "y", isLogarithmic: true, lines: [line])
    let text = String(decoding: chart.file, as: UTF8.self)
    #expect(!text.contains("nan") && !text.contains("inf"))
    #expect(text.contains("points=\"62.0,256.0 "))
  }

  @Test("a linear axis begins at zero or below") func linear() {
    let scale = ChartScale([3, 96], onto: 0...100)
    #expect(scale.ticks == [0, 20, 40, 60, 80, 100])
    #expect(scale.hasPlace(for: -1))
  }
}
