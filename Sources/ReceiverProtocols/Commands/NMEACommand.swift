/// Sentences for receivers that are commanded in NMEA's form.
enum NMEACommand {
  /// The body with `$`, checksum and line end: NMEA 0183, section 5.3.
  static func sealed(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "$")] + Array(body.utf8)
      + [UInt8(ascii: "*"), digits[Int(sum >> 4)], digits[Int(sum & 15)], 0x0d, 0x0a]
  }
}
