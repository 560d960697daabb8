import Foundation
import RealData
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

  /// gpsd's logs of receivers that speak NMEA or UBX and that have gpsd's own answer beside them.
  static let gpsdLogs = logs(of: ["NMEA", "UBX", "UBX+NMEA", "AIS"])

  /// gpsd's logs of receivers whose language we do not know.
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
