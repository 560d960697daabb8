import Foundation

/// The recordings and labelled traces, which are not part of the project and are read where they
/// are: in `$GODWIT_DATA`, or in `../shared/data` beside the package.
public enum RealData {
  public static let folder: String = {
    if let path = ProcessInfo.processInfo.environment["GODWIT_DATA"] { return path }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return package.appendingPathComponent("../shared/data").standardized.path
  }()

  public static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/" + name)
  }

  /// Why tests are skipped.
  public static func absence(of name: String) -> String {
    "SKIPPED: no \(name) in \(folder); set GODWIT_DATA to the folder that holds it"
  }
}
