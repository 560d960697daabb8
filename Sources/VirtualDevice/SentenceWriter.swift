/// Writes NMEA 0183 sentences one by one into a reused buffer: `$`, fields, `*`, the XOR of
/// everything between, carriage return, line feed.
///
/// A simulated year with the receiver always on has 31 million epochs of some 65 fields each. So a
/// sentence is written into plain memory, digit by digit, and copied to the output once it is
/// complete.
final class SentenceWriter {
  var bytes: [UInt8] = []
  private let line = UnsafeMutablePointer<UInt8>.allocate(capacity: SentenceWriter.maxLength)
  private var length = 0

  /// NMEA 0183 allows 82 characters; every sentence here is far shorter than this.
  private static let maxLength = 160

  deinit { line.deallocate() }

  func begin(_ address: StaticString) {
    length = 0
    put(UInt8(ascii: "$"))
    append(address)
  }

  func end() {
    var sum: UInt8 = 0
    for index in 1..<length { sum ^= line[index] }
    put(UInt8(ascii: "*"))
    put(Self.hexDigit(sum >> 4))
    put(Self.hexDigit(sum & 15))
    put(13)
    put(10)
    bytes.append(contentsOf: UnsafeBufferPointer(start: line, count: length))
  }

  func empty(_ fields: Int = 1) {
    for _ in 0..<fields { put(UInt8(ascii: ",")) }
  }

  func text(_ text: StaticString) {
    put(UInt8(ascii: ","))
    append(text)
  }

  /// An integer, not negative.
  func number(_ number: Int, digits: Int = 1) {
    put(UInt8(ascii: ","))
    append(number, digits: digits)
  }

  /// - Parameter digits: after the point, 1 to 3.
  func decimal(_ value: Double, digits: Int) {
    let scale = digits == 1 ? 10 : digits == 2 ? 100 : 1000
    let scaled = Int(value.magnitude * Double(scale) + 0.5)
    put(UInt8(ascii: ","))
    if value < 0, scaled > 0 { put(UInt8(ascii: "-")) }
    append(scaled / scale, digits: 1)
    put(UInt8(ascii: "."))
    append(scaled % scale, digits: digits)
  }

  /// `hhmmss`, `ddmmyy` and the like: the parts of one field, without a separator.
  func pairs(_ a: Int, _ b: Int, _ c: Int) {
    put(UInt8(ascii: ","))
    append(a, digits: 2)
    append(b, digits: 2)
    append(c, digits: 2)
  }

  func hundredths(_ value: Int) {
    put(UInt8(ascii: "."))
    append(value, digits: 2)
  }

  /// Degrees as `ddmm.mmmmm` or `dddmm.mmmmm` with the letter of the hemisphere.
  func angle(
    _ degrees: Double, degreeDigits: Int, positive: StaticString, negative: StaticString
  ) {
    let units = Int(degrees.magnitude * 6_000_000 + 0.5)
    let (minutes, fraction) = (units % 6_000_000).quotientAndRemainder(dividingBy: 100_000)
    put(UInt8(ascii: ","))
    append(units / 6_000_000, digits: degreeDigits)
    append(minutes, digits: 2)
    put(UInt8(ascii: "."))
    append(fraction, digits: 5)
    text(degrees < 0 ? negative : positive)
  }

  private func put(_ byte: UInt8) {
    precondition(length < Self.maxLength, "an NMEA sentence of ours outgrew its buffer")
    line[length] = byte
    length += 1
  }

  private func append(_ text: StaticString) {
    let start = text.utf8Start
    for index in 0..<text.utf8CodeUnitCount { put(start[index]) }
  }

  private func append(_ number: Int, digits: Int) {
    var width = digits
    var ceiling = 1
    for _ in 0..<digits { ceiling *= 10 }
    while number >= ceiling {
      ceiling *= 10
      width += 1
    }
    precondition(length + width <= Self.maxLength, "an NMEA sentence of ours outgrew its buffer")
    var rest = UInt32(truncatingIfNeeded: number)
    for index in stride(from: length + width - 1, through: length, by: -1) {
      line[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    length += width
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
