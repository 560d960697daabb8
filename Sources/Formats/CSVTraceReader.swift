import Notation
import Quantities

/// Reads tables with a header line (RFC 4180 and its common variants): columns in any order, other
/// columns ignored, times in ISO 8601 or as seconds since 1970.
///
/// Lines without a position (empty latitude and longitude) are skipped; every other line that
/// cannot be read is skipped and counted. A table without a header is an error.
struct CSVTraceReader: Sendable {
  private var lines = LineSplitter(quotes: true)
  private var table = CSVTable()

  var losses: TraceLosses { table.losses }

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into samples: inout [TraceSample]
  ) throws(TraceError) {
    var table = self.table
    defer { self.table = table }
    try lines.feed(bytes) { (line, number) throws(TraceError) in
      try table.read(line, number, into: &samples)
    }
  }

  mutating func finish(into samples: inout [TraceSample]) throws(TraceError) {
    var table = self.table
    defer { self.table = table }
    try lines.finish { (line, number) throws(TraceError) in
      try table.read(line, number, into: &samples)
    }
    guard table.header != nil else {
      throw TraceError(line: 1, "the file is empty; a trace needs a header such as time,lat,lon")
    }
  }
}

/// What is known about a table so far.
private struct CSVTable {
  private(set) var header: CSVHeader?
  private(set) var losses = TraceLosses()

  /// Returns whether the line could be read.
  mutating func read(
    _ line: Result<UnsafeBufferPointer<UInt8>, TraceError>, _ number: Int,
    into samples: inout [TraceSample]
  ) throws(TraceError) -> Bool {
    guard let header else {
      let line = try line.get()
      if isRemark(line) { return true }
      header = try CSVHeader(line, at: number)
      return true
    }
    do throws(TraceError) {
      let line = try line.get()
      if isRemark(line) { return true }
      var row = CSVRow(line, number)
      if let sample = try row.sample(header) { samples.append(sample) }
      return true
    } catch {
      losses.pass(over: error)
      return false
    }
  }

  /// Comments and empty lines may occur anywhere.
  private func isRemark(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    line.first == nil || line.first == UInt8(ascii: "#")
  }
}

/// One line of a table.
private struct CSVRow {
  private let number: Int
  private var fields: CSVFields

  init(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
    fields = CSVFields(line)
    self.number = number
  }

  mutating func sample(_ header: CSVHeader) throws(TraceError) -> TraceSample? {
    var time: UTCInstant?
    var latitude: Double?
    var longitude: Double?
    var altitude: Metres?
    var accuracy: Metres?
    var speed: MetresPerSecond?
    for column in header.columns {
      let field = fields.next(header.separator)
      guard let column, !field.isEmpty else { continue }
      switch column {
      case .time: time = try moment(field)
      case .latitude: latitude = try value(field, "latitude")
      case .longitude: longitude = try value(field, "longitude")
      case .altitude: altitude = Metres(try value(field, "altitude"))
      // Phones write -1 for an unknown accuracy or speed.
      case .accuracy: accuracy = try positive(field, "accuracy").map(Metres.init)
      case .hdop:
        let hdop = try positive(field, "hdop")
        accuracy = accuracy ?? hdop.map { Metres($0 * TraceSample.metresPerHDOP) }
      case .speed: speed = try positive(field, "speed").map(MetresPerSecond.init)
      }
    }
    if latitude == nil, longitude == nil { return nil }
    guard let time else { throw error("the time is missing") }
    guard let latitude, let longitude else { throw error("the latitude or longitude is missing") }
    guard let position = Coordinate(checkedLatitude: latitude, longitude: longitude) else {
      throw error("\(latitude), \(longitude) is not a position: latitude ±90, longitude ±180")
    }
    return TraceSample(
      time: time, position: position, altitude: altitude, accuracy: accuracy, speed: speed)
  }

  private func moment(_ field: UnsafeBufferPointer<UInt8>) throws(TraceError) -> UTCInstant {
    guard let time = CSVFields.time(field) else {
      throw error(
        "\"\(CSVFields.text(field))\" is not a time; write 2026-05-01T12:34:56Z or seconds since "
          + "1970")
    }
    return time
  }

  private func value(
    _ field: UnsafeBufferPointer<UInt8>, _ name: String
  ) throws(TraceError) -> Double {
    guard let number = DecimalText.number(field) else {
      throw error("\"\(CSVFields.text(field))\" is not a number for the \(name)")
    }
    return number
  }

  private func positive(
    _ field: UnsafeBufferPointer<UInt8>, _ name: String
  ) throws(TraceError) -> Double? {
    let number = try value(field, name)
    return number >= 0 ? number : nil
  }

  private func error(_ reason: String) -> TraceError { TraceError(line: number, reason) }
}
