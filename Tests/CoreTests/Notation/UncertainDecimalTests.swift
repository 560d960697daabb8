import Core
import Testing

/// Numbers with only their significant digits.
@Suite struct UncertainDecimalTests {
  @Test(
    "the uncertainty has two digits, and the value as many decimals",
    arguments: [
      (25.312_4, 0.421, "25.31 ± 0.42"), (1.207, 4.68, "1.2 ± 4.7"),
      (1234.5, 123.4, "1230 ± 120"), (192.24, 17.394, "192 ± 17"), (0.5, 0.0996, "0.50 ± 0.10"),
      (7, 9.96, "7 ± 10"), (-3.14159, 0.001, "-3.1416 ± 0.0010"), (0, 0.02, "0.000 ± 0.020"),
      (1e-12, 1e-12, "0.000000000 ± 0.000000000"), (5e7, 1e6, "50000000 ± 1000000"),
    ])
  func withUncertainty(value: Double, uncertainty: Double, text: String) {
    #expect(UncertainDecimal.text(value, uncertainty: uncertainty) == text)
  }

  @Test(
    "a value whose uncertainty is unknown has three digits",
    arguments: [
      (412.7, "413"), (8791, "8790"), (0.012_345, "0.0123"), (0, "0.00"), (99.96, "100"),
      (.nan, "nan"), (.infinity, "inf"),
    ])
  func withoutUncertainty(value: Double, text: String) {
    for unknown in [nil, 0, .nan, .infinity, -1] as [Double?] {
      #expect(UncertainDecimal.text(value, uncertainty: unknown) == text)
    }
  }
}
