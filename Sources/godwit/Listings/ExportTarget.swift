import ArgumentParser
import Glibc

/// The destination of an export.
struct ExportTarget: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Output file, replaced once everything is written. Default: standard output.",
      valueName: "file"), completion: .file())
  var output: String?

  /// - Parameters:
  ///   - store: the exported store, which must not be overwritten.
  ///   - body: writes through the given sink.
  func write(
    _ store: StoreOptions, _ body: (_ sink: ([UInt8]) throws(FileFailure) -> Void) throws -> Void
  ) throws {
    guard let output, output != "-" else {
      return try body { (bytes) throws(FileFailure) in
        try OutputBytes.write(bytes, to: STDOUT_FILENO, name: "standard output")
      }
    }
    try store.protected().refuse(output, namedBy: "--output")
    let file = try AtomicFile(path: output)
    try body { (bytes) throws(FileFailure) in try file.write(bytes) }
    try file.commit()
  }
}
