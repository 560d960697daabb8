/// `*hh` at a sentence's end: the exclusive or of everything between `$` (or `!`) and `*`, as
/// NMEA 0183 has it in sections 5.2.2 and 5.3.
enum NMEAChecksum {
  /// The sentence between its start and `*`, if the line ends in a checksum that is right.
  /// `xor` is the exclusive or of all of the line's bytes.
  @inline(__always)
  static func body(
    from start: UnsafePointer<UInt8>, to lineEnd: UnsafePointer<UInt8>, xor: UInt8
  ) -> UnsafeBufferPointer<UInt8>? {
    var end = lineEnd
    var xor = xor ^ start.pointee
    while end - start > 4, isPadding((end - 1).pointee) {
      end -= 1
      xor ^= end.pointee
    }
    guard end - start > 4, (end - 3).pointee == UInt8(ascii: "*") else { return nil }
    let high = (end - 2).pointee
    let low = (end - 1).pointee
    xor ^= UInt8(ascii: "*") ^ high ^ low
    guard let stated = value(high, low), stated == xor else { return nil }
    return .init(start: start + 1, count: end - start - 4)
  }

  /// The sentence up to the first `*`, if the two digits there are right.
  static func firstBody(
    from start: UnsafePointer<UInt8>, to limit: UnsafePointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>? {
    var xor: UInt8 = 0
    var position = start + 1
    while position < limit, position.pointee != UInt8(ascii: "*") {
      xor ^= position.pointee
      position += 1
    }
    guard limit - position >= 3, position - start > 1, value(position[1], position[2]) == xor
    else { return nil }
    return .init(start: start + 1, count: position - (start + 1))
  }

  /// Whether the line states a checksum anywhere, right or wrong.
  static func isPresent(
    from start: UnsafePointer<UInt8>, to lineEnd: UnsafePointer<UInt8>
  ) -> Bool {
    UnsafeBufferPointer(start: start, count: lineEnd - start).contains(UInt8(ascii: "*"))
  }

  /// Whether the line is a sentence to look at: `$`, two capitals, and then only printable
  /// characters and padding.
  static func isText(
    from start: UnsafePointer<UInt8>, to lineEnd: UnsafePointer<UInt8>
  ) -> Bool {
    let line = UnsafeBufferPointer(start: start, count: lineEnd - start)
    return line.count > 2 && line[1...2].allSatisfy { (0x41...0x5a).contains($0) }
      && line.allSatisfy { (0x20...0x7e).contains($0) || isPadding($0) }
  }

  /// The line's end without carriage returns, blanks and NUL bytes.
  static func trimmed(
    from start: UnsafePointer<UInt8>, to lineEnd: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var end = lineEnd
    while end - start > 1, isPadding((end - 1).pointee) { end -= 1 }
    return end
  }

  @inline(__always)
  private static func isPadding(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\r") || byte == UInt8(ascii: " ") || byte == 0
  }

  @inline(__always)
  private static func value(_ high: UInt8, _ low: UInt8) -> UInt8? {
    let high = hexDigit(high)
    let low = hexDigit(low)
    return (high | low) <= 15 ? high << 4 | low : nil
  }

  /// 0...15, or 255 for what is no digit.
  @inline(__always)
  private static func hexDigit(_ byte: UInt8) -> UInt8 {
    let digit = byte &- UInt8(ascii: "0")
    if digit <= 9 { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter <= 5 ? letter &+ 10 : 255
  }
}
