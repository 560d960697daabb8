import Notation
import Quantities

/// Reads tables with a header line (RFC 4180 and its common variants): columns in any order, other
/// columns ignored, times in ISO 8601 or as seconds since 1970, in one column or two. Where no
/// comma separates the columns, decimals may have one.
///
/// Lines without a position (empty latitude and longitude) are skipped; every other line without a
/// time and a position that can be read is skipped and counted. A height, an accuracy or a speed
/// that cannot be read costs only itself. A table without a header is an error.
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

/// What is known about a table so far.
private struct CSVTable {
  private(set) var header: CSVHeader?
  private(set) var losses = TraceLosses()
  private(set) var individuals: TraceIndividuals?

  /// Returns whether the line could be read.
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
      var row = CSVRow(line, number)
      guard let sample = try row.sample(header) else { return true }
      if row.isDisowned {
        losses.leaveOutDisowned(at: number)
        return true
      }
      if let fault = row.valueFault { losses.leaveOut(value: fault) }
      if !row.namesZone, !header.isUTC { losses.assumeUTC(at: number) }
      rows.append(TraceRow(sample, line: number, individual: individual(row.individual, header)))
      return true
    } catch {
      // Of a file that was joined of several.
      if let line = try? line.get(), CSVHeader.isLikely(line),
        let next = try? CSVHeader(line, at: number)
      {
        self.header = next
        return true
      }
      losses.pass(over: error)
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

/// One line of a table.
private struct CSVRow {
  private let number: Int
  private var fields: CSVFields
  private(set) var individual: UnsafeBufferPointer<UInt8>?
  /// Whether the file itself calls the position wrong.
  private(set) var isDisowned = false
  private var zone: [UInt8]?
  private(set) var namesZone = true
  /// The first value that could not be read, of those that a position can do without.
  private(set) var valueFault: TraceError?

  init(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
    fields = CSVFields(line)
    self.number = number
  }

  mutating func sample(_ header: CSVHeader) throws(TraceError) -> TraceSample? {
    var time: UnsafeBufferPointer<UInt8>?
    var date: UnsafeBufferPointer<UInt8>?
    var latitude: Double?
    var longitude: Double?
    var altitude: Metres?
    var accuracy: Metres?
    var speed: MetresPerSecond?
    let comma = header.separator != UInt8(ascii: ",")
    var isSouth = false
    var isWest = false
    for column in header.columns {
      let field = fields.next(header.separator)
      guard let column, !field.isEmpty else { continue }
      switch column {
      case .time: time = field
      case .date: date = field
      case .latitude: latitude = try degrees(field, "latitude", comma)
      case .longitude: longitude = try degrees(field, "longitude", comma)
      case .altitude: altitude = try value(field, "altitude", comma).map(Metres.init)
      // Phones write -1 for an unknown accuracy or speed.
      case .accuracy: accuracy = try positive(field, "accuracy", comma).map(Metres.init) ?? accuracy
      case .hdop:
        let hdop = try positive(field, "hdop", comma)
        accuracy = accuracy ?? hdop.map { Metres($0 * TraceSample.metresPerHDOP) }
      case .speed:
        speed = try positive(field, "speed", comma).map { MetresPerSecond($0 * header.speedUnit) }
      case .individual: individual = field
      case .northSouth: isSouth = CSVFields.isLetter(field, "S")
      case .eastWest: isWest = CSVFields.isLetter(field, "W")
      case .offset: zone = CSVFields.zone(field)
      case .valid: if CSVFields.flag(field) == false { isDisowned = true }
      case .outlier: if CSVFields.flag(field) == true { isDisowned = true }
      }
    }
    var moment: UTCInstant?
    if let time = time ?? date { moment = try self.moment(time, date, header) }
    if isSouth { latitude = latitude.map { -$0.magnitude } }
    if isWest { longitude = longitude.map { -$0.magnitude } }
    if latitude == nil, longitude == nil { return nil }
    guard let moment else { throw error("the time is missing") }
    guard let latitude, let longitude else { throw error("the latitude or longitude is missing") }
    guard let position = Coordinate(checkedLatitude: latitude, longitude: longitude) else {
      throw error("\(latitude), \(longitude) is not a position: latitude ±90, longitude ±180")
    }
    return TraceSample(
      time: moment, position: position, altitude: altitude, accuracy: accuracy, speed: speed)
  }

  /// - Parameter date: of a column of its own; it counts where the time is one of the day alone.
  private mutating func moment(
    _ time: UnsafeBufferPointer<UInt8>, _ date: UnsafeBufferPointer<UInt8>?, _ header: CSVHeader
  ) throws(TraceError) -> UTCInstant {
    guard let date, !CSVFields.beginsWithDate(time), let clock = CSVFields.clock(time) else {
      return try moment(time)
    }
    let joined = CSVFields.day(date, isShort: header.hasShortDates) + [UInt8(ascii: "T")] + clock
    guard let moment = joined.withUnsafeBufferPointer({ self.time($0) }) else {
      throw error(
        "\"\(CSVFields.text(date))\" with \"\(CSVFields.text(time))\" is not a time; write "
          + "2026-05-01 with 12:34:56")
    }
    return moment
  }

  private mutating func moment(
    _ field: UnsafeBufferPointer<UInt8>
  ) throws(TraceError) -> UTCInstant {
    guard let time = self.time(field) else {
      throw error(
        "\"\(CSVFields.text(field))\" is not a time; write 2026-05-01T12:34:56Z or seconds since "
          + "1970")
    }
    return time
  }

  private mutating func time(_ field: UnsafeBufferPointer<UInt8>) -> UTCInstant? {
    namesZone = !CSVFields.beginsWithDate(field) || ISO8601.namesZone(field)
    guard !namesZone, let zone else { return CSVFields.time(field) }
    namesZone = true
    return (Array(field) + zone).withUnsafeBufferPointer { CSVFields.time($0) }
  }

  private func degrees(
    _ field: UnsafeBufferPointer<UInt8>, _ name: String, _ comma: Bool
  ) throws(TraceError) -> Double {
    let (number, isNegative) = CSVFields.withoutHemisphere(field)
    guard let degrees = DecimalText.number(number, allowingComma: comma) else {
      throw notNumber(field, name)
    }
    return isNegative ? -degrees.magnitude : degrees
  }

  /// A field of several lines has swallowed the rows after it by a stray quote.
  private mutating func value(
    _ field: UnsafeBufferPointer<UInt8>, _ name: String, _ comma: Bool
  ) throws(TraceError) -> Double? {
    let number = DecimalText.number(field, allowingComma: comma)
    guard number != nil || !field.contains(0x0A) else { throw notNumber(field, name) }
    if number == nil { valueFault = valueFault ?? notNumber(field, name) }
    return number
  }

  private mutating func positive(
    _ field: UnsafeBufferPointer<UInt8>, _ name: String, _ comma: Bool
  ) throws(TraceError) -> Double? {
    try value(field, name, comma).flatMap { $0 >= 0 ? $0 : nil }
  }

  private func notNumber(_ field: UnsafeBufferPointer<UInt8>, _ name: String) -> TraceError {
    error("\"\(CSVFields.text(field))\" is not a number for the \(name)")
  }

  private func error(_ reason: String) -> TraceError { TraceError(line: number, reason) }
}
