import Notation
import Quantities

/// Reads tables with a header line (RFC 4180, and what people make of it): columns in any order,
/// other columns ignored, times in ISO 8601 or as seconds since 1970.
///
/// Lines without a place (empty latitude and longitude) are recordings of nothing and are skipped;
/// everything else that cannot be read is an error with its line.
struct CSVTraceReader: Sendable {
  private var lines = LineSplitter(quotes: true)
  private var header: CSVHeader?

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into samples: inout [TraceSample]
  ) throws(TraceError) {
    var header = self.header
    defer { self.header = header }
    try lines.feed(bytes) { (line, number) throws(TraceError) in
      try Self.read(line, number, &header, into: &samples)
    }
  }

  mutating func finish(into samples: inout [TraceSample]) throws(TraceError) {
    var header = self.header
    try lines.finish { (line, number) throws(TraceError) in
      try Self.read(line, number, &header, into: &samples)
    }
    guard header != nil else {
      throw TraceError(line: 1, "the file is empty; a trace needs a header such as time,lat,lon")
    }
  }

  private static func read(
    _ line: UnsafeBufferPointer<UInt8>, _ number: Int, _ header: inout CSVHeader?,
    into samples: inout [TraceSample]
  ) throws(TraceError) {
    // Comments and empty lines may stand anywhere.
    guard let first = line.first, first != UInt8(ascii: "#") else { return }
    guard let known = header else {
      header = try CSVHeader(line, at: number)
      return
    }
    var row = CSVRow(line, number)
    if let sample = try row.sample(known) { samples.append(sample) }
  }
}

/// One line of a table.
private struct CSVRow {
  let line: UnsafeBufferPointer<UInt8>
  let number: Int
  private var index = 0

  init(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
    self.line = line
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
      let field = nextField(header.separator)
      guard let column, !field.isEmpty else { continue }
      switch column {
      case .time: time = try moment(field)
      case .latitude: latitude = try value(field, "latitude")
      case .longitude: longitude = try value(field, "longitude")
      case .altitude: altitude = Metres(try value(field, "altitude"))
      // Phones write -1 for an accuracy or a speed that they do not know.
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
    guard let place = Coordinate(checkedLatitude: latitude, longitude: longitude) else {
      throw error("\(latitude), \(longitude) is no place: latitude ±90, longitude ±180")
    }
    return TraceSample(
      time: time, place: place, altitude: altitude, accuracy: accuracy, speed: speed)
  }

  /// The bytes up to the next separator, without spaces and quotes around them.
  private mutating func nextField(_ separator: UInt8) -> UnsafeBufferPointer<UInt8> {
    guard index < line.count else { return UnsafeBufferPointer(rebasing: line[line.count...]) }
    var start = index
    if line[index] == UInt8(ascii: "\"") {
      start = index + 1
      index = start
      while index < line.count, line[index] != UInt8(ascii: "\"") { index += 1 }
    }
    let quoteEnd = index
    while index < line.count, line[index] != separator { index += 1 }
    var end = start > 0 && line[start - 1] == UInt8(ascii: "\"") ? quoteEnd : index
    index += 1
    while start < end, line[start] == 0x20 { start += 1 }
    while end > start, line[end - 1] == 0x20 { end -= 1 }
    return UnsafeBufferPointer(rebasing: line[start..<end])
  }

  private func moment(_ field: UnsafeBufferPointer<UInt8>) throws(TraceError) -> UTCInstant {
    let isISO = field.count > 4 && field[4] == UInt8(ascii: "-")
    guard let time = isISO ? ISO8601.parse(field) : DecimalText.unixTime(field) else {
      throw error(
        "\"\(text(field))\" is no time; write 2026-05-01T12:34:56Z or seconds since 1970")
    }
    return time
  }

  private func value(
    _ field: UnsafeBufferPointer<UInt8>, _ name: String
  ) throws(TraceError) -> Double {
    guard let number = DecimalText.number(field) else {
      throw error("\"\(text(field))\" is no number for the \(name)")
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

  /// At most 40 bytes of it, for a message.
  private func text(_ field: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: field.prefix(40), as: UTF8.self)
  }
}
