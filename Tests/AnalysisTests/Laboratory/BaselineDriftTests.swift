import Analysis
import Core
import Testing
import VirtualDevice

/// Currents of the idle board before and after a test.
@Suite struct BaselineDriftTests {
  private func drift(
    _ before: Double, _ after: Double, scatter: Double = 0, percent: Double = 5
  ) throws -> BaselineDrift {
    func run(_ current: Double) throws -> RecordedRun {
      var recording = WrittenRecording.steady(current, for: 12)
      for index in recording.samples.indices where index % 2 == 0 {
        recording.samples[index].current += scatter
      }
      return try recording.run()
    }
    return BaselineDrift(before: try run(before), after: try run(after), maxPercent: percent)
  }

  private func doubt(
    _ before: Double, _ after: Double, scatter: Double = 0, percent: Double = 5
  ) throws -> String? {
    try drift(before, after, scatter: scatter, percent: percent).doubt
  }

  @Test("a report shows both currents and their test") func reported() throws {
    var random = SeededRandom(seed: 1)
    let report = PowerReport(
      [], options: .init(),
      of: .init(name: "Receivers", about: "Which one?", baselines: [try drift(100, 98)]),
      using: &random)
    #expect(report.text.contains("The idle board: 100.00 mA before, 98.00 mA after, 2.0 % less."))
    #expect(report.doubts.isEmpty)
    let page = String(decoding: report.page, as: UTF8.self)
    #expect(page.contains("<h1>Receivers: ") && page.contains("Which one?"))
    #expect(page.contains("The idle board: 100.00 mA"))
    let json = report.json(program: "godwit")["baselines"]?.array?.first
    #expect(json?["before_mA"]?.number == 100 && json?["change_percent"]?.number == -2)
  }

  @Test("a drift above the limit is reported with both currents") func drifted() throws {
    #expect(
      try doubt(100, 106)
        == "the idle board drew 100.00 mA before and 106.00 mA after, 6.0 % more where 5.0 % is "
        + "allowed: it drifted")
    #expect(try doubt(100, 94)?.contains("94.00 mA after, 6.0 % less where 5.0 %") == true)
    #expect(try doubt(100, 104) == nil)
    #expect(try doubt(100, 104, percent: 3) != nil)
  }

  @Test("a difference within the readings' scatter is not a drift") func scatter() throws {
    // ± 0.46 mA of each mean.
    #expect(try doubt(5, 5.4, scatter: 10) == nil)
    #expect(try doubt(5, 7, scatter: 10) != nil)
  }

  @Test("no current at all gives no result") func nothing() throws {
    #expect(try doubt(0, 0) == nil)
  }
}
