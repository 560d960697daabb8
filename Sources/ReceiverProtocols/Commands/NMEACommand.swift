import Notation
import Quantities

/// Sentences for receivers that are commanded in NMEA's form.
enum NMEACommand {
  /// The body with `$`, checksum and line end: NMEA 0183, section 5.3.
  static func sealed(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "$")] + Array(body.utf8)
      + [UInt8(ascii: "*"), digits[Int(sum >> 4)], digits[Int(sum & 15)], 0x0d, 0x0a]
  }

  /// "2026,05,01,12,00,03": MTK's and Airoha's way to write a date and a time.
  static func fields(_ instant: UTCInstant) -> String {
    let time = CivilTime(instant)
    let rest = [time.month, time.day, time.hour, time.minute, time.second].map {
      $0 < 10 ? "0\($0)" : "\($0)"
    }
    return "\(time.year)," + rest.joined(separator: ",")
  }

  /// "52.071667,5.120000": degrees, negative in the south and the west.
  static func fields(_ position: Coordinate) -> String {
    FixedDecimal.text(position.latitude.value, digits: 6) + ","
      + FixedDecimal.text(position.longitude.value, digits: 6)
  }
}
