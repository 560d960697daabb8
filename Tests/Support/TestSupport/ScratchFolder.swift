import Foundation

/// A separate folder for one test, removed when the test is over.
public final class ScratchFolder {
  public let path: String

  /// - Parameter inMemory: for thousands of files that need not be on a disk.
  public init(inMemory: Bool = false) throws {
    let memory = "/dev/shm/"
    let isThere = inMemory && access(memory, W_OK) == 0
    let folder = isThere ? memory : NSTemporaryDirectory()
    var template = Array((folder + "godwit-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
    path = String(cString: made)
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  public func file(_ name: String) -> String { path + "/" + name }

  /// Makes a file that everybody can read regardless of umask(2), and its parent folders.
  public func write(_ text: String, to name: String) throws {
    let file = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    chmod(file.path, 0o644)
  }

  /// Makes an executable script.
  /// - Parameter mode: octal, as for chmod.
  public func writeScript(_ text: String, to name: String, mode: String = "755") throws {
    try write(text, to: name + ".text")
    try copyProgram(file(name + ".text"), to: name, mode: mode)
  }

  /// Copies an executable program or script. Another program writes the copy: while this process
  /// had it open for writing, any program that another test starts at that moment would inherit the
  /// descriptor, and the copy could not be run (ETXTBSY, execve(2)).
  /// - Parameter mode: octal, as for chmod.
  public func copyProgram(_ source: String, to name: String, mode: String = "755") throws {
    struct NotInstalled: Error { let output: String }
    let install = try run("install", "-m", mode, source, file(name))
    guard install.status == 0 else { throw NotInstalled(output: install.output) }
  }

  public func text(_ name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }

  /// The names of its contents, sorted.
  public var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
