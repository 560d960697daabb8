import Records
import Core
import Testing

@Suite struct RefinedModelTests {
  let model = ReceiverEnergyModel(
    supply: 3, acquiring: 0.03, tracking: 0.02, sleeping: 0.001, off: 0.00001, coldStart: 30,
    warmStart: 20, hotStart: 1)

  /// Tracks for `tracking` s at 25 mA and searches for 30 s at 40 mA, a reading each second.
  func totals(tracking: Int) -> EnergyTotals {
    var meter = EnergyMeter(model: model, state: .tracking, at: .zero)
    for second in 0...tracking { meter.add(reading(Double(second), 0.025)) }
    let change = BootInstant.zero + Seconds(Double(tracking))
    meter.stateChanged(to: .acquiring, at: change)
    for second in 1...30 { meter.add(reading(Double(tracking + second), 0.04)) }
    return meter.totals(at: change + 30)
  }

  func reading(_ second: Double, _ current: Amperes) -> PowerReading {
    PowerReading(
      taken: .zero + Seconds(second), current: current, voltage: 3.3, currentUncertainty: 0.0003)
  }

  @Test("only states that were measured for long enough are replaced")
  func onlyWhatWasWatchedForLongEnoughIsReplaced() {
    let totals = totals(tracking: 60)
    let refined = model.refined(by: totals)
    #expect(abs(refined.tracking.value - 0.025) < 1e-12)
    #expect(refined.acquiring == 0.03 && refined.sleeping == 0.001 && refined.off == 0.00001)
    #expect(refined.supply == 3 && refined.hotStart == 1)
  }

  @Test("less than the minimum time changes nothing") func lessThanTheLeastTimeChangesNothing() {
    #expect(model.refined(by: totals(tracking: 59)) == model)
    let nothing = EnergyMeter(model: model, at: .zero).totals(at: .zero + 1000)
    #expect(model.refined(by: nothing) == model)
  }

  /// Modelled time in the same state must not pull the measured current towards the board file's.
  @Test("only measured time refines the model") func modelledTimeDoesNotCount() {
    var meter = EnergyMeter(model: model, state: .tracking, at: .zero)
    for second in 0...60 { meter.add(reading(Double(second), 0.025)) }
    meter.add(reading(1000, 0.025))
    let totals = meter.totals(at: .zero + 1000)
    #expect(totals[.tracking].duration == 1000 && totals[.tracking].measuredDuration == 60)
    #expect(abs(model.refined(by: totals).tracking.value - 0.025) < 1e-12)
  }

  /// The monitor's offset may make a sleep current negative, but no receiver feeds its supply.
  @Test("negative mean currents are not used") func negativeMeansAreNotBelieved() {
    var meter = EnergyMeter(model: model, state: .off, at: .zero)
    meter.add(reading(0, -0.001))
    let refined = model.refined(by: meter.totals(at: .zero + 600))
    #expect(refined.off == model.off)
  }

  /// A backup current is below the monitor's floor: the meter uses the board file's figure.
  @Test("below the floor the board file's current stays") func belowTheFloorTheBoardFileStays() {
    var meter = EnergyMeter(model: model, state: .off, at: .zero)
    var below = reading(0, 0.00005)
    below.isBelowFloor = true
    meter.add(below)
    let refined = model.refined(by: meter.totals(at: .zero + 600))
    #expect(abs(refined.off.value - 0.00001) < 1e-15)
  }
}
