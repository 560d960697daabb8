import Core
import Records

extension StoredValue {
  /// In PostgreSQL's input format, for a column of a type; nil: NULL.
  func parameter(as type: ColumnLayout.SQLType) -> String? {
    switch self {
    case .null: nil
    // A sender may send any number.
    case .integer(let number): type == .flag ? (number == 0 ? "f" : "t") : number.description
    // Swift writes as many digits as identify the number.
    case .real(let number): number.description
    case .text(let text): text
    case .time(let time): ISO8601.text(time)
    case .position(let position): "SRID=4326;POINT(\(Self.pair(position)))"
    case .polygons(let polygons):
      "SRID=4326;MULTIPOLYGON"
        + Self.list(polygons) { Self.list($0) { Self.list($0, Self.pair) } }
    }
  }

  // PostGIS' extended well-known text (ST_GeomFromEWKT).

  private static func pair(_ position: Coordinate) -> String {
    "\(position.longitude.value) \(position.latitude.value)"
  }

  private static func list<Part>(_ parts: [Part], _ text: (Part) -> String) -> String {
    parts.isEmpty ? " EMPTY" : "(\(parts.map(text).joined(separator: ",")))"
  }
}
