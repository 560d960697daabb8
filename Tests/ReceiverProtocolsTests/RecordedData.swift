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
  static let gpsdLogs: [String] = {
    guard isPresent, let rows = try? lines("gpsd-logs/INDEX.csv") else { return [] }
    return rows.map { String(decoding: $0, as: UTF8.self).split(separator: ",") }
      .filter { $0.count > 3 && ["NMEA", "UBX", "UBX+NMEA"].contains($0[3]) }
      .map { String($0[0]) }
      .filter { FileManager.default.fileExists(atPath: "\(folder)/gpsd-logs/\($0).chk") }
  }()
}
