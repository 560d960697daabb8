/// Decimal text with a fixed number of digits after the point, written into bytes: the form of
/// coordinates, times and measurements in every file that Godwit writes.
public enum FixedDecimal {
  static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  /// Numbers up to here are written without an exponent.
  public static let limit = 9e9

  /// Appends `value` rounded half away from zero to `digits` (0...9) decimals. Non-finite numbers
  /// and those beyond `limit` fall back to the shortest round-trip form ("nan"...), which callers
  /// that write JSON have to exclude beforehand.
  public static func append(_ value: Double, digits: Int, to bytes: inout [UInt8]) {
    guard value.isFinite, value.magnitude < limit, digits >= 0, digits <= 9 else {
      bytes.append(contentsOf: value.description.utf8)
      return
    }
    let scale = powers[digits]
    let scaled = Int64((value.magnitude * scale).rounded())
    if value < 0, scaled != 0 { bytes.append(UInt8(ascii: "-")) }
    let unit = Int64(scale)
    append(scaled / unit, minimumDigits: 1, to: &bytes)
    if digits > 0 {
      bytes.append(UInt8(ascii: "."))
      append(scaled % unit, minimumDigits: digits, to: &bytes)
    }
  }

  /// Appends a non-negative whole number, padded with zeros on the left.
  static func append(_ number: Int64, minimumDigits: Int, to bytes: inout [UInt8]) {
    var places = 1
    var ceiling: Int64 = 10
    while places < 19, number >= ceiling || places < minimumDigits {
      places += 1
      ceiling = places < 19 ? ceiling &* 10 : .max
    }
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: places))
    var rest = number
    var index = start + places - 1
    while rest > 0 {
      bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      index -= 1
    }
  }

  public static func text(_ value: Double, digits: Int) -> String {
    var bytes: [UInt8] = []
    append(value, digits: digits, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
