import Core
import Records

/// The columns of one kind of row, and the output of a row in each format.
public struct Columns<Row>: Sendable {
  private let table: [(column: Column<Row>, cell: TableCell<Row>)]
  private let json: [Column<Row>]
  private let properties: [Column<Row>]
  private let csv: [Column<Row>]

  public init(_ all: [Column<Row>]) {
    table = all.compactMap { column in
      column.forms.contains(.table) ? column.cell.map { (column, $0) } : nil
    }
    json = all.filter { $0.forms.contains(.json) }
    properties = all.filter { $0.forms.contains(.properties) }
    csv = all.filter { $0.forms.contains(.csv) }
  }

  // MARK: Tables for people

  public var titles: [String] { table.map(\.cell.title) }
  public var layout: TextTable { TextTable(table.map(\.cell.layout)) }

  public func cells(of row: Row, style: TableStyle = TableStyle()) -> [String] {
    table.map { column, cell in cell.text(row, column.value(row), style) }
  }

  // MARK: JSON

  /// Appends one object.
  public func append(_ row: Row, to writer: inout JSONWriter) {
    writer.object { Self.members(json, of: row, to: &$0) }
  }

  /// Appends the members of a feature's properties, without their braces.
  func properties(of row: Row, to writer: inout JSONWriter) {
    Self.members(properties, of: row, to: &writer)
  }

  private static func members(
    _ columns: [Column<Row>], of row: Row, to json: inout JSONWriter
  ) {
    for column in columns {
      switch column.value(row) {
      case .number(let number) where column.isBrief:
        guard let number else { continue }
        json.field(column.key, JSONValue.rounded(number, digits: column.digits))
      case .time(let time): json.field(column.key, time, digits: column.digits)
      case .number(let number): json.field(column.key, number, digits: column.digits)
      case .count(let count): json.field(column.key, count)
      case .text(let text): json.field(column.key, text)
      case .texts(let texts): json.array(column.key) { json in texts.forEach { json.string($0) } }
      case .parts(let parts): json.field(column.key, .array(parts))
      case .word(let word): json.field(column.key, word)
      case .flag(let flag): json.field(column.key, flag)
      }
    }
  }

  // MARK: XML

  /// The known properties of a feature, as text.
  func details(of row: Row) -> [(key: StaticString, text: String)] {
    properties.compactMap { column in
      column.value(row).text(digits: column.digits).map { (column.key, $0) }
    }
  }

  // MARK: CSV

  /// The first line, with its line end.
  public var csvHeading: String { csv.compactMap(\.heading).joined(separator: ",") + "\n" }

  /// Appends one line; unknown values stay empty.
  public func append(_ row: Row, toCSV bytes: inout [UInt8]) {
    for (index, column) in csv.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      switch column.value(row) {
      case .time(let time?): ISO8601.append(time, digits: column.digits, to: &bytes)
      case .number(let number?) where number.isFinite:
        FixedDecimal.append(number, digits: column.digits, to: &bytes)
      case .count(let count?): bytes.append(contentsOf: count.description.utf8)
      case .text(let text?): Self.append(quoted: Self.harmless(text), to: &bytes)
      case .texts(let texts):
        let text = Self.harmless(texts.joined(separator: ", "))
        Self.append(quoted: text, to: &bytes)
      case .word(let word): bytes.append(contentsOf: word.utf8)
      case .flag(let flag?): bytes.append(UInt8(ascii: flag ? "1" : "0"))
      case .time, .number, .count, .text, .parts, .flag: break
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// In quotes, with inner quotes doubled (RFC 4180). One line, which no spreadsheet reads as a
  /// formula (owasp.org, "CSV Injection").
  private static func harmless(_ text: String) -> String {
    let isFormula = text.first.map { "=+-@".contains($0) } ?? false
    return (isFormula ? "'" : "") + TerminalText.line(text)
  }

  private static func append(quoted text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Latitude and longitude of a row.
  static func position(
    csv: (latitude: String, longitude: String)? = nil,
    _ position: @escaping @Sendable (Row) -> Coordinate
  ) -> [Column<Row>] {
    [
      .number("lat", digits: 7, cell: .figure("LATITUDE", 11, digits: 6), csv: csv?.latitude) {
        position($0).latitude.value
      },
      .number("lon", digits: 7, cell: .figure("LONGITUDE", 12, digits: 6), csv: csv?.longitude) {
        position($0).longitude.value
      },
    ]
  }
}

// The keys of JSON are the stable machine interface of the command line. Keys may be added, none is
// renamed; units are part of the names.

extension TrackPoint {
  private static let altitude = Column<TrackPoint>.number(
    "altitude_m", digits: 2, cell: .figure("ALTITUDE", 9, digits: 0, unit: " m"), csv: "ele"
  ) { $0.location.altitude?.value }

  /// CSV has a header that `CSVTraceReader` reads, with the altitude right after the position.
  public static let columns = Columns<TrackPoint>(
    [.time("time", cell: .plain("TIME", 19), csv: "time") { $0.location.time }]
      + Columns.position(csv: ("lat", "lon")) { $0.location.position }
      + [
        altitude.only(.csv),
        .number(
          "accuracy_m", digits: 2, cell: .figure("ACCURACY", 8, digits: 0, unit: " m"), csv: "hacc"
        ) { $0.location.accuracy.value },
        altitude.except(.csv),
        .number(
          "speed_m_s", digits: 2, cell: .figure("SPEED", 9, digits: 1, unit: " m/s"), csv: "speed"
        ) { $0.location.speed?.value },
        .number("track_deg", digits: 1) { $0.location.track?.value },
        .text("source", cell: .plain("SOURCE", 6)) { $0.location.source.rawValue },
        .text("reason", cell: .plain("REASON", 9)) { $0.reason.rawValue },
        .count("session_id", cell: .plain("SESSION", 7, .right)) { $0.session.map { Int($0) } },
      ])
}

extension Visit {
  private static let position = Columns<Visit>.position { $0.position }

  /// The position precedes the accuracy in the table, and is last in JSON.
  public static let columns = Columns<Visit>(
    [
      .count("id", cell: .plain("ID", 5, .right)) { Int($0.id) }.except(.properties),
      .time(
        "arrival",
        cell: .made("ARRIVAL", 16) { visit, style in
          BoundedTime(visit.arrival).text(style)
        }
      ) { $0.arrival.estimate },
      .time("arrival_earliest") { $0.arrival.earliest },
      .time("arrival_latest") { $0.arrival.latest },
      .time(
        "departure",
        cell: .made("DEPARTURE", 16) { visit, style in
          visit.departure.map { BoundedTime($0).text(style) } ?? style.stillThere
        }
      ) { $0.departure?.estimate },
      .time("departure_earliest") { $0.departure?.earliest },
      .time("departure_latest") { $0.departure?.latest },
      .table(
        .made("STAY", 11, .right) { visit, style in BoundedDuration(visit)?.text ?? "" }),
    ] + position.map { $0.only(.table) } + [
      .number(
        "accuracy_m", digits: 2, cell: .figure("ACCURACY", 8, digits: 0, unit: " m")
      ) { $0.accuracy.value },
      .number(
        "confidence", digits: 3, cell: .figure("CONFIDENCE", 10, digits: 0, scale: 100, unit: " %")
      ) { $0.confidence },
      .count("locations") { $0.locations },
      .count(
        "destination_id",
        cell: .made("DESTINATION", 11) { visit, style in
          visit.destination.map { style.labels[$0] ?? "\($0)" } ?? ""
        }
      ) { $0.destination.map { Int($0) } },
      .time("last_seen") { $0.lastSeen },
      .number("unwatched_s", digits: 0) { $0.unobserved.value },
      .time("gap_start") { $0.gap?.start },
      .time("gap_end") { $0.gap?.end },
      .flag("is_coarse") { $0.isCoarse },
      .table(.made("NOTE", 4) { visit, style in visit.note(style) }),
    ] + position.map { $0.only(.json) })
}

extension Visit {
  fileprivate func note(_ style: TableStyle) -> String {
    var parts: [String] = []
    if isCoarse == true { parts.append("coarse positions only") }
    if let gap { parts.append(BoundedTime.gap(gap, of: self, style)) }
    return parts.joined(separator: ", ")
  }
}

extension Destination {
  private static let label = Column<Destination>.text("label", cell: .plain("LABEL", 5)) {
    $0.label
  }
  private static let position = Columns<Destination>.position { $0.position }

  /// The label is last in the table, where it may have any length, and first in JSON; the position
  /// is the other way round.
  public static let columns = Columns<Destination>(
    [.count("id", cell: .plain("ID", 5, .right)) { Int($0.id) }.except(.properties)]
      + position.map { $0.only(.table) } + [
        label.except(.table),
        .number("radius_m", digits: 2, cell: .figure("RADIUS", 8, digits: 0, unit: " m")) {
          $0.radius.value
        },
        .count("visits", cell: .plain("VISITS", 6, .right)) { $0.visits },
        .number(
          "total_dwell_s", digits: 0,
          cell: .made("STAYED", 13, .right) { row, _ in row.totalDwell.hoursAndMinutes }
        ) { $0.totalDwell.value },
        .number(
          "unwatched_s", digits: 0,
          cell: .made("UNWATCHED", 13, .right) { row, _ in
            row.unobserved > 0 ? row.unobserved.hoursAndMinutes : ""
          }
        ) { $0.unobserved.value },
        label.only(.table),
      ] + position.map { $0.only(.json) })
}
