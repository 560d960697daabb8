import Ports
import Quantities
import Records

/// When the time of places ends, in both layers.
struct PlaceEndQuery {
  private static let end = milliseconds("valid_until")
  /// What comes later no instant can tell.
  private static let latest = Int64.max / 1_000_000

  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// - Parameter unnoticed: without those of which a notice has told a change since.
  func places(
    after start: UTCInstant, by end: UTCInstant, unnoticed: Bool, atMost most: Int
  ) throws(StoreError) -> [PlaceRow] {
    let notices = """
      AND NOT EXISTS (
        SELECT 1 FROM notices WHERE notices.place_uuid = uuid
        AND notices.kind = '\(AlertKind.changed.rawValue)'
        AND \(Self.milliseconds("notices.time")) >= \(Self.end))
      """
    var cursor = try PlaceCursor(
      connection,
      """
      WHERE \(Self.ends(after: start, by: end.wholeMilliseconds))
      \(unnoticed ? notices : "") ORDER BY id LIMIT \(most)
      """
    ) { _ in }
    // One that cannot be read is told of where it is watched.
    var remarks: [String] = []
    return try cursor.readable(&remarks)
  }

  func next(after moment: UTCInstant) throws(StoreError) -> UTCInstant? {
    let layers = PlaceSchema.Layer.allCases.map { layer in
      "SELECT \(Self.end) AS moment FROM \(layer.table.name) "
        + "WHERE \(Self.ends(after: moment, by: Self.latest))"
    }
    // Without any there is a row nevertheless, of nothing: it reads as 0.
    let next =
      try connection.integer(
        "SELECT coalesce(min(moment), 0) FROM (\(layers.joined(separator: " UNION ALL ")))") ?? 0
    return next > 0 ? UTCInstant(nanoseconds: next * 1_000_000) : nil
  }

  /// A condition. SQLite takes words such as "now" for dates, too, which are others each time.
  private static func ends(after start: UTCInstant, by last: Int64) -> String {
    "valid_until GLOB '[0-9][0-9][0-9][0-9]-*' "
      + "AND \(end) BETWEEN \(start.wholeMilliseconds + 1) AND \(last)"
  }

  /// Since 1970, of a time as other programs write it, too; NULL for what is none.
  private static func milliseconds(_ column: String) -> String {
    "CAST(round((julianday(\(column)) - 2440587.5) * 86400000) AS INTEGER)"
  }
}

extension UTCInstant {
  fileprivate var wholeMilliseconds: Int64 { wholeMicroseconds / 1000 }
}
