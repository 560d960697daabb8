import Records
import Formats
import Core

/// Reads the output of `godwit power record` and `power watch` (JSON, lines of JSON, CSV, tabs),
/// piece by piece and in bounded memory.
public struct RecordingReader {
  private enum Form {
    /// Before the first line.
    case unknown
    case json(isWhole: Bool)
    case table(RecordingColumns)
  }

  private let file: String
  private var form = Form.unknown
  private var lines = LineSplitter(quotes: false)
  private var details = RecordingDetails.unknown
  private var meter = RecordingMeter()
  private var unreadable = 0
  /// The line of the first row whose numbers have decimal commas; nil: none.
  private var commas: Int?
  /// The duration of a conversion, if a recording does not state it.
  private static let usualWindow: Seconds = 0.1
  /// Whether the end of a JSON recording was read.
  private var hasEnded = false

  private let events: RunEvents?

  /// - Parameters:
  ///   - events: the events of a daemon during the recording; nil: none were recorded.
  ///   - sink: called with every reading that counts.
  public init(
    file: String, events: RunEvents? = nil, sink: ((RecordedReading) -> Void)? = nil
  ) {
    self.file = file
    self.events = events
    meter.sink = sink
  }

  public mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordingError) {
    var found: [Line] = []
    try split { splitter throws(TraceError) in
      try splitter.feed(bytes) { content, number in
        found.append(Line(content, number))
        return true
      }
    }
    for line in found { try take(line) }
  }

  /// - Throws: when it is not a recording, or has no reading.
  public mutating func finish() throws(RecordingError) -> RecordedRun {
    var found: [Line] = []
    try split { splitter throws(TraceError) in
      try splitter.finish { content, number in
        found.append(Line(content, number))
        return true
      }
    }
    for line in found { try take(line) }
    if case .unknown = form {
      throw RecordingError(file, "it is empty; use a file of godwit power record")
    }
    meter.finish()
    guard meter.statistics.readings > 0 else {
      if let commas {
        throw RecordingError(
          file, "line \(commas): its numbers have decimal commas: \(Self.asWritten)")
      }
      let why = unreadable > 0 ? ": \(Counted.text(unreadable, "row")) could not be read" : ""
      throw RecordingError(file, "it contains no reading\(why)")
    }
    var isCutOff = false
    if case .json(isWhole: true) = form { isCutOff = !hasEnded }
    return RecordedRun(
      file: file, details: details, statistics: meter.statistics, curve: meter.curve,
      saturated: meter.saturated, disordered: meter.disordered,
      unreadable: unreadable, isCutOff: isCutOff,
      events: summary, allowsReverseCurrent: details.scope == "board")
  }

  /// The events from the first reading to the last.
  private var summary: RecordedRun.RunSummary? {
    guard let events, let (start, end) = meter.span else { return nil }
    return RecordedRun.RunSummary(
      states: meter.states?.meter.result ?? [], fixes: events.fixes(from: start, to: end),
      visits: events.visits(from: start, to: end), searches: events.searches(from: start, to: end),
      isWhole: events.isWhole)
  }

  // MARK: Lines

  private struct Line {
    /// Nil: the line is too long for a recording.
    let bytes: [UInt8]?
    let number: Int

    init(_ content: Result<UnsafeBufferPointer<UInt8>, TraceError>, _ number: Int) {
      bytes = (try? content.get()).map { Array($0) }
      self.number = number
    }
  }

  private mutating func split(
    _ body: (inout LineSplitter) throws(TraceError) -> Void
  ) throws(RecordingError) {
    do throws(TraceError) {
      try body(&lines)
    } catch {
      throw RecordingError(file, "\(error)")
    }
  }

  private mutating func take(_ line: Line) throws(RecordingError) {
    guard let bytes = line.bytes else { return unreadable += 1 }
    guard let first = bytes.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
    switch form {
    case .unknown: try begin(bytes, first, line.number)
    case .json: takeJSON(bytes)
    case .table(let columns): takeRow(bytes, columns, line.number)
    }
  }

  private mutating func begin(
    _ bytes: [UInt8], _ first: UInt8, _ number: Int
  ) throws(RecordingError) {
    if first == UInt8(ascii: "{") {
      let isWhole = bytes.starts(with: Array("{\"metadata\":".utf8))
      form = .json(isWhole: isWhole)
      guard isWhole else { return takeJSON(bytes) }
      let text = bytes.last == UInt8(ascii: ",") ? Array(bytes.dropLast()) : bytes
      guard let json = try? JSONValue(parsing: text + [UInt8(ascii: "}")]),
        let metadata = json["metadata"]
      else { throw notOurs(number) }
      details = RecordingDetails(metadata)
      meter.range = details.range
      if let events, let start = details.startOnBoard {
        let states = StateMeter(events.changes, window: details.window ?? Self.usualWindow)
        meter.states = (states, start)
      }
    } else if let columns = RecordingColumns(bytes) {
      form = .table(columns)
    } else if let cause = TraceFormat.causeOfNoText(bytes) {
      throw RecordingError(file, cause)
    } else if RecordingColumns(bytes.map { $0 == UInt8(ascii: ";") ? UInt8(ascii: ",") : $0 })
      != nil
    {
      throw RecordingError(
        file,
        "line \(number): semicolons separate its columns, as in a file saved by a spreadsheet: "
          + Self.asWritten)
    } else {
      throw notOurs(number)
    }
  }

  private static let asWritten =
    "save it with commas between the columns and points in the numbers, or use the original file "
    + "of godwit power record"

  private func notOurs(_ line: Int) -> RecordingError {
    RecordingError(
      file,
      "line \(line) is not the beginning of a recording: use the .json or .csv of godwit "
        + "power record, as it was written (a table needs the columns time_s, current_mA and "
        + "voltage_V)")
  }

  private mutating func takeJSON(_ line: [UInt8]) {
    var bytes = line[...]
    if bytes.starts(with: Array("\"samples\":".utf8)) { return }
    if bytes.first == UInt8(ascii: "]") { bytes = bytes.dropFirst(2) }
    if bytes.starts(with: Array("\"statistics\":".utf8)) { return end(Array(bytes)) }
    guard bytes.first == UInt8(ascii: "{") else { return }
    if bytes.last == UInt8(ascii: ",") { bytes = bytes.dropLast() }
    if bytes.last == UInt8(ascii: "]") { bytes = bytes.dropLast() }
    guard let json = try? JSONValue(parsing: Array(bytes)) else { return unreadable += 1 }
    if json["error"] != nil { return meter.fail() }
    guard let row = RecordingRow(json) else { return unreadable += 1 }
    meter.take(row)
  }

  /// Failed readings have no row: only the end gives their number.
  private mutating func end(_ line: [UInt8]) {
    hasEnded = true
    let json = try? JSONValue(parsing: Array("{".utf8) + line)
    if let failures = json?["statistics"]?["failed_readings"]?.integer { meter.fail(failures) }
  }

  private mutating func takeRow(_ line: [UInt8], _ columns: RecordingColumns, _ number: Int) {
    switch columns.row(line) {
    case .reading(let row): meter.take(row)
    case .failure: meter.fail()
    case .none:
      unreadable += 1
      if commas == nil, columns.hasDecimalCommas(line) { commas = number }
    }
  }
}

/// A file that is no recording.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String
  init(_ file: String, _ reason: String) {
    description = "\(TerminalText.line(file)): \(reason)"
  }
}
