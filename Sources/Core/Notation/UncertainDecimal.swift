/// A measured number with its standard uncertainty (k = 1), rounded to the significant digits: two
/// of the uncertainty, and as many places of the value (JCGM 100:2008, "GUM", 7.2.6).
public enum UncertainDecimal {
  /// `25.31 ± 0.42`; three digits of the value where the uncertainty is nil or zero.
  public static func text(_ value: Double, uncertainty: Double?) -> String {
    let alone = self.value(value, uncertainty: uncertainty)
    guard let uncertainty, uncertainty.isFinite, uncertainty > 0 else { return alone }
    return alone + " ± " + self.value(uncertainty, uncertainty: uncertainty)
  }

  /// The value alone, rounded to its significant digits.
  public static func value(_ value: Double, uncertainty: Double?) -> String {
    guard let uncertainty, uncertainty.isFinite, uncertainty > 0 else {
      return rounded(value, place: leadingPlace(value, digits: 3) - 2)
    }
    return rounded(value, place: leadingPlace(uncertainty, digits: 2) - 1)
  }

  /// The power of ten of the first digit, after rounding to `digits` digits.
  private static func leadingPlace(_ number: Double, digits: Int) -> Int {
    guard number.isFinite, number != 0 else { return 0 }
    var place = 0
    var rest = number.magnitude
    while rest >= 10, place < 308 { (rest, place) = (rest / 10, place + 1) }
    while rest < 1, place > -323 { (rest, place) = (rest * 10, place - 1) }
    let scale = power(digits - 1)
    return (rest * scale).rounded() >= 10 * scale ? place + 1 : place
  }

  /// - Parameter place: the power of ten of the last significant digit.
  private static func rounded(_ value: Double, place: Int) -> String {
    guard place > 0 else { return FixedDecimal.text(value, digits: min(9, -place)) }
    let unit = power(place)
    return FixedDecimal.text((value / unit).rounded() * unit, digits: 0)
  }

  private static func power(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { product, _ in product * 10 }
  }
}
