import Formats

/// A trace read in pieces, as a file is, with what could not be read.
enum TraceRun {
  struct NoTrace: Error {}

  static func read(
    _ text: String, _ format: TraceFormat, pieces size: Int = 1 << 20
  ) throws -> ([TraceSample], TraceLosses) {
    try read(Array(text.utf8), format, pieces: size)
  }

  @discardableResult
  static func read(
    _ bytes: [UInt8], _ format: TraceFormat, pieces size: Int = 1 << 20
  ) throws -> ([TraceSample], TraceLosses) {
    var rows: [TraceRow] = []
    guard var reader = TraceReader(format) else { throw NoTrace() }
    try bytes.withUnsafeBufferPointer { bytes in
      for start in stride(from: 0, to: bytes.count, by: size) {
        let end = min(start + size, bytes.count)
        try reader.feed(UnsafeBufferPointer(rebasing: bytes[start..<end]), into: &rows)
      }
      try reader.finish(into: &rows)
    }
    return (rows.map(\.sample), reader.losses)
  }
}
