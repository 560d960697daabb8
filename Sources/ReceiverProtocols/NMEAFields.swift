/// Walks over a sentence's comma-separated fields in place. An absent or empty field is `absent`
/// (NaN, or -1); one that is not what it should be sets `isMalformed`, which the decoder of the
/// sentence looks at once, at the end.
struct NMEAFields {
  /// What stands for an empty whole number, time or letter.
  static let absent = -1

  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private(set) var isMalformed = false
  /// How many decimals the last angle had: how finely the sentence tells the place.
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
      // Most are empty, or of two digits as satellites' numbers are.
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

  /// The field's own bytes; none once all fields have been read.
  mutating func text() -> UnsafeBufferPointer<UInt8> {
    let start = min(next, end)
    skip()
    return UnsafeBufferPointer(start: start, count: min(next - 1, end) - start)
  }

  /// A whole number of at most nine digits; `absent` when empty.
  @inline(__always)
  mutating func whole() -> Int {
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

  /// Digits with at most one point, read exactly. Digits past the eighteenth are beyond any
  /// receiver's meaning and are dropped after the point and refused before it.
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
    var point: UnsafePointer<UInt8>?
    while next < end, next.pointee != UInt8(ascii: ",") {
      let digit = next.pointee &- UInt8(ascii: "0")
      if digit <= 9 {
        if count < 18 {
          field.mantissa = field.mantissa &* 10 &+ Int64(digit)
          if point != nil { field.digits += 1 }
        } else if point == nil {
          malformed()
        }
        count += 1
      } else if next.pointee == UInt8(ascii: "."), point == nil {
        point = next
      } else if next.pointee != UInt8(ascii: " ") || count == 0 {
        malformed()
      }
      next += 1
    }
    next += 1
    if count == 0 { malformed() }
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
    let (whole, fraction) = field.mantissa.quotientAndRemainder(dividingBy: unit)
    let (degrees, minutes) = whole.quotientAndRemainder(dividingBy: 100)
    // One rounding: the minutes are an exact whole number of 10^-digits minutes.
    let value =
      Double(degrees) + Double(minutes &* unit &+ fraction) / (60 * Double(unit))
    let isNegative = hemisphere == UInt8(ascii: negative)
    if field.mantissa < 0 || minutes >= 60 || value > limit
      || !(isNegative || hemisphere == UInt8(ascii: positive))
    {
      malformed()
    }
    return isNegative ? -value : value
  }

  /// `hhmmss[.sss]` as nanoseconds of the day, a leap second being the day's last; `absent` when
  /// empty.
  @inline(__always)
  mutating func timeOfDay() -> Int64 {
    let field = decimal()
    guard field.isPresent else { return Int64(Self.absent) }
    let unit = DecimalField.powers[field.digits]
    let (whole, fraction) = field.mantissa.quotientAndRemainder(dividingBy: unit)
    let second = whole % 100
    let minute = whole / 100 % 100
    let hour = whole / 10_000
    guard field.mantissa >= 0, field.digits <= 9, second <= 60, minute <= 59, hour <= 23 else {
      malformed()
      return Int64(Self.absent)
    }
    return ((hour &* 60 &+ minute) &* 60 &+ second) &* 1_000_000_000
      &+ fraction &* (1_000_000_000 / unit)
  }

  /// A satellite's four fields in GSV: number, elevation, azimuth, C/N0. None when they are not all
  /// there, or when number or C/N0 is no whole number: what is known of a sky may be incomplete, so
  /// nothing here makes the sentence malformed.
  ///
  /// Most of a receiver's bytes are these: their usual layout, `NN,EE,AAA,CC`, is read as two words
  /// of eight bytes, the second from the last E on.
  @inline(__always)
  mutating func satellite(of constellation: SatelliteNumber.Constellation) -> SatelliteSignal {
    guard end - next >= 12 else { return unusualSatellite(of: constellation) }
    let raw = UnsafeRawPointer(next)
    let head = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
    let tail = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
    guard head & 0x0000_ff00_00ff_0000 == 0x0000_2c00_002c_0000,
      tail & 0x0000_ff00_0000_0000 == 0x0000_2c00_0000_0000,
      end - next == 12 || next[12] == UInt8(ascii: ","),
      let number = Self.pair(head & 0xffff), let strength = Self.pair(tail >> 48)
    else { return unusualSatellite(of: constellation) }
    next += 13
    return SatelliteSignal(SatelliteNumber(number, of: constellation), strength: strength)
  }

  /// The number of two digits, the tens in the low byte; nil when they are none.
  @inline(__always)
  private static func pair(_ digits: UInt64) -> Int? {
    // Both bytes are 0x30...0x39 when neither they nor they plus six leave that row.
    guard digits & 0xf0f0 == 0x3030, (digits &+ 0x0606) & 0xf0f0 == 0x3030 else { return nil }
    return Int(truncatingIfNeeded: (digits & 15) &* 10 &+ (digits >> 8 & 15))
  }

  private mutating func unusualSatellite(
    of constellation: SatelliteNumber.Constellation
  ) -> SatelliteSignal {
    guard !isAtEnd else { return .none }
    let number = short()
    skip(2)
    guard !isAtEnd else { return .none }
    let strength = short()
    guard let number, let strength else { return .none }
    return SatelliteSignal(SatelliteNumber(number, of: constellation), strength: strength)
  }

  /// A whole number of one to three digits, without what follows a point; nil when it is none.
  private mutating func short() -> Int? {
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

  static let absent = DecimalField(mantissa: 0, digits: -1)

  @inline(__always)
  var isPresent: Bool { digits >= 0 }

  /// Correctly rounded up to 15 significant digits, because both operands are exact.
  @inline(__always)
  var value: Double { Double(mantissa) / Double(Self.powers[digits]) }

  static let powers: [Int64] = {
    var powers: [Int64] = [1]
    for _ in 1...18 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()
}
