import Core
import Testing

/// Student's quantiles compared with the tables.
@Suite struct StudentTTests {
  @Test("whole and fractional degrees of freedom have the tables' quantiles") func quantiles() {
    for (degrees, quantile) in [
      (1.0, 12.706), (2.0, 4.303), (2.5, 3.558), (4, 2.776), (9, 2.262), (12.5, 2.169),
      (30, 2.042), (200, 1.972),
    ] {
      let found = StudentT.quantile975(degreesOfFreedom: degrees)
      #expect((found / quantile - 1).magnitude < 0.01, "\(degrees): \(found)")
    }
    #expect(StudentT.quantile975(degreesOfFreedom: 0.5) == .infinity)
  }

  @Test("more degrees of freedom never increase it by more than the expansion's error")
  func falls() {
    var last = Double.infinity
    for step in 4...400 {
      let found = StudentT.quantile975(degreesOfFreedom: Double(step) / 4)
      #expect(found < last * 1.01)
      last = found
    }
  }
}
