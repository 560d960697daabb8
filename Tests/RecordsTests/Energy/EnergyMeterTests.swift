import Records
import Core
import Testing

@Suite struct EnergyMeterTests {
  let model = ReceiverEnergyModel(
    supply: 3, acquiring: 0.03, tracking: 0.02, sleeping: 0.001, off: 0.00001, coldStart: 30,
    warmStart: 20, hotStart: 1)

  func at(_ second: Double) -> BootInstant { .zero + Seconds(second) }

  func reading(
    _ second: Double, _ current: Amperes, _ voltage: Volts = 3, uncertainty: Amperes = 0.001,
    isBelowFloor: Bool = false
  ) -> PowerReading {
    PowerReading(
      taken: at(second), current: current, voltage: voltage, currentUncertainty: uncertainty,
      isBelowFloor: isBelowFloor)
  }

  func meter(_ state: GnssState = .tracking) -> EnergyMeter {
    EnergyMeter(model: model, state: state, at: .zero)
  }

  @Test("without a monitor the model is used") func withoutMonitorTheModelStandsIn() throws {
    var meter = meter(.off)
    let off = try meter.left(to: .acquiring, at: at(1000))
    let search = try meter.left(to: .tracking, at: at(1010))
    #expect(off.state == .off && off.start == .zero)
    #expect(abs(search.tally.energy.value - 0.9) < 1e-12)  // 30 mA × 3 V × 10 s
    #expect(search.tally.basis == .modelled)
    #expect(search.tally.energyUncertainty == nil)
    let totals = meter.totals(at: at(1040))
    #expect(abs(totals.on.charge.value - (0.3 + 0.6)) < 1e-12)
    #expect(totals.on.duration == 40)
    #expect(totals[.off].duration == 1000)
    #expect(abs(totals.all.energy.value - (0.03 + 0.9 + 1.8)) < 1e-12)
    #expect(abs(totals.all.charge.milliampereHours - 0.91 / 3.6) < 1e-12)
  }

  @Test("the current after a fix is not attributed to the search")
  func firstFix() throws {
    var meter = meter(.acquiring)
    meter.add(reading(1, 0.03))
    meter.add(reading(2, 0.02), hasFix: true)
    let search = try meter.left(to: .tracking, at: at(2))
    #expect(abs(search.tally.charge.value - 0.06) < 1e-12)
    let tracking = try meter.finished(at: at(3))
    #expect(abs(tracking.tally.charge.value - 0.02) < 1e-12)
    #expect(tracking.tally.basis == .measured)
  }

  @Test("a rejected fix leaves no gap in the readings")
  func refusedFix() throws {
    var meter = meter(.acquiring)
    for second in 1...20 {
      meter.add(reading(Double(second), 0.02), hasFix: second.isMultiple(of: 2))
    }
    let search = try meter.left(to: .off, at: at(20))
    #expect(abs(search.tally.charge.value - 0.4) < 1e-12)
    #expect(search.tally.basis == .measured)
  }

  @Test("a search without other data is measured by its fix")
  func onlyFix() throws {
    var meter = meter(.acquiring)
    meter.add(reading(1, 0.02), hasFix: true)
    let search = try meter.left(to: .off, at: at(1))
    #expect(abs(search.tally.charge.value - 0.02) < 1e-12)
  }

  @Test("the trapezoid is exact for a ramp") func trapezoidIsExactForARamp() throws {
    var meter = meter()
    // 10 mA + 1 mA/s over 20 s: 0.4 C; at 3 V 1.2 J.
    for second in 0...20 {
      meter.add(reading(Double(second), Amperes(0.01 + 0.001 * Double(second))))
    }
    let interval = try meter.finished(at: at(20))
    #expect(abs(interval.tally.charge.value - 0.4) < 1e-12)
    #expect(abs(interval.tally.energy.value - 1.2) < 1e-12)
    #expect(interval.tally.basis == .measured)
  }

  @Test("the first and last readings extend to the changes of state")
  func firstAndLastReadingReachToTheChangesOfState() throws {
    var meter = meter(.off)
    meter.stateChanged(to: .tracking, at: at(100))
    meter.add(reading(103, 0.04))
    meter.add(reading(105, 0.02))
    let interval = try meter.left(to: .off, at: at(110))
    // 3 s × 40 mA + 2 s × 30 mA + 5 s × 20 mA
    #expect(abs(interval.tally.charge.value - 0.28) < 1e-12)
    #expect(interval.tally.measuredDuration == 10)
  }

  @Test("long gaps are modelled and marked as such") func longGapsAreModelledAndSaySo() throws {
    var meter = meter()
    meter.add(reading(0, 0.05))
    meter.add(reading(5, 0.05))
    meter.add(reading(105, 0.05))
    let interval = try meter.left(to: .off, at: at(105))
    #expect(abs(interval.tally.charge.value - (5 * 0.05 + 100 * 0.02)) < 1e-12)
    #expect(interval.tally.measuredDuration == 5)
    #expect(interval.tally.basis == .modelled)
    #expect(abs(try #require(interval.tally.energyUncertainty).value - 0.015) < 1e-12)
    let segment = PowerSegment(interval, start: UTCInstant(seconds: 1e9))
    #expect(segment.basis == .modelled && segment.duration == 105)
    #expect(segment.energyUncertainty == nil)
  }

  @Test("at rest one reading is valid for longer") func atRestOneReadingHoldsForLonger() throws {
    var meter = meter(.sleeping)
    meter.add(reading(2, 0.005))
    let interval = try meter.left(to: .acquiring, at: at(1800))
    #expect(abs(interval.tally.charge.value - 9) < 1e-9)
    #expect(interval.tally.basis == .measured)
  }

  @Test("a systematic error does not average out") func systematicErrorDoesNotAverageOut() throws {
    var meter = meter()
    for second in 0...1000 { meter.add(reading(Double(second), 0.02, uncertainty: 0.001)) }
    let tally = try meter.finished(at: at(1000)).tally
    // 5 % of each reading stays 5 % of the sum.
    #expect(abs(try #require(tally.energyUncertainty) / tally.energy - 0.05) < 1e-9)
  }

  @Test("scatter averages out with the root of the number of readings")
  func scatterAveragesOutWithTheRootOfTheReadings() throws {
    func uncertainty(_ count: Int) throws -> Double {
      var meter = meter()
      for second in 0..<count {
        // ±5 mA around 20 mA, alternating: successive differences of 30 mW at 3 V.
        meter.add(
          reading(Double(second), second % 2 == 0 ? 0.025 : 0.015, uncertainty: 0))
      }
      let tally = try meter.finished(at: at(Double(count - 1))).tally
      return try #require(tally.energyUncertainty) / tally.energy
    }
    // s = 0.03 / √2 W over 0.06 W of power, over √n.
    #expect(abs(try uncertainty(101) - 0.353_553 / 101.0.squareRoot()) < 1e-3)
    #expect(abs(try uncertainty(401) / (try uncertainty(101)) - 0.5) < 0.01)
  }

  @Test("below the floor the model is used unless the reading contradicts it")
  func belowTheFloorTheModelsFigureIsTakenAsFarAsItIsNotContradicted() throws {
    var meter = meter(.off)
    meter.add(reading(0, -0.0001, uncertainty: 0.00006, isBelowFloor: true))
    let off = try meter.finished(at: at(1000)).tally
    #expect(abs(off.charge.value - 0.01) < 1e-12)  // 10 µA
    #expect(abs(try #require(off.energyUncertainty).value - 0.18) < 1e-9)
    meter = self.meter(.sleeping)  // the model says 1 mA, which the monitor would have measured
    meter.add(reading(0, 0.00001, uncertainty: 0.00006, isBelowFloor: true))
    let asleep = try meter.finished(at: at(1000)).tally
    #expect(abs(asleep.charge.value - 0.06) < 1e-12)
  }

  @Test("invalid readings are ignored and counted") func nonsenseIsIgnoredAndCounted() {
    var meter = meter()
    meter.add(reading(10, 0.02))
    meter.add(reading(9, 0.9))
    meter.add(reading(10, 0.9))
    meter.add(reading(11, Amperes(.nan)))
    meter.add(reading(11, 0.02, Volts(.infinity)))
    #expect(meter.readingsIgnored == 4)
    #expect(abs(meter.totals(at: at(20)).all.charge.value - 0.4) < 1e-12)
  }

  @Test("querying the totals changes nothing") func totalsDoNotDisturbTheMeter() throws {
    var meter = meter()
    for second in 0..<10 {
      meter.add(reading(Double(second), 0.02))
      _ = meter.totals(at: at(Double(second) + 0.5))
    }
    let before = meter.totals(at: at(9))
    #expect(meter.totals(at: at(9)) == before)
    let interval = try meter.finished(at: at(9))
    #expect(interval.tally == before[.tracking])
    let nothing = meter.close(at: at(9))
    #expect(nothing == nil)
    #expect(meter.totals(at: at(9))[.tracking] == before[.tracking])
  }

  @Test("the times of all states add up to the whole time") func theSumOfAllStatesIsTheWholeTime() {
    var meter = meter(.off)
    var now = 0.0
    var seed: UInt64 = 1
    for _ in 0..<1000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      now += Double(seed >> 40) / 1e5
      if seed & 1 == 0 {
        meter.add(reading(now, 0.02))
      } else {
        meter.stateChanged(to: GnssState.allCases[Int(seed >> 33 & 3)], at: at(now))
      }
    }
    #expect(abs(meter.totals(at: at(now)).all.duration.value - now) < 1e-3)
  }
}

extension EnergyMeter {
  fileprivate mutating func left(to next: GnssState, at now: BootInstant) throws -> StateInterval {
    let interval = stateChanged(to: next, at: now)
    return try #require(interval)
  }

  fileprivate mutating func finished(at now: BootInstant) throws -> StateInterval {
    let interval = close(at: now)
    return try #require(interval)
  }
}
