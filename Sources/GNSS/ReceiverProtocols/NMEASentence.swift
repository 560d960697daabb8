/// A verified sentence with its address decoded: `GPGGA` is talker GP and formatter GGA.
struct NMEASentence {
  /// In m/s.
  static let knot = 1852.0 / 3600

  /// Two letters, the first in the high byte; 0 for a proprietary sentence.
  let talker: UInt16
  let formatter: Formatter
  /// Starts with the first field.
  let fields: UnsafeBufferPointer<UInt8>

  /// Nil if NMEA 0183 does not allow the address.
  @inline(__always)
  init?(_ body: UnsafeBufferPointer<UInt8>) {
    guard body.count >= 6, body[5] == UInt8(ascii: ",") else { return nil }
    let code = UInt32(body[2]) << 16 | UInt32(body[3]) << 8 | UInt32(body[4])
    talker = UInt16(body[0]) << 8 | UInt16(body[1])
    formatter = Formatter(code: code)
    fields = UnsafeBufferPointer(
      start: body.baseAddress.unsafelyUnwrapped + 6, count: body.count - 6)
  }

  /// The three letters as a number, so that a decoder is selected by integer comparison.
  struct Formatter: Equatable {
    let code: UInt32

    @inline(__always)
    init(code: UInt32) { self.code = code }

    @inline(__always)
    init(_ letters: StaticString) {
      let bytes = letters.utf8Start
      code = UInt32(bytes[0]) << 16 | UInt32(bytes[1]) << 8 | UInt32(bytes[2])
    }

    static let gga = Formatter("GGA")
    static let rmc = Formatter("RMC")
    static let gll = Formatter("GLL")
    static let gns = Formatter("GNS")
    static let gsa = Formatter("GSA")
    static let gst = Formatter("GST")
    static let gsv = Formatter("GSV")
    static let txt = Formatter("TXT")
    static let vtg = Formatter("VTG")
    static let zda = Formatter("ZDA")
  }

  /// `$PUBX,00,...`: proprietary addresses have a manufacturer instead of a talker.
  static func pubx(_ body: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    let address: StaticString = "PUBX,00,"
    let count = address.utf8CodeUnitCount
    guard body.count > count else { return nil }
    for index in 0..<count where body[index] != address.utf8Start[index] { return nil }
    return UnsafeBufferPointer(rebasing: body[count...])
  }
}

/// The talker as two letters: the constellation for a single-system receiver, GN for a mixed one.
enum NMEATalker {
  static let gp: UInt16 = 0x4750
  static let gl: UInt16 = 0x474c
  static let ga: UInt16 = 0x4741
  static let gb: UInt16 = 0x4742
  static let bd: UInt16 = 0x4244
  static let gq: UInt16 = 0x4751
  static let qz: UInt16 = 0x515a
  static let gi: UInt16 = 0x4749
}

/// `*hh` at a sentence's end: the exclusive or of everything between `$` (or `!`) and `*` (NMEA
/// 0183, sections 5.2.2 and 5.3).
enum NMEAChecksum {
  /// The sentence between its start and `*`, if the line ends in a valid checksum. `xor` is the
  /// exclusive or of all bytes of the line.
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

  /// The sentence up to the first `*`, if the two digits there are valid.
  static func firstBody(
    from start: UnsafePointer<UInt8>, to limit: UnsafePointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>? {
    let (position, xor) = ByteSearch.first(UInt8(ascii: "*"), from: start + 1, limit: limit)
    guard limit - position >= 3, position - start > 1, value(position[1], position[2]) == xor
    else { return nil }
    return .init(start: start + 1, count: position - (start + 1))
  }

  /// Whether the line contains a checksum anywhere, valid or not.
  static func isPresent(
    from start: UnsafePointer<UInt8>, to lineEnd: UnsafePointer<UInt8>
  ) -> Bool {
    UnsafeBufferPointer(start: start, count: lineEnd - start).contains(UInt8(ascii: "*"))
  }

  /// Whether the line may be a sentence: `$`, two capitals, and then only printable characters and
  /// padding.
  static func isText(
    from start: UnsafePointer<UInt8>, to lineEnd: UnsafePointer<UInt8>
  ) -> Bool {
    let line = UnsafeBufferPointer(start: start, count: lineEnd - start)
    return line.count > 2 && line[1...2].allSatisfy { (0x41...0x5a).contains($0) }
      && line.allSatisfy { (0x20...0x7e).contains($0) || isPadding($0) }
  }

  /// The end of the line without carriage returns, blanks and NUL bytes.
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

  /// 0...15, or 255 if it is no digit.
  @inline(__always)
  private static func hexDigit(_ byte: UInt8) -> UInt8 {
    let digit = byte &- UInt8(ascii: "0")
    if digit <= 9 { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter <= 5 ? letter &+ 10 : 255
  }
}
