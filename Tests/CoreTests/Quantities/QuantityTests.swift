import Core
import Testing

@Suite struct QuantityTests {
  @Test("comparisons with NaN never hold") func comparisonsWithNoNumberNeverHold() {
    let none = Metres(.nan)
    #expect(!(none < 1) && !(none <= 1) && !(none > 1) && !(none >= 1) && !(none == none))
  }

  @Test("products and quotients have the right units") func unitsOfProductsAndQuotients() {
    let power: Watts = Amperes(0.025) * Volts(3.3)
    #expect(abs(power.value - 0.0825) < 1e-12)
    let energy: Joules = power * Seconds(60)
    #expect(abs(energy.value - 4.95) < 1e-12)
    let speed: MetresPerSecond = Metres(100) / Seconds(8)
    #expect(speed == 12.5)
    #expect(Coulombs(milliampereHours: 2).value == 7.2)
  }

  @Test(
    "an instant accepts any seconds without overflow",
    arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
  func instantsDoNotOverflow(seconds: Double) {
    let later = BootInstant(nanoseconds: 1) + Seconds(seconds)
    #expect(later.nanoseconds.magnitude < 5_000_000_000_000_000_000)
  }
}
