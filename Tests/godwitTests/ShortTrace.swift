import Foundation
import TestSupport

/// Two hours with a position every 10 s: a stay, half an hour's ride to the north, a stay.
enum ShortTrace {
  private static let start = 1_777_881_600  // 2026-05-04T08:00:00Z

  static func write(to name: String, in folder: ScratchFolder) throws {
    var rows = ["time,lat,lon,hacc"]
    for second in stride(from: 0, to: 7200, by: 10) {
      let way = Double(min(max(second - 2700, 0), 1800)) / 1800
      rows.append("\(start + second),\(52 + 0.1 * way),6,5")
    }
    try folder.write(rows.joined(separator: "\n") + "\n", to: name)
  }

  /// The stays in the format of a diary.
  static func stays(of trace: String) -> String {
    "\(trace),\(start),\(start + 2700),1\n\(trace),\(start + 4500),\(start + 7200),1\n"
  }
}
