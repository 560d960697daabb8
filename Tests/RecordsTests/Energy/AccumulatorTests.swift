import Records
import Core
import Testing

/// Monitors that integrate by themselves, and invalid readings.
@Suite struct AccumulatorTests {
  let model = ReceiverEnergyModel(
    supply: 3, acquiring: 0.03, tracking: 0.02, sleeping: 0.001, off: 0.00001, coldStart: 30,
    warmStart: 20, hotStart: 1)

  func reading(
    _ second: Double, _ current: Amperes, energy: Joules?, charge: Coulombs? = nil
  ) -> PowerReading {
    PowerReading(
      taken: .zero + Seconds(second), current: current, voltage: 3, currentUncertainty: 0.001,
      accumulatedEnergy: energy, accumulatedCharge: charge)
  }

  func meter(_ state: GnssState = .tracking) -> EnergyMeter {
    EnergyMeter(model: model, state: state, at: .zero)
  }

  /// 1000 s apart, which a trapezoid may not span.
  @Test("an energy counter spans gaps") func aCounterSpansGaps() {
    var meter = meter()
    meter.add(reading(0, 0.02, energy: 100, charge: 40))
    meter.add(reading(1000, 0.02, energy: 175, charge: 65))
    let tally = meter.totals(at: .zero + 1000)[.tracking]
    #expect(tally.energy == 75 && tally.charge == 25 && tally.measuredCharge == 25)
    #expect(tally.measuredDuration == 1000 && tally.basis == .measured)
    // 1 mA × 3 V × 1000 s
    #expect(abs((tally.energyUncertainty?.value ?? 0) - 3) < 1e-9)
  }

  @Test("without a charge counter the charge follows from the voltage")
  func withoutACounterOfChargeTheVoltageGivesIt() {
    var meter = meter()
    meter.add(reading(0, 0.02, energy: 0))
    meter.add(reading(100, 0.02, energy: 9))
    #expect(meter.totals(at: .zero + 100)[.tracking].charge == 3)
  }

  /// 40 signed bits, 3.125 µC each: after 1.7 MC the counter wraps to its other end.
  @Test("a charge counter that wraps is not used") func aCounterOfChargeThatWrapsIsNotBelieved() {
    var meter = meter()
    meter.add(reading(0, 0.02, energy: 100, charge: 1_717_986))
    meter.add(reading(1000, 0.02, energy: 160, charge: -1_717_966))
    let tally = meter.totals(at: .zero + 1000)[.tracking]
    #expect(tally.energy == 60 && tally.charge == 20)
  }

  /// A battery that is charging: the chip's energy is unsigned, its charge is signed.
  @Test("a falling charge counter is used") func aFallingCounterOfChargeIsBelieved() {
    var meter = meter()
    meter.add(reading(0, -0.02, energy: 100, charge: 40))
    meter.add(reading(1000, -0.02, energy: 160, charge: 20))
    #expect(meter.totals(at: .zero + 1000)[.tracking].charge == -20)
  }

  /// The chip lost its supply: its counters restarted from zero.
  @Test("after a reset of the counter the readings are used") func aResetFallsBackToTheReadings() {
    var meter = meter()
    meter.add(reading(0, 0.02, energy: 100))
    meter.add(reading(5, 0.02, energy: 1))
    let near = meter.totals(at: .zero + 5)[.tracking]
    #expect(abs(near.energy.value - 0.3) < 1e-12)  // 20 mA × 3 V × 5 s
    meter.add(reading(1000, 0.05, energy: 0))
    let far = meter.totals(at: .zero + 1000)[.tracking]
    #expect(far.measuredDuration == 5)
    #expect(abs(far.energy.value - (0.3 + 995 * 0.06)) < 1e-9)
  }

  /// The reading at the change of state ends one interval and begins the next.
  @Test("a counter spans a change of state only with a reading close to it")
  func aCounterCrossesTheChangeOfStateOnlyWithItsReading() {
    var meter = meter(.off)
    meter.add(reading(0, 0, energy: 0))
    meter.add(reading(600, 0, energy: 6))
    meter.stateChanged(to: .acquiring, at: .zero + 600)
    meter.add(reading(660, 0.03, energy: 12))
    var totals = meter.totals(at: .zero + 660)
    #expect(totals[.off].energy == 6 && totals[.acquiring].energy == 6)
    // No reading at the next change: the count cannot be split between the two states.
    meter.stateChanged(to: .tracking, at: .zero + 665)
    meter.add(reading(670, 0.02, energy: 20))
    totals = meter.totals(at: .zero + 670)
    #expect(abs(totals[.tracking].energy.value - 0.3) < 1e-12)
  }

  @Test("a repeated reading changes nothing") func theSameReadingAgainChangesNothing() {
    var meter = meter()
    meter.add(reading(0, 0.02, energy: nil))
    meter.add(reading(2, 0.04, energy: nil))
    var again = reading(2, 0.04, energy: nil)
    again.isNew = false
    let before = meter.totals(at: .zero + 3)
    meter.add(again)
    #expect(meter.totals(at: .zero + 3) == before)
    #expect(meter.readingsIgnored == 0)
    meter.add(reading(2, 0.04, energy: nil))
    #expect(meter.readingsIgnored == 1)
  }
}
