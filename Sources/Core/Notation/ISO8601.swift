/// Civil time as text: the profile of ISO 8601 that GPX, GeoJSON, GeoPackage and gpsd share,
/// `2026-05-01T12:34:56.789Z`.
public enum ISO8601 {
  /// Appends the instant in UTC with `digits` (0...9) decimals of the second, truncated so that a
  /// written time is never later than the instant.
  public static func append(_ instant: UTCInstant, digits: Int = 3, to bytes: inout [UInt8]) {
    let civil = CivilTime(instant)
    FixedDecimal.append(Int64(civil.year), minimumDigits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    FixedDecimal.append(Int64(civil.month), minimumDigits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    FixedDecimal.append(Int64(civil.day), minimumDigits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    FixedDecimal.append(Int64(civil.hour), minimumDigits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    FixedDecimal.append(Int64(civil.minute), minimumDigits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    FixedDecimal.append(Int64(civil.second), minimumDigits: 2, to: &bytes)
    if digits > 0 {
      let fraction = civil.nanosecond / Int(FixedDecimal.powers[9 - min(digits, 9)])
      bytes.append(UInt8(ascii: "."))
      FixedDecimal.append(Int64(fraction), minimumDigits: min(digits, 9), to: &bytes)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  public static func text(_ instant: UTCInstant, digits: Int = 3) -> String {
    var bytes: [UInt8] = []
    append(instant, digits: digits, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a time that `parse` accepts names its zone.
  public static func namesZone(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let last = bytes.last else { return false }
    if last | 0x20 == UInt8(ascii: "z") { return true }
    return bytes.dropFirst(10).contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
  }

  /// Reads `YYYY-MM-DD[(T| )hh:mm[:ss[.fraction]][Z|±hh[:]mm]]`; without a zone it is UTC.
  /// Nil for anything else, also for dates that do not exist.
  public static func parse(_ text: some StringProtocol) -> UTCInstant? {
    var text = String(text)
    return text.withUTF8 { parse($0) }
  }

  public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> UTCInstant? {
    var reader = DigitReader(bytes: bytes)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2)
    else { return nil }
    var civil = CivilTime(year: year, month: month, day: day)
    guard !reader.isAtEnd else { return civil.instant }
    guard reader.skip("T") || reader.skip(" ") || reader.skip("t"),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2)
    else { return nil }
    civil.hour = hour
    civil.minute = minute
    if reader.skip(":") {
      guard let second = reader.number(2) else { return nil }
      civil.second = second
      if reader.skip(".") || reader.skip(",") {
        guard let nanosecond = reader.fraction() else { return nil }
        civil.nanosecond = nanosecond
      }
    }
    guard let offset = reader.zoneOffset(), reader.isAtEnd, let instant = civil.instant
    else { return nil }
    let moment = instant - offset
    return CivilTime.moments.contains(moment) ? moment : nil
  }
}

/// Parses digits and punctuation without creating strings: a trace contains millions of times.
struct DigitReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0

  var isAtEnd: Bool { index == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func number(_ digits: Int) -> Int? {
    guard index + digits <= bytes.count else { return nil }
    var number = 0
    for _ in 0..<digits {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      number = number * 10 + Int(digit)
      index += 1
    }
    return number
  }

  /// Decimals of a second as nanoseconds; digits past the ninth are dropped.
  mutating func fraction() -> Int? {
    var nanosecond = 0
    var places = 0
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 {
      if places < 9 { nanosecond = nanosecond * 10 + Int(bytes[index] &- UInt8(ascii: "0")) }
      places += 1
      index += 1
    }
    guard places > 0 else { return nil }
    for _ in min(places, 9)..<9 { nanosecond *= 10 }
    return nanosecond
  }

  /// "Z", nothing, or ±hh, ±hhmm, ±hh:mm; nil for anything else.
  mutating func zoneOffset() -> Seconds? {
    if isAtEnd || skip("Z") || skip("z") { return 0 }
    let sign: Double = skip("+") ? 1 : -1
    if sign < 0, !skip("-") { return nil }
    guard let hours = number(2) else { return nil }
    _ = skip(":")
    let minutes = isAtEnd ? 0 : number(2)
    guard let minutes, hours <= 18, minutes <= 59 else { return nil }
    return Seconds(sign * Double(hours * 3600 + minutes * 60))
  }
}
