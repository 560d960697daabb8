import Core

/// Reads the PLT files of Microsoft's GeoLife and of OziExplorer: six lines of preamble, then
/// `latitude,longitude,0,altitude in feet,days since 1899-12-30,date,time`, in GMT. OziExplorer's
/// format of the date varies, so the days are used there. Unreadable lines are skipped and counted.
struct PLTTraceReader: Sendable {
  private static let preambleLines = 6
  private static let datumLine = 2
  private static let metresPerFoot = 0.3048
  /// The altitude that means none.
  private static let unknownAltitude = -777.0

  private var lines = LineSplitter(quotes: false)

  private(set) var losses = TraceLosses()

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into rows: inout [TraceRow]
  ) throws(TraceError) {
    var losses = self.losses
    defer { self.losses = losses }
    try lines.feed(bytes) { (line, number) throws(TraceError) in
      try Self.read(line, number, into: &rows, &losses)
    }
  }

  mutating func finish(into rows: inout [TraceRow]) throws(TraceError) {
    var losses = self.losses
    defer { self.losses = losses }
    try lines.finish { (line, number) throws(TraceError) in
      try Self.read(line, number, into: &rows, &losses)
    }
  }

  /// Returns whether the line was readable.
  private static func read(
    _ line: Result<UnsafeBufferPointer<UInt8>, TraceError>, _ number: Int,
    into rows: inout [TraceRow], _ losses: inout TraceLosses
  ) throws(TraceError) -> Bool {
    guard number > preambleLines else {
      if number == datumLine { try checkDatum(try line.get()) }
      return true
    }
    do throws(TraceError) {
      let line = try line.get()
      if !line.isEmpty { rows.append(TraceRow(try sample(line, number), line: number)) }
      return true
    } catch {
      losses.skip(over: error)
      return false
    }
  }

  /// In a file without a preamble this line is a position.
  private static func checkDatum(
    _ line: UnsafeBufferPointer<UInt8>
  ) throws(TraceError) {
    guard !line.isEmpty, !line.contains(UInt8(ascii: ",")) else { return }
    let name = String(decoding: line.prefix { $0 != 0x0D }, as: UTF8.self)
    guard let fault = CoordinateSystem.fault(ofDatum: name) else { return }
    throw TraceError(line: datumLine, fault)
  }

  private static func sample(
    _ line: UnsafeBufferPointer<UInt8>, _ number: Int
  ) throws(TraceError) -> TraceSample {
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { $0.drop { $0 == 0x20 } }
    guard fields.count == 7 else {
      throw TraceError(line: number, "\(fields.count) columns instead of PLT's 7")
    }
    func field(_ index: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: fields[index])
    }
    guard let latitude = DecimalText.number(field(0)), let longitude = DecimalText.number(field(1)),
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude)
    else {
      throw TraceError(line: number, "the first two columns are not a latitude and longitude")
    }
    // Date and time are adjacent, with a comma between them.
    var moment = Array(fields[5])
    moment.append(UInt8(ascii: "T"))
    moment.append(contentsOf: fields[6])
    let days = CSVFields.beginsWithDate(field(5)) ? nil : DecimalText.number(field(4))
    guard
      let time = moment.withUnsafeBufferPointer({ ISO8601.parse($0) })
        ?? days.flatMap(Self.time(days:))
    else {
      throw TraceError(line: number, "the last two columns are not a date and time")
    }
    let feet = DecimalText.number(field(3))
    let altitude = feet.flatMap { $0 == unknownAltitude ? nil : Metres($0 * metresPerFoot) }
    return TraceSample(time: time, position: position, altitude: altitude)
  }

  /// The days have seven decimals, a hundredth of a second.
  private static func time(days: Double) -> UTCInstant? {
    let seconds = ((days - 25_569) * 86_400 * 10).rounded() / 10
    guard seconds.magnitude < 9e9 else { return nil }
    return UTCInstant(seconds: seconds)
  }
}
