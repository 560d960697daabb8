import Notation

/// Puts one NMEA 0183 sentence after the other into a reused buffer: `$`, fields, `*`, the XOR of
/// everything between, carriage return, line feed.
struct SentenceWriter {
  var bytes: [UInt8] = []
  private var sentenceStart = 0

  mutating func begin(_ address: StaticString) {
    bytes.append(UInt8(ascii: "$"))
    sentenceStart = bytes.count
    append(address)
  }

  mutating func end() {
    var sum: UInt8 = 0
    for index in sentenceStart..<bytes.count { sum ^= bytes[index] }
    bytes.append(UInt8(ascii: "*"))
    bytes.append(Self.hexDigit(sum >> 4))
    bytes.append(Self.hexDigit(sum & 15))
    bytes.append(13)
    bytes.append(10)
  }

  mutating func empty(_ fields: Int = 1) {
    for _ in 0..<fields { bytes.append(UInt8(ascii: ",")) }
  }

  mutating func text(_ text: StaticString) {
    bytes.append(UInt8(ascii: ","))
    append(text)
  }

  mutating func number(_ number: Int, digits: Int = 1) {
    bytes.append(UInt8(ascii: ","))
    FixedDecimal.append(Int64(number), minimumDigits: digits, to: &bytes)
  }

  mutating func decimal(_ value: Double, digits: Int) {
    bytes.append(UInt8(ascii: ","))
    FixedDecimal.append(value, digits: digits, to: &bytes)
  }

  /// `hhmmss.ss`, `ddmmyy` and the like: the parts of one field stand next to each other.
  mutating func pairs(_ a: Int, _ b: Int, _ c: Int) {
    bytes.append(UInt8(ascii: ","))
    pair(a)
    pair(b)
    pair(c)
  }

  mutating func hundredths(_ value: Int) {
    bytes.append(UInt8(ascii: "."))
    pair(value)
  }

  /// Degrees as `ddmm.mmmmm` or `dddmm.mmmmm` with the letter of the hemisphere.
  mutating func angle(
    _ degrees: Double, degreeDigits: Int, positive: StaticString, negative: StaticString
  ) {
    let units = Int64((degrees.magnitude * 6_000_000).rounded())
    let (minutes, fraction) = (units % 6_000_000).quotientAndRemainder(dividingBy: 100_000)
    bytes.append(UInt8(ascii: ","))
    FixedDecimal.append(units / 6_000_000, minimumDigits: degreeDigits, to: &bytes)
    pair(Int(minutes))
    bytes.append(UInt8(ascii: "."))
    FixedDecimal.append(fraction, minimumDigits: 5, to: &bytes)
    text(degrees < 0 ? negative : positive)
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func pair(_ value: Int) {
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10 % 10))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
