import Core

/// Reads numbers and times directly from bytes: a year of one sample per second has a hundred
/// million numbers, and none of them becomes a string.
enum DecimalText {
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// `[+-]digits[.digits][e[+-]digits]`, exact up to 15 significant digits, within one unit in the
  /// last place beyond that, and a few units if the exponent is beyond ±22. Nil for anything else.
  /// - Parameter comma: whether a comma is a decimal point, as in tables from half of Europe.
  static func number(
    _ bytes: UnsafeBufferPointer<UInt8>, allowingComma comma: Bool = false
  ) -> Double? {
    var index = 0
    let count = bytes.count
    let isNegative = index < count && bytes[index] == UInt8(ascii: "-")
    if index < count, isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    var exponent = 0
    var seesPoint = false
    while index < count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit <= 9 {
        // Eighteen digits fit; further ones are below the last place.
        if mantissa < 100_000_000_000_000_000 {
          mantissa = mantissa &* 10 &+ UInt64(digit)
          if seesPoint { exponent -= 1 }
        } else if !seesPoint {
          exponent += 1
        }
        digits += 1
      } else if !seesPoint,
        bytes[index] == UInt8(ascii: ".") || (comma && bytes[index] == UInt8(ascii: ","))
      {
        seesPoint = true
      } else {
        break
      }
      index += 1
    }
    guard digits > 0 else { return nil }
    if index < count {
      guard let more = self.exponent(bytes, from: index) else { return nil }
      exponent += more
    }
    guard mantissa != 0 else { return isNegative ? -0.0 : 0 }
    var value = Double(mantissa)
    while exponent < -22 {
      value /= powers[22]
      exponent += 22
    }
    while exponent > 22, value.isFinite {
      value *= powers[22]
      exponent -= 22
    }
    value = exponent < 0 ? value / powers[-exponent] : value * powers[min(exponent, 22)]
    guard value.isFinite else { return nil }
    return isNegative ? -value : value
  }

  private static func exponent(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard bytes[start] | 0x20 == UInt8(ascii: "e") else { return nil }
    var index = start + 1
    guard index < bytes.count else { return nil }
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
    guard index < bytes.count, bytes.count - index <= 3 else { return nil }
    var number = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      number = number * 10 + Int(digit)
      index += 1
    }
    return isNegative ? -number : number
  }

  /// Whether twelve digits are year, month, day, hour and minute, or have a two-digit year and
  /// seconds.
  private static func isDate(_ digits: Int64) -> Bool {
    func part(_ divisor: Int64) -> Int64 { digits / divisor % 100 }
    let (a, b, c, d) = (part(100_000_000), part(1_000_000), part(10_000), part(100))
    let days: ClosedRange<Int64> = 1...31
    let months: ClosedRange<Int64> = 1...12
    let isLong =
      (1970..<2100).contains(digits / 100_000_000) && months.contains(b) && days.contains(c)
      && d < 24 && part(1) < 60
    return isLong || months.contains(a) && days.contains(b) && c < 24 && d < 60 && part(1) < 60
  }

  /// Time since 1970 in seconds with decimals, exact to the nanosecond; integers too large for a
  /// date in seconds are read as milliseconds or microseconds.
  static func unixTime(_ bytes: UnsafeBufferPointer<UInt8>) -> UTCInstant? {
    var index = 0
    let count = bytes.count
    let isNegative = count > 0 && bytes[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    var whole: Int64 = 0
    let first = index
    while index < count, bytes[index] &- UInt8(ascii: "0") <= 9 {
      guard index - first < 17 else { return nil }
      whole = whole * 10 + Int64(bytes[index] &- UInt8(ascii: "0"))
      index += 1
    }
    guard index > first, index - first != 12 || !isDate(whole) else { return nil }
    // Seconds have up to 10 digits until 2286; 13 are milliseconds and 16 microseconds.
    var unit: Int64 = 1_000_000_000
    if whole >= 100_000_000_000 { unit = 1_000_000 }
    if whole >= 100_000_000_000_000 { unit = 1000 }
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    var nanoseconds = scaled
    if index < count {
      guard bytes[index] == UInt8(ascii: "."), index + 1 < count else { return nil }
      index += 1
      var step = unit / 10
      while index < count {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        nanoseconds &+= Int64(digit) * step
        step /= 10
        index += 1
      }
    }
    // The decimals may exceed the range of an instant.
    guard nanoseconds >= 0 else { return nil }
    let moment = UTCInstant(nanoseconds: isNegative ? -nanoseconds : nanoseconds)
    return CivilTime.moments.contains(moment) ? moment : nil
  }
}
