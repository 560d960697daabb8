import Core

/// Reads tables with a header line (RFC 4180 and its common variants): columns in any order, other
/// columns ignored, times in ISO 8601 or as seconds since 1970, in one column or two. If the
/// separator is not a comma, decimals may have one.
///
/// Lines without a position (empty latitude and longitude) are skipped; every other line without a
/// readable time and position is skipped and counted. An unreadable height, accuracy or speed is
/// dropped alone. A table without a header is an error.
struct CSVTraceReader: Sendable {
  private var lines = LineSplitter(quotes: true)
  private var table = CSVTable()

  var losses: TraceLosses { table.losses }
  var individuals: TraceIndividuals? { table.individuals }

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into rows: inout [TraceRow]
  ) throws(TraceError) {
    var table = self.table
    defer { self.table = table }
    try lines.feed(bytes) { (line, number) throws(TraceError) in
      try table.read(line, number, into: &rows)
    }
  }

  mutating func finish(into rows: inout [TraceRow]) throws(TraceError) {
    var table = self.table
    defer { self.table = table }
    try lines.finish { (line, number) throws(TraceError) in
      try table.read(line, number, into: &rows)
    }
    guard table.header != nil else {
      throw TraceError(line: 1, "the file is empty; a trace needs a header such as time,lat,lon")
    }
  }
}

/// The state of reading a table.
private struct CSVTable {
  private(set) var header: CSVHeader?
  private(set) var losses = TraceLosses()
  private(set) var individuals: TraceIndividuals?
  /// Whether a time of day without colons was seen with hours, minutes and seconds.
  private var hasSeconds = false

  /// Returns whether the line was readable.
  mutating func read(
    _ line: Result<UnsafeBufferPointer<UInt8>, TraceError>, _ number: Int,
    into rows: inout [TraceRow]
  ) throws(TraceError) -> Bool {
    guard let header else {
      let line = try line.get()
      if isRemark(line) || CSVHeader.namesSeparator(line) { return true }
      header = try CSVHeader(line, at: number)
      return true
    }
    do throws(TraceError) {
      let line = try line.get()
      if isRemark(line) { return true }
      var row = CSVRow(line, number, hasSeconds: hasSeconds)
      guard let sample = try row.sample(header) else { return true }
      hasSeconds = row.hasSeconds
      if row.isMarkedInvalid {
        losses.skipMarkedInvalid(at: number)
        return true
      }
      if let fault = row.valueFault { losses.leaveOut(value: fault) }
      if !header.isUTC { losses.note(namesZone: row.namesZone, at: number) }
      rows.append(TraceRow(sample, line: number, individual: individual(row.individual, header)))
      return true
    } catch {
      // A header in the middle: several files were joined.
      if let line = try? line.get(), CSVHeader.isLikely(line),
        let next = try? CSVHeader(line, at: number)
      {
        self.header = next
        return true
      }
      losses.skip(over: error)
      return false
    }
  }

  private mutating func individual(
    _ name: UnsafeBufferPointer<UInt8>?, _ header: CSVHeader
  ) -> UInt16 {
    var known = individuals ?? TraceIndividuals(header.individuals)
    individuals = nil
    defer { individuals = known }
    known.note(header.individuals)
    guard let name else { return known.index(of: []) }
    guard name.contains(UInt8(ascii: "\"")) else { return known.index(of: name) }
    return known.index(of: CSVFields.content(name))
  }

  /// Comments and empty lines may occur anywhere.
  private func isRemark(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    line.first == nil || line.first == UInt8(ascii: "#")
  }
}
