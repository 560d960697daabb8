import Formats

/// A trace read in pieces like a file, with its unreadable parts.
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

  /// A trace after inspection and ordering.
  struct Ordered {
    /// Nil: it is long and must be read again.
    let samples: [TraceSample]?
    let findings: TraceFindings
    /// The report on it, one sentence per line.
    let sentences: String
    var positions: Int { samples?.count ?? 0 }
  }

  static func order(
    _ text: String, _ format: TraceFormat = .csv, individual: String? = nil,
    mostKept: Int = TraceOrdering.mostSorted
  ) throws -> Ordered {
    guard var reader = TraceReader(format) else { throw NoTrace() }
    var rows: [TraceRow] = []
    try Array(text.utf8).withUnsafeBufferPointer { try reader.feed($0, into: &rows) }
    try reader.finish(into: &rows)
    var ordering = TraceOrdering(individual: individual, mostKept: mostKept)
    ordering.take(rows, of: reader.individuals)
    let kept = try ordering.finish(reader.losses, of: reader.individuals)
    return Ordered(
      samples: kept?.map(\.sample), findings: ordering.findings,
      sentences: ordering.findings.sentences(reader.losses).joined(separator: "\n"))
  }
}
