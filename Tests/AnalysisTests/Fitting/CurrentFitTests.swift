import Core
import Records
import Testing

@testable import Analysis

@Suite struct CurrentFitTests {
  static let start = UTCInstant(seconds: 1_777_852_800)

  /// A segment of the state at a current, from a monitor with an uncertainty of 1 %.
  static func segment(
    _ state: GnssState, _ index: Int, milliamperes: Double, seconds: Double = 20,
    basis: PowerSegment.Basis = .measured, uncertainty: Double? = 0.01
  ) -> PowerSegment {
    let charge = Coulombs(milliamperes / 1000 * seconds)
    let energy = Joules(charge.value * 3.3)
    return PowerSegment(
      state: state, start: start + Seconds(Double(index) * 600), duration: Seconds(seconds),
      charge: charge, energy: energy,
      energyUncertainty: uncertainty.map { Joules(energy.value.magnitude * $0) }, basis: basis)
  }

  static let calibration = StartCalibration(delay: 0.65, interval: 1, factors: [1])

  static func fit(
    _ segments: [PowerSegment], monitor: String? = nil, simulated: Bool = false
  ) throws(FitFailure) -> ReceiverFit {
    try ReceiverFit(
      [MeasuredRun(name: "a", monitor: monitor, segments: segments)], calibration: calibration,
      countsSimulated: simulated)
  }

  @Test("the mean counts each segment by its duration") func weights() throws {
    let segments = (0..<40).map {
      Self.segment(
        .acquiring, $0, milliamperes: $0 % 2 == 0 ? 30 : 33, seconds: $0 % 2 == 0 ? 20 : 10)
    }
    let estimate = try #require(try Self.fit(segments).current(in: .acquiring).estimate)
    #expect((estimate.value.value - 0.031).magnitude < 1e-9)
    #expect(estimate.count == 40)
    #expect(estimate.low < estimate.value && estimate.value < estimate.high)
  }

  @Test("more segments do not reduce the monitor's part of the interval") func limits() throws {
    let few = (0..<8).map {
      Self.segment(.tracking, $0, milliamperes: 28 + Double($0 % 3))
    }
    let many = (0..<800).map {
      Self.segment(.tracking, $0, milliamperes: 28 + Double($0 % 3))
    }
    let wide = try #require(try Self.fit(few).current(in: .tracking).estimate)
    let narrow = try #require(try Self.fit(many).current(in: .tracking).estimate)
    #expect(narrow.scatter < wide.scatter)
    // A rectangular distribution of that standard uncertainty: factor 0.95 √3 = 1.65.
    #expect((0.0164...0.0175).contains(narrow.relativeHalfWidth))
    #expect((narrow.systematic.value / narrow.value.value - 0.01).magnitude < 1e-9)
  }

  @Test("a slow drift is scatter, not noise that averages out") func drift() throws {
    let steady = (0..<600).map {
      Self.segment(.tracking, $0, milliamperes: $0 % 2 == 0 ? 29 : 31)
    }
    let drifting = (0..<600).map {
      Self.segment(.tracking, $0, milliamperes: ($0 / 100) % 2 == 0 ? 29 : 31)
    }
    let narrow = try #require(try Self.fit(steady).current(in: .tracking).estimate)
    let wide = try #require(try Self.fit(drifting).current(in: .tracking).estimate)
    #expect(wide.scatter > narrow.scatter * 4)
  }

  @Test("a current that changed permanently is reported with its date") func jump() throws {
    let segments = (0..<60).map {
      Self.segment(.acquiring, $0, milliamperes: ($0 < 30 ? 30 : 60) + Double($0 % 3))
    }
    let notices = try Self.fit(segments).notices
    guard case .jump(.acquiring, let since, let share)? = notices.first else {
      Issue.record("\(notices)")
      return
    }
    #expect(since == Self.start + Seconds(18_000) && (0.9...1.1).contains(share))
    let steady = (0..<60).map { Self.segment(.acquiring, $0, milliamperes: 30 + Double($0 % 3)) }
    #expect(try Self.fit(steady).notices.isEmpty)
  }

  @Test("below the floor there is only an upper limit") func floor() throws {
    // 15 µA by the settings, ± 58 µA: an INA226 across 100 mΩ.
    let asleep = (0..<20).map {
      Self.segment(.sleeping, $0, milliamperes: 0.015, seconds: 600, uncertainty: 58.0 / 15)
    }
    guard case .atMost(let limit, _) = try Self.fit(asleep).current(in: .sleeping) else {
      Issue.record("it was told")
      return
    }
    // Full offset twice, and a step and a half: 0.24 mA at least.
    #expect(limit.value > 0.24e-3 && limit.value < 0.4e-3)
  }

  @Test("a value that cannot be estimated states its reason") func untold() throws {
    let fit = try Self.fit([
      Self.segment(.acquiring, 0, milliamperes: 30, seconds: 70),
      Self.segment(.tracking, 1, milliamperes: 30, seconds: 4),
      Self.segment(.off, 2, milliamperes: -3, seconds: 900),
      Self.segment(.off, 3, milliamperes: -3, seconds: 900),
      Self.segment(.off, 4, milliamperes: -3, seconds: 900),
    ])
    func reason(_ state: GnssState) -> String {
      guard case .undetermined(let reason) = fit.current(in: state) else { return "" }
      return reason
    }
    #expect(reason(.acquiring).contains("1 segment"))
    #expect(reason(.tracking).contains("4 s in all"))
    #expect(reason(.sleeping).contains("no measured segment"))
    #expect(reason(.off).contains("VIN+"))
  }

  @Test("unmeasured and implausible segments are excluded and counted") func flaws() throws {
    let good = (0..<10).map { Self.segment(.tracking, $0, milliamperes: 30) }
    let fit = try Self.fit(
      good + [
        Self.segment(.tracking, 20, milliamperes: 90, basis: .modelled, uncertainty: nil),
        Self.segment(.tracking, 21, milliamperes: 90, basis: .simulated),
        Self.segment(.tracking, 22, milliamperes: 90_000),
        Self.segment(.tracking, 23, milliamperes: .nan),
        Self.segment(.tracking, 24, milliamperes: 90, seconds: -5),
        Self.segment(.tracking, 25, milliamperes: 90, uncertainty: nil),
        Self.segment(.tracking, 26, milliamperes: 90, uncertainty: 0),
        Self.segment(.sleeping, 27, milliamperes: 90, seconds: 7200),
        Self.segment(.acquiring, 28, milliamperes: 90, seconds: 2),
        Self.segment(.tracking, 29, milliamperes: 0),
      ])
    let estimate = try #require(fit.current(in: .tracking).estimate)
    #expect((estimate.value.value - 0.03).magnitude < 1e-9)
    #expect(fit.leftOut.reduce(0) { $0 + $1.count } == 10 && fit.segmentCount == 20)
    #expect(fit.leftOut.first?.count == 3)
    #expect(fit.supply.map { ($0.value - 3.3).magnitude < 1e-9 } == true)
  }

  @Test("no measurement and different monitors are refused") func refusals() throws {
    let modelled = Self.segment(.off, 0, milliamperes: 1, basis: .modelled, uncertainty: nil)
    let simulated = Self.segment(.off, 0, milliamperes: 1, basis: .simulated)
    #expect(throws: FitFailure.noSegments) { try Self.fit([]) }
    #expect(throws: FitFailure.nothingMeasured(modelled: 1, simulated: 1)) {
      try Self.fit([modelled, simulated])
    }
    _ = try Self.fit([modelled, simulated], simulated: true)
    let measured = [Self.segment(.off, 0, milliamperes: 1)]
    let runs = ["ina226, 100 mΩ", "ina226, 10 mΩ"].map {
      MeasuredRun(name: "a", monitor: $0, segments: measured)
    }
    #expect(throws: FitFailure.monitorsDiffer(["ina226, 10 mΩ", "ina226, 100 mΩ"])) {
      try ReceiverFit(runs, calibration: Self.calibration)
    }
  }
}
