import Records
import Core
import Testing

@Suite struct MonitorAccuracyTests {
  /// INA226 across 100 mΩ ± 1 %, 30 mA: shunt 300 µA, gain 30 µA, offset 10 µV / 0.1 Ω = 100 µA,
  /// half a step 12.5 µA; √((300² + 30² + 100² + 12.5²) / 3) = √(101 056.25 / 3) = 183.54 µA.
  @Test("the uncertainty and the floor of an ina226 follow from its data sheet") func ina226() {
    let accuracy = MonitorAccuracy(.ina226, shunt: 0.1, tolerance: 0.01)
    #expect(abs(accuracy.uncertainty(of: 0.03).value - 183.54e-6) < 0.01e-6)
    #expect(abs(accuracy.floor.value - 125e-6) < 1e-12)
    // Backup current of an M8 (15 µA): indistinguishable from zero.
    #expect(accuracy.isBelowFloor(15e-6) && accuracy.isBelowFloor(-0.000_1))
    #expect(!accuracy.isBelowFloor(130e-6))
  }

  /// INA228 across 100 mΩ ± 0.1 %, 30 mA: 30 µA, 15 µA, 10 µA, 1.5625 µA;
  /// √((900 + 225 + 100 + 2.44) / 3) = √409.15 = 20.227 µA. The floor is 13.125 µA.
  @Test("the uncertainty and the floor of an ina228 follow from its data sheet") func ina228() {
    let accuracy = MonitorAccuracy(.ina228, shunt: 0.1, tolerance: 0.001)
    #expect(abs(accuracy.uncertainty(of: 0.03).value - 20.227e-6) < 0.01e-6)
    #expect(abs(accuracy.floor.value - 13.125e-6) < 1e-12)
  }

  /// INA260: the settings' shunt is ignored. Offset 5 mA, step 1.25 mA; at 30 mA √((45² + 5000² +
  /// 625²) / 3) µA = 2.9093 mA.
  @Test("an ina260 has its own shunt, whatever the settings say") func ina260HasItsOwnShunt() {
    let accuracy = MonitorAccuracy(.ina260, shunt: 0.1, tolerance: 0.2)
    #expect(abs(accuracy.offset.value - 0.005) < 1e-12)
    #expect(abs(accuracy.uncertainty(of: 0.03).value - 2.9093e-3) < 1e-6)
  }

  /// Coarser rounding on the way (1 mA of curr1_input) counts; steps finer than the converter do
  /// not.
  @Test("the coarsest step determines the accuracy") func theCoarsestStepCounts() {
    let rounded = MonitorAccuracy(.ina226, shunt: 0.1, tolerance: 0, coarsest: 0.001)
    #expect(rounded.step == 0.001 && abs(rounded.floor.value - 0.0011) < 1e-12)
    let fine = MonitorAccuracy(.ltc2945, shunt: 0.1, tolerance: 0, coarsest: 1e-6)
    #expect(abs(fine.step.value - 250e-6) < 1e-12)
  }

  @Test(
    "the uncertainty grows with the current and never vanishes", arguments: MonitorChip.allCases)
  func uncertaintyGrowsWithTheCurrentAndNeverVanishes(chip: MonitorChip) {
    let accuracy = MonitorAccuracy(chip, shunt: 0.1, tolerance: 0.01)
    var last: Amperes = 0
    for milliamperes in [0.0, 1, 10, 100, 1000] {
      let current = Amperes(milliamperes / 1000)
      let uncertainty = accuracy.uncertainty(of: current)
      #expect(uncertainty > last && uncertainty == accuracy.uncertainty(of: -current))
      last = uncertainty
    }
    #expect(chip.facts.window > 0 && chip.facts.window < 0.2)
  }
}
