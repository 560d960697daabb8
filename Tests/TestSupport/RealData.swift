import Foundation
import Testing

/// The recordings that benchmarks and results tables use, read where they lie.
public enum RealData {
  public static let folder: String = {
    if let path = ProcessInfo.processInfo.environment["GODWIT_DATA"] { return path }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return root.appendingPathComponent("../shared/data").standardized.path
  }()

  public static let isThere = FileManager.default.fileExists(atPath: folder + "/trajectories")
  public static let absence: Comment =
    "SKIPPED: no real data; set GODWIT_DATA to the folder that holds trajectories/"
}
