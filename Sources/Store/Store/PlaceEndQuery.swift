import Ports
import Core
import Records

/// When places expire, in both layers.
struct PlaceEndQuery {
  private static let end = milliseconds("valid_until")
  /// The latest time that an instant can represent.
  private static let latest = Int64.max / 1_000_000

  private let connection: Connection
  /// Leaves out those with a notice of a later change.
  private let unnoticed: Bool

  init(_ connection: Connection, unnoticed: Bool) {
    self.connection = connection
    self.unnoticed = unnoticed
  }

  func page(
    after mark: PlaceEndMark, by end: UTCInstant, atMost most: Int
  ) throws(PortError) -> PlaceEndPage {
    let last = PlaceEndMark(end)
    let rest = try self.rest(of: between(mark, last), behind: most, mark)
    let upTo = rest ?? last
    var cursor = try PlaceCursor(
      connection, "WHERE \(between(mark, upTo)) ORDER BY \(Self.end), uuid"
    ) { Self.bind(mark, upTo, to: $0) }
    // An unreadable one is reported where places are watched.
    var remarks: [String] = []
    return PlaceEndPage(
      try cursor.readable(&remarks), next: try next(after: end), rest: rest)
  }

  /// The last of so many, if more rows match the condition.
  private func rest(
    of condition: String, behind most: Int, _ mark: PlaceEndMark
  ) throws(PortError) -> PlaceEndMark? {
    let statement = try connection.prepareOnce(
      "SELECT moment, uuid FROM (\(Self.inBothLayers(condition))) ORDER BY moment, uuid "
        + "LIMIT 2 OFFSET \(most - 1)")
    Self.bind(mark, nil, to: statement)
    guard try statement.step(), let moment = statement.integer(0), let uuid = statement.text(1)
    else { return nil }
    let last = PlaceEndMark(UTCInstant(nanoseconds: moment * 1_000_000), uuid: uuid)
    return try statement.step() ? last : nil
  }

  private func next(after moment: UTCInstant) throws(PortError) -> UTCInstant? {
    let later = Self.ends(from: moment.wholeMilliseconds + 1, by: Self.latest)
    // Without any match there is still a row, with null: it reads as 0.
    let next =
      try connection.integer(
        "SELECT coalesce(min(moment), 0) FROM (\(Self.inBothLayers(later)))") ?? 0
    return next > 0 ? UTCInstant(nanoseconds: next * 1_000_000) : nil
  }

  private static func inBothLayers(_ condition: String) -> String {
    PlaceSchema.Layer.allCases.map {
      "SELECT \(end) AS moment, uuid FROM \($0.table.name) WHERE \(condition)"
    }.joined(separator: " UNION ALL ")
  }

  /// A condition, with the UUIDs of the marks as parameters.
  private func between(_ mark: PlaceEndMark, _ last: PlaceEndMark) -> String {
    let first = mark.time.wholeMilliseconds
    var parts = [
      Self.ends(from: mark.uuid == nil ? first + 1 : first, by: last.time.wholeMilliseconds)
    ]
    if mark.uuid != nil { parts.append("(\(Self.end), uuid) > (\(first), ?1)") }
    if last.uuid != nil {
      parts.append("(\(Self.end), uuid) <= (\(last.time.wholeMilliseconds), ?2)")
    }
    if unnoticed {
      parts.append(
        """
        NOT EXISTS (
          SELECT 1 FROM notices WHERE notices.place_uuid = uuid
          AND notices.kind = '\(AlertKind.changed.rawValue)'
          AND \(Self.milliseconds("notices.time")) >= \(Self.end))
        """)
    }
    return parts.joined(separator: " AND ")
  }

  private static func bind(_ mark: PlaceEndMark, _ last: PlaceEndMark?, to statement: Statement) {
    if let uuid = mark.uuid { statement.bind(1, uuid) }
    if let uuid = last?.uuid { statement.bind(2, uuid) }
  }

  /// A condition. SQLite also accepts words such as "now" as dates, which differ each time.
  private static func ends(from first: Int64, by last: Int64) -> String {
    "valid_until GLOB '[0-9][0-9][0-9][0-9]-*' AND \(end) BETWEEN \(first) AND \(last)"
  }

  /// Milliseconds since 1970, also for times in other programs' formats; NULL for an invalid one.
  private static func milliseconds(_ column: String) -> String {
    "CAST(round((julianday(\(column)) - 2440587.5) * 86400000) AS INTEGER)"
  }
}

extension UTCInstant {
  fileprivate var wholeMilliseconds: Int64 { wholeMicroseconds / 1000 }
}
