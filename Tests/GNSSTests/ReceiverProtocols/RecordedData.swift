import Foundation
import Core
import RealData
import GNSS
import Testing

/// The recordings of real receivers.
enum RecordedData {
  static let isPresent = RealData.has("gpsd-logs/INDEX.csv")
  static let absence = Comment(rawValue: RealData.absence(of: "gpsd-logs"))

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: RealData.folder + "/" + path)))
  }

  static func lines(_ path: String) throws -> [[UInt8]] {
    try bytes(path).split(separator: UInt8(ascii: "\n")).map(Array.init)
  }

  /// gpsd's logs of NMEA and UBX receivers that include gpsd's own output.
  static let gpsdLogs = logs(of: ["NMEA", "UBX", "UBX+NMEA", "AIS"])

  /// gpsd's logs of receivers with an unknown protocol.
  static let foreignLogs = logs(of: ["SiRF", "other-binary"])

  private static func logs(of kinds: Set<Substring>) -> [String] {
    guard isPresent, let rows = try? lines("gpsd-logs/INDEX.csv") else { return [] }
    var names: [String] = []
    for row in rows {
      let fields = String(decoding: row, as: UTF8.self).split(separator: ",")
      guard fields.count > 3, kinds.contains(fields[3]) else { continue }
      if RealData.has("gpsd-logs/\(fields[0]).chk") { names.append(String(fields[0])) }
    }
    return names
  }
}

/// Recorded receiver output, byte for byte. The binary frames are from real receivers: NEO-M9N and
/// ZED-F9P from recordings of pygpsdata, and an M8 and an M10 of unknown type.
enum Transcript {
  static func answers(_ bytes: [UInt8]) -> [ReceiverAnswer] {
    var decoder = ReceiverDecoder()
    decoder.feed(bytes, at: .zero) { _ in }
    decoder.finish(at: .zero) { _ in }
    return decoder.drainAnswers()
  }

  static func answers(_ lines: String...) -> [ReceiverAnswer] {
    answers(Array(lines.map { $0 + "\r\n" }.joined().utf8))
  }

  static func identity(_ answers: [ReceiverAnswer]) -> ReceiverIdentity {
    var identity = ReceiverIdentity()
    for answer in answers { identity.learn(answer) }
    return identity
  }

  /// UBX-MON-VER with zero-padded fields, as receivers send them.
  static func version(_ software: String, _ hardware: String, _ extensions: String...) -> [UInt8] {
    let field = { (text: String, length: Int) in
      Array(text.utf8) + [UInt8](repeating: 0, count: length - text.utf8.count)
    }
    return UBX.frame(
      0x0a, 0x04,
      field(software, 30) + field(hardware, 10) + extensions.flatMap { field($0, 30) })
  }

  static let neoM9N = version(
    "EXT CORE 4.04 (7f89f7)", "00190000", "ROM BASE 0x118B2060", "FWVER=SPG 4.04",
    "PROTVER=32.01", "MOD=NEO-M9N", "GPS;GLO;GAL;BDS", "SBAS;QZSS")
  static let zedF9P = version(
    "EXT CORE 1.00 (f17067)", "00190000", "ROM BASE 0x118B2060", "FWVER=HPG 1.50",
    "PROTVER=27.50", "MOD=ZED-F9P", "GPS;GLO;GAL;BDS", "SBAS;QZSS")
  static let m8 = version(
    "ROM CORE 3.01 (107888)", "00080000", "FWVER=SPG 3.01", "PROTVER=18.00", "GPS;GLO;GAL;BDS",
    "SBAS;IMES;QZSS")
  static let m10 = version(
    "ROM SPG 5.10 (7b202e)", "000A0000", "FWVER=SPG 5.10", "PROTVER=34.10", "GPS;GLO;GAL;BDS",
    "SBAS;QZSS")
  static let g7 = version("1.00 (59842)", "00070000", "PROTVER 14.00", "GPS;SBAS;GLO;QZSS")
  static let neo6 = version("7.03 (45969)", "00040007")
}
