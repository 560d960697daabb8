import Laboratory
import Testing

/// The idle board before and after.
@Suite struct BaselineDriftTests {
  private func doubt(
    _ before: Double, _ after: Double, scatter: Double = 0, percent: Double = 5
  ) throws -> String? {
    func run(_ current: Double) throws -> RecordedRun {
      var recording = WrittenRecording.steady(current, for: 12)
      for index in recording.samples.indices where index % 2 == 0 {
        recording.samples[index].current += scatter
      }
      return try recording.run()
    }
    return BaselineDrift(before: try run(before), after: try run(after), maxPercent: percent).doubt
  }

  @Test("more than is allowed is told with both currents") func drifted() throws {
    #expect(
      try doubt(100, 106)
        == "the idle board drew 100.00 mA before and 106.00 mA after, 6.0 % more where 5.0 % is "
        + "allowed: it drifted")
    #expect(try doubt(100, 104) == nil && doubt(100, 94) != nil)
    #expect(try doubt(100, 104, percent: 3) != nil)
  }

  @Test("what the readings' scatter explains is no drift") func scatter() throws {
    // ± 0.46 mA of each mean.
    #expect(try doubt(5, 5.4, scatter: 10) == nil)
    #expect(try doubt(5, 7, scatter: 10) != nil)
  }

  @Test("no current at all tells nothing") func nothing() throws {
    #expect(try doubt(0, 0) == nil)
  }
}
