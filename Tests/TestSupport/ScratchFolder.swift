import Foundation

/// A folder of its own for one test, gone when the test is over.
public final class ScratchFolder {
  public let path: String

  public init() throws {
    var template = Array((NSTemporaryDirectory() + "godwit-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
    path = String(cString: made)
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  public func file(_ name: String) -> String { path + "/" + name }

  /// Makes a file, and the folders on its way.
  public func write(_ text: String, to name: String) throws {
    let file = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  public func text(_ name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }

  /// The names of what lies in it, sorted.
  public var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
