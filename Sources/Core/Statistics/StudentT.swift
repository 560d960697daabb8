/// Student's t distribution, for the means of few values.
public enum StudentT {
  /// The value that 97.5 % of the standard normal distribution do not exceed.
  public static let normal975 = 1.959_963_985

  /// For one to ten degrees of freedom.
  private static let table = [
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
  ]

  /// The value that 97.5 % do not exceed. Outside the table it is the expansion in powers of 1/ν
  /// (Abramowitz and Stegun, 26.7.5), which is 0.8 % low at two degrees of freedom, and exact to
  /// four digits from five on. Infinite below one degree.
  public static func quantile975(degreesOfFreedom: Double) -> Double {
    guard degreesOfFreedom >= 1 else { return .infinity }
    if let whole = Int(exactly: degreesOfFreedom), whole <= table.count { return table[whole - 1] }
    if degreesOfFreedom < 2 {
      return table[0] + (degreesOfFreedom - 1) * (table[1] - table[0])
    }
    let z = normal975
    let z3 = z * z * z
    let z5 = z3 * z * z
    let z7 = z5 * z * z
    let z9 = z7 * z * z
    let terms = [
      (z3 + z) / 4, (5 * z5 + 16 * z3 + 3 * z) / 96, (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384,
      (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / 92_160,
    ]
    return z + terms.reversed().reduce(0) { ($0 + $1) / degreesOfFreedom }
  }
}
