/// Reads a sentence's comma-separated fields in place. An absent or empty field is `absent` (NaN,
/// or -1). A malformed field sets `isMalformed`, which the decoder of the sentence checks once, at
/// the end.
struct NMEAFields {
  /// The value of an empty whole number, time or letter.
  static let absent = -1

  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private(set) var isMalformed = false
  /// The number of decimals of the last angle: the resolution of the position.
  private(set) var decimals = 0

  /// `body` starts with the first field's first byte.
  @inline(__always)
  init(_ body: UnsafeBufferPointer<UInt8>) {
    next = body.baseAddress.unsafelyUnwrapped
    end = next + body.count
  }

  /// Whether all fields have been read.
  var isAtEnd: Bool { next > end }

  @inline(__always)
  private var isEmpty: Bool { next >= end || next.pointee == UInt8(ascii: ",") }

  @inline(__always)
  private mutating func malformed() { isMalformed = true }

  @inline(__always)
  mutating func skip() {
    while next < end, next.pointee != UInt8(ascii: ",") { next += 1 }
    next += 1
  }

  @inline(__always)
  mutating func skip(_ count: Int) {
    let comma = UInt8(ascii: ",")
    for _ in 0..<count {
      // Most are empty, or have two digits as satellite numbers do.
      if end - next >= 3, next[2] == comma, next[1] != comma, next[0] != comma {
        next += 3
      } else {
        skip()
      }
    }
  }

  /// A field of one letter; 0 when empty.
  @inline(__always)
  mutating func letter() -> UInt8 {
    guard !isEmpty else {
      next += 1
      return 0
    }
    let letter = next.pointee
    next += 1
    if next < end, next.pointee != UInt8(ascii: ",") { malformed() }
    skip()
    return letter
  }

  /// The bytes of the field; empty after the last field.
  mutating func text() -> UnsafeBufferPointer<UInt8> {
    let start = min(next, end)
    skip()
    return UnsafeBufferPointer(start: start, count: min(next - 1, end) - start)
  }

  /// A number of one or two digits that is followed by another field, which is the usual case; nil
  /// for any other field, which is not consumed.
  @inline(__always)
  private mutating func fewDigits() -> Int? {
    guard end - next >= 3 else { return nil }
    let comma = UInt8(ascii: ",")
    let (first, second) = (next[0] &- UInt8(ascii: "0"), next[1] &- UInt8(ascii: "0"))
    guard first <= 9 else { return nil }
    if next[1] == comma {
      next += 2
      return Int(first)
    }
    guard second <= 9, next[2] == comma else { return nil }
    next += 3
    return Int(first) * 10 + Int(second)
  }

  /// A whole number of at most nine digits; `absent` when empty.
  @inline(__always)
  mutating func whole() -> Int {
    if let number = fewDigits() { return number }
    let number = decimal()
    guard number.isPresent else { return Self.absent }
    guard number.digits == 0, number.mantissa >= 0, number.mantissa < 1_000_000_000 else {
      malformed()
      return Self.absent
    }
    return Int(number.mantissa)
  }

  /// A decimal number; NaN when empty.
  @inline(__always)
  mutating func number() -> Double {
    let number = decimal()
    return number.isPresent ? number.value : .nan
  }

  /// Digits with at most one point, read exactly. Digits past the eighteenth exceed any receiver's
  /// accuracy: they are dropped after the point and refused before it.
  @inline(__always)
  mutating func decimal() -> DecimalField {
    while next < end, next.pointee == UInt8(ascii: " ") { next += 1 }
    guard !isEmpty else {
      next += 1
      return .absent
    }
    var field = DecimalField(mantissa: 0, digits: 0)
    let isNegative = next.pointee == UInt8(ascii: "-")
    if isNegative || next.pointee == UInt8(ascii: "+") { next += 1 }
    var count = 0
    var hasPoint = false
    while next < end, next.pointee != UInt8(ascii: ",") {
      let digit = next.pointee &- UInt8(ascii: "0")
      if digit <= 9 {
        if count < 18 {
          field.mantissa = field.mantissa &* 10 &+ Int64(digit)
          if hasPoint { field.digits += 1 }
        } else if !hasPoint {
          malformed()
        }
        count += 1
      } else if next.pointee == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        field.whole = field.mantissa
      } else if next.pointee != UInt8(ascii: " ") || count == 0 {
        malformed()
      }
      next += 1
    }
    next += 1
    if count == 0 { malformed() }
    if !hasPoint { field.whole = field.mantissa }
    if isNegative { field.mantissa = -field.mantissa }
    return field
  }

  /// `dddmm.mmmm` and its hemisphere as degrees; NaN when empty.
  @inline(__always)
  mutating func angle(_ positive: Unicode.Scalar, _ negative: Unicode.Scalar, limit: Double)
    -> Double
  {
    let field = decimal()
    let hemisphere = letter()
    guard field.isPresent else { return .nan }
    decimals = field.digits
    let unit = DecimalField.powers[field.digits]
    let (degrees, minutes) = field.whole.quotientAndRemainder(dividingBy: 100)
    // Rounded only once: the minutes are an exact integer multiple of 10^-digits minutes.
    let exactMinutes = field.mantissa &- degrees &* 100 &* unit
    let value = Double(degrees) + Double(exactMinutes) / (60 * Double(unit))
    let isNegative = hemisphere == UInt8(ascii: negative)
    if field.mantissa < 0 || minutes >= 60 || value > limit
      || !(isNegative || hemisphere == UInt8(ascii: positive))
    {
      malformed()
    }
    return isNegative ? -value : value
  }

  /// `hhmmss[.sss]` as nanoseconds of the day. A leap second is the last second of the day;
  /// `absent` if empty.
  @inline(__always)
  mutating func timeOfDay() -> Int64 {
    let field = decimal()
    guard field.isPresent else { return Int64(Self.absent) }
    let second = field.whole % 100
    let minute = field.whole / 100 % 100
    let hour = field.whole / 10_000
    guard field.mantissa >= 0, field.digits <= 9, second <= 60, minute <= 59, hour <= 23 else {
      malformed()
      return Int64(Self.absent)
    }
    let fraction = field.mantissa &- field.whole &* DecimalField.powers[field.digits]
    return ((hour &* 60 &+ minute) &* 60 &+ second) &* 1_000_000_000
      &+ fraction &* DecimalField.powers[9 - field.digits]
  }

  /// The satellites of a GSV sentence, four fields each: number, elevation, azimuth, C/N0.
  /// Incomplete satellites, and those whose number or C/N0 is no whole number, are left out.
  /// Incomplete data is normal here, so that nothing makes the sentence malformed.
  ///
  /// Most bytes of a receiver's output are satellites. Four of the usual layout, `NN,EE,AAA,CC`,
  /// are read as two words of eight bytes each; the second word ends with the comma after the
  /// satellite.
  @inline(__always)
  mutating func satellites(of constellation: SatelliteNumber.Constellation) -> FourSignals {
    // The last satellite may end the sentence, so that its second word ends there.
    guard end - next == 51 || (end - next > 51 && next[51] == UInt8(ascii: ",")) else {
      return unusualSatellites(of: constellation)
    }
    let (head0, head1, head2, head3) = (word(at: 0), word(at: 13), word(at: 26), word(at: 39))
    let (tail0, tail1, tail2, tail3) = (word(at: 5), word(at: 18), word(at: 31), word(at: 43))
    let heads = Self.commas(head0, head1, head2, head3, at: 0x0000_ff00_00ff_0000)
    let tails = Self.commas(tail0, tail1, tail2, tail3 >> 8, at: 0x0000_00ff_0000_0000)
    let ends = Self.commas(tail0, tail1, tail2, tail0, at: 0xff00_0000_0000_0000)
    guard heads | tails | ends == 0,
      let four = FourSignals(
        numbers: head0 & 0xffff | (head1 & 0xffff) << 16 | (head2 & 0xffff) << 32 | head3 << 48,
        strengths: tail0 >> 40 & 0xffff | (tail1 >> 40 & 0xffff) << 16
          | (tail2 >> 40 & 0xffff) << 32 | (tail3 >> 48) << 48,
        of: constellation)
    else { return unusualSatellites(of: constellation) }
    next += 52
    return four
  }

  @inline(__always)
  private func word(at offset: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawPointer(next).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Zero if all four have commas there.
  @inline(__always)
  private static func commas(
    _ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, at mask: UInt64
  ) -> UInt64 {
    let commas: UInt64 = 0x2c2c_2c2c_2c2c_2c2c
    return ((a ^ commas) | (b ^ commas) | (c ^ commas) | (d ^ commas)) & mask
  }

  private mutating func unusualSatellites(
    of constellation: SatelliteNumber.Constellation
  ) -> FourSignals {
    var four = FourSignals()
    for place in 0..<UInt64(4) where !isAtEnd {
      let number = short()
      skip(2)
      guard !isAtEnd else { break }
      let strength = short()
      if let number {
        four.set(place, SatelliteNumber(number, of: constellation), strength: strength)
      }
    }
    return four
  }

  /// A whole number of one to three digits, without its decimals; nil if malformed.
  private mutating func short() -> Int? {
    if let number = fewDigits() { return number }
    let field = text()
    var number: Int?
    for (place, byte) in field.enumerated() {
      let digit = byte &- UInt8(ascii: "0")
      if byte == UInt8(ascii: "."), number != nil { break }
      guard digit <= 9, place < 3 else { return nil }
      number = (number ?? 0) * 10 + Int(digit)
    }
    return number
  }

  /// The six digits of `ddmmyy`; `absent` when empty.
  @inline(__always)
  mutating func date() -> Int { whole() }
}

/// A decimal number as written: `mantissa` / 10^`digits`.
struct DecimalField: Equatable {
  var mantissa: Int64
  /// Decimals, 0...18; -1 when the field is empty.
  var digits: Int
  /// The part before the point, without a sign.
  var whole: Int64 = 0

  static let absent = DecimalField(mantissa: 0, digits: -1)

  @inline(__always)
  var isPresent: Bool { digits >= 0 }

  /// Correctly rounded up to 15 significant digits, because both operands are exact.
  @inline(__always)
  var value: Double { Double(mantissa) / Double(Self.powers[digits]) }

  /// Listed as literals, so that an access needs no check for lazy initialization.
  static let powers: [Int64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000,
  ]
}
