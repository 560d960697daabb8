/// A verified sentence, taken apart as far as its address: `GPGGA` is talker GP and formatter GGA.
struct NMEASentence {
  /// In m/s.
  static let knot = 1852.0 / 3600

  /// Two letters, the first in the high byte; 0 for a proprietary sentence.
  let talker: UInt16
  let formatter: Formatter
  /// Starts with the first field.
  let fields: UnsafeBufferPointer<UInt8>

  /// Nil when the address is not one that NMEA 0183 allows.
  @inline(__always)
  init?(_ body: UnsafeBufferPointer<UInt8>) {
    guard body.count >= 6, body[5] == UInt8(ascii: ",") else { return nil }
    let code = UInt32(body[2]) << 16 | UInt32(body[3]) << 8 | UInt32(body[4])
    talker = UInt16(body[0]) << 8 | UInt16(body[1])
    formatter = Formatter(code: code)
    fields = UnsafeBufferPointer(
      start: body.baseAddress.unsafelyUnwrapped + 6, count: body.count - 6)
  }

  /// The three letters as a number, so that choosing a decoder is one comparison of integers.
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

  /// `$PUBX,00,...`: proprietary addresses have a maker instead of a talker.
  static func pubx(_ body: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    let address: StaticString = "PUBX,00,"
    let count = address.utf8CodeUnitCount
    guard body.count > count else { return nil }
    for index in 0..<count where body[index] != address.utf8Start[index] { return nil }
    return UnsafeBufferPointer(rebasing: body[count...])
  }
}

/// Who speaks, as two letters: the constellation for a single-system receiver, GN for a mixed one.
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
