import IndoorStays
import Core
import Testing

/// Departures where a location comes every second.
@Suite struct SteadyDepartureTests {
  /// Delay after crossing the edge; the board rests for two minutes first.
  private static func delays(_ speed: Double, tellsSpeed: Bool = true) -> [Seconds] {
    (1...100).compactMap { seed in
      SteadyWalk(
        SteadyWalk.Errors(), seconds: 300, seed: seed, tellsSpeed: tellsSpeed
      ) { max(0, $0 - 120) * speed }.departures.first.map {
        $0 - 120 - SteadyWalk.radius / MetresPerSecond(speed)
      }
    }.sorted()
  }

  @Test("a departure by car is reported within seconds") func byCar() throws {
    let delays = Self.delays(8)
    #expect(delays.count == 100)
    #expect(delays[50] <= 4 && delays[99] <= 8, "\(delays[50]), \(delays[99])")
    #expect(Self.delays(8, tellsSpeed: false)[50] > 38, "without a speed it takes as long as ever")
  }

  @Test("a departure on foot is reported within a quarter of a minute") func onFoot() throws {
    let delays = Self.delays(1.4)
    #expect(delays.count == 100)
    #expect(delays[50] <= 10 && delays[99] <= 15, "\(delays[50]), \(delays[99])")
  }

  /// Stays of one hour.
  private static func falseDepartures(
    _ errors: SteadyWalk.Errors, tellsSpeed: Bool, count: UInt64 = 60,
    east: (Double) -> Double = { _ in 0 }
  ) -> Int {
    (1...count).reduce(0) { sum, seed in
      sum
        + SteadyWalk(errors, seconds: 3600, seed: seed, tellsSpeed: tellsSpeed, east: east)
        .departures.count
    }
  }

  @Test("correlated errors are no departure if the receiver reports them")
  func knownErrors() {
    var errors = SteadyWalk.Errors()
    (errors.sigma, errors.correlation, errors.accuracy, errors.speed) = (80, 60, 120, 0.5)
    #expect(Self.falseDepartures(errors, tellsSpeed: true) == 0)
  }

  @Test(
    "with the speed, errors that the receiver does not report are no departure",
    arguments: [20.0, 8])
  func unknownErrors(accuracy: Double) {
    var errors = SteadyWalk.Errors()
    (errors.sigma, errors.correlation, errors.speed) = (60, 60, 0.5)
    errors.accuracy = Metres(accuracy)
    let without = Self.falseDepartures(errors, tellsSpeed: false)
    #expect(without > 0, "no rule holds against that by positions alone")
    #expect(Self.falseDepartures(errors, tellsSpeed: true) <= without)
  }

  @Test("reflections are no departure of a board that moves within a place") func reflections() {
    var errors = SteadyWalk.Errors()
    (errors.sigma, errors.correlation, errors.accuracy) = (6, 45, 9)
    (errors.speed, errors.leaps) = (0.25, 0.005)
    let about = { (time: Double) in
      (time.truncatingRemainder(dividingBy: 40) - 20).magnitude * 1.4 - 14
    }
    let without = Self.falseDepartures(errors, tellsSpeed: false, east: about)
    #expect(Self.falseDepartures(errors, tellsSpeed: true, east: about) <= without)
  }
}
