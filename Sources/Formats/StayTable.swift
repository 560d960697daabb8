import Core

/// True stays, recorded by a person, for comparison with visits.
///
/// A JSON array of objects with `arrival` and `departure`, as written by `simulate --truth-stays`,
/// or a table with a header and these columns (RFC 4180), which may also have the names used in
/// diaries, `start` and `end`. Both may have `lat` and `lon`, the place in degrees, `trace`, the
/// individual of the stay, and `scored`, 0 or false for a debatable stay; a table's `utc_offset` is
/// that of its local times. Other members and columns are ignored.
public struct StayTable: Sendable {
  public struct Row: Hashable, Sendable {
    public let arrival: UTCInstant
    public let departure: UTCInstant
    /// Nil: not given.
    public let position: Coordinate?
    /// The base name of its trace; nil: not given.
    public let trace: String?
    /// Whether it counts in the score.
    public let isScored: Bool
    /// Its line in the file, or its index in the array, from 1.
    public let number: Int
    /// Whether its times have a zone.
    public let namesZone: Bool
  }

  /// In the order of arrival.
  public let rows: [Row]

  /// Of the first row whose times have no zone: they are read as UTC. Nil: there is none.
  public var firstWithoutZone: Int? { rows.lazy.filter { !$0.namesZone }.map(\.number).min() }

  public init(_ bytes: [UInt8]) throws(TraceError) {
    var text = bytes[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    let isJSON = text.first { $0 > 0x20 } == UInt8(ascii: "[")
    var rows = try isJSON ? Self.array(Array(text)) : Self.table(Array(text))
    rows.sort { ($0.arrival, $0.number) < ($1.arrival, $1.number) }
    self.rows = rows
    try refuseDaysOfSpreadsheet()
    try refuseOverlaps()
  }

  private static let endOf1970 = UTCInstant(seconds: 31_536_000)

  /// A spreadsheet counts days since 1899, which would be read as seconds in 1970.
  private func refuseDaysOfSpreadsheet() throws(TraceError) {
    guard rows.contains(where: { $0.departure >= Self.endOf1970 }),
      let row = rows.first(where: { $0.arrival < Self.endOf1970 })
    else { return }
    throw TraceError(
      line: row.number,
      "its stay is of 1970, but others are not; if this is the day number of a spreadsheet, "
        + "format it as 2026-05-01 12:34:56")
  }

  /// Overlapping stays of one person mean that something is mixed up, such as two people's stays.
  private func refuseOverlaps() throws(TraceError) {
    for (_, stays) in Dictionary(grouping: rows.filter(\.isScored), by: \.trace) {
      for (stay, next) in zip(stays, stays.dropFirst()) where next.arrival < stay.departure {
        throw TraceError(
          line: next.number,
          "the stay from \(ISO8601.text(next.arrival, digits: 0)) begins before that of line "
            + "\(stay.number) ends; leave one out, or name their traces in a column \"trace\"")
      }
    }
  }

  // MARK: JSON

  private static func array(_ bytes: [UInt8]) throws(TraceError) -> [Row] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw TraceError(line: 1, error.description)
    }
    var rows: [Row] = []
    for (index, item) in (value.array ?? []).enumerated() {
      var namesZone = true
      func time(_ name: String) throws(TraceError) -> UTCInstant {
        guard let text = item[name]?.string, let time = ISO8601.parse(text) else {
          throw TraceError(
            line: index + 1,
            "a stay without \"\(name)\" as 2026-05-01T12:34:56Z (counted within the array)")
        }
        if !Array(text.utf8).withUnsafeBufferPointer(ISO8601.namesZone) { namesZone = false }
        return time
      }
      guard let isScored = isScored(item["scored"]) else {
        throw TraceError(
          line: index + 1,
          "\"scored\" must be true or false, not \(item["scored"]?.text ?? "") "
            + "(counted within the array)")
      }
      let (arrival, departure) = (try time("arrival"), try time("departure"))
      func degrees(_ name: String) -> Double? {
        item[name].flatMap { $0 == .null ? nil : $0.number ?? .nan }
      }
      let position = try position(degrees("lat"), degrees("lon"), index + 1)
      rows.append(
        try row(
          index + 1, arrival, departure, at: position, trace: item["trace"]?.string,
          isScored: isScored, namesZone: namesZone))
    }
    return rows
  }

  /// - Parameter number: of the line, for the error.
  private static func position(
    _ latitude: Double?, _ longitude: Double?, _ number: Int
  ) throws(TraceError) -> Coordinate? {
    guard latitude != nil || longitude != nil else { return nil }
    guard let latitude, let longitude,
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude)
    else {
      throw TraceError(
        line: number,
        "lat and lon must be degrees, within ±90 and ±180; leave both out if the place is not "
          + "known")
    }
    return position
  }

  private static func isScored(_ value: JSONValue?) -> Bool? {
    guard let value, value != .null else { return true }
    return value.bool ?? TraceIndividuals.name(in: value).flatMap { flags[$0.lowercased()] }
  }

  // MARK: CSV

  private enum Field: Int, CaseIterable {
    case arrival, departure, latitude, longitude, trace, scored, offset

    var names: [String] {
      switch self {
      case .arrival: ["arrival", "start"]
      case .departure: ["departure", "end"]
      case .latitude: ["lat", "latitude"]
      case .longitude: ["lon", "lng", "longitude"]
      case .trace: ["trace", "userday"]
      case .scored: ["scored"]
      case .offset: ["utcoffset"]
      }
    }

    var isRequired: Bool { self == .arrival || self == .departure }
  }

  private static func table(_ bytes: [UInt8]) throws(TraceError) -> [Row] {
    var lines = LineSplitter(quotes: true)
    var header: (separator: UInt8, columns: [Field?])?
    var rows: [Row] = []
    let take: LineSplitter.Body = { (line, number) throws(TraceError) in
      let line = try line.get()
      guard let first = line.first, first != UInt8(ascii: "#") else { return true }
      guard let known = header else {
        header = try Self.header(line, number)
        return true
      }
      rows.append(try row(line, number, known))
      return true
    }
    var failure: TraceError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(TraceError) {
        try lines.feed(buffer, take)
        try lines.finish(take)
      } catch { failure = error }
    }
    if let failure { throw failure }
    guard header != nil else { throw TraceError(line: 1, "the file is empty; \(advice)") }
    return rows
  }

  private static let advice =
    "stays must be a JSON array as written by --truth-stays, or a table with a header such as "
    + "trace,arrival,departure"

  private static func header(
    _ line: UnsafeBufferPointer<UInt8>, _ number: Int
  ) throws(TraceError) -> (UInt8, [Field?]) {
    let separator = CSVHeader.separator(of: line)
    let words = CSVHeader.words(line, separator: separator)
    var columns = [Field?](repeating: nil, count: words.count)
    for field in Field.allCases {
      guard let column = field.names.lazy.compactMap({ words.firstIndex(of: $0) }).first else {
        guard !field.isRequired else {
          throw TraceError(line: number, "no column \"\(field)\"; \(advice)")
        }
        continue
      }
      columns[column] = field
    }
    return (separator, columns)
  }

  private static func row(
    _ line: UnsafeBufferPointer<UInt8>, _ number: Int,
    _ header: (separator: UInt8, columns: [Field?])
  ) throws(TraceError) -> Row {
    var fields = CSVFields(line)
    var times: [Field: [UInt8]] = [:]
    var degrees: [Field: Double] = [:]
    var zone: [UInt8]?
    var trace: String?
    var isScored = true
    for column in header.columns {
      let field = fields.next(header.separator)
      switch column {
      case .arrival?, .departure?: if let column { times[column] = Array(field) }
      case .latitude?, .longitude?:
        if let column, !field.isEmpty { degrees[column] = DecimalText.number(field) ?? .nan }
      case .offset?:
        zone = CSVFields.zone(field)
        guard zone != nil || field.isEmpty else {
          throw TraceError(
            line: number, "utc_offset must be +02:00 or 2, not \"\(CSVFields.text(field))\"")
        }
      case .trace?: trace = field.isEmpty ? nil : String(decoding: field, as: UTF8.self)
      case .scored?:
        guard let flag = flags[String(decoding: field, as: UTF8.self).lowercased()] else {
          throw TraceError(
            line: number, "scored must be 1 or 0, not \"\(CSVFields.text(field))\"")
        }
        isScored = flag
      case nil: break
      }
    }
    guard let arrival = times[.arrival], let departure = times[.departure] else {
      throw TraceError(line: number, "the line has too few columns")
    }
    let (first, last) = (try time(arrival, zone, number), try time(departure, zone, number))
    return try row(
      number, first.time, last.time,
      at: try position(degrees[.latitude], degrees[.longitude], number), trace: trace,
      isScored: isScored, namesZone: first.namesZone && last.namesZone)
  }

  private static func time(
    _ field: [UInt8], _ zone: [UInt8]?, _ number: Int
  ) throws(TraceError) -> (time: UTCInstant, namesZone: Bool) {
    let isLocal = field.withUnsafeBufferPointer {
      CSVFields.beginsWithDate($0) && !ISO8601.namesZone($0)
    }
    let whole = isLocal ? field + (zone ?? []) : field
    guard let time = whole.withUnsafeBufferPointer({ CSVFields.time($0) }) else {
      let text = field.withUnsafeBufferPointer { CSVFields.text($0) }
      throw TraceError(
        line: number,
        "\"\(text)\" is not a time; write 2026-05-01T12:34:56Z or seconds since 1970")
    }
    return (time, !isLocal || zone != nil)
  }

  private static let flags = ["": true, "1": true, "true": true, "0": false, "false": false]

  private static func row(
    _ number: Int, _ arrival: UTCInstant, _ departure: UTCInstant, at position: Coordinate?,
    trace: String?, isScored: Bool, namesZone: Bool
  ) throws(TraceError) -> Row {
    guard arrival < departure else {
      throw TraceError(line: number, "the stay ends before it begins")
    }
    return Row(
      arrival: arrival, departure: departure, position: position, trace: trace,
      isScored: isScored, number: number, namesZone: namesZone)
  }
}
