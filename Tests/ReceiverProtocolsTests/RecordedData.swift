import Foundation
import Testing

/// The recordings of real receivers, which are not part of the project: `$GODWIT_DATA`, or
/// `../shared/data` beside the package.
enum RecordedData {
  static let folder: String = {
    if let set = ProcessInfo.processInfo.environment["GODWIT_DATA"] { return set }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/data").path
  }()

  static let isPresent = FileManager.default.fileExists(atPath: folder + "/gpsd-logs/INDEX.csv")

  static let absence: Comment =
    "SKIPPED: no recordings found; set GODWIT_DATA to the folder that holds gpsd-logs"

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path)))
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
      let answer = "\(folder)/gpsd-logs/\(fields[0]).chk"
      if FileManager.default.fileExists(atPath: answer) { names.append(String(fields[0])) }
    }
    return names
  }
}
