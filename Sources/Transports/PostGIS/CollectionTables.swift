import Delivery
import Records

/// The tables of a collection in a database, with the names of those in a collector's GeoPackage,
/// in a schema of their own.
enum CollectionTables {
  static let schema = "godwit"
  /// The steps of this version. A released step is never changed: another one follows it.
  static let steps = ["collection-1"]

  static let migrations = """
    CREATE TABLE \(schema).migrations (
      id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE)
    """

  /// One statement after the other.
  static let creation: [String] =
    [
      """
      CREATE TABLE streams (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        device TEXT NOT NULL,
        stream TEXT NOT NULL,
        through BIGINT NOT NULL,
        dropped BIGINT NOT NULL,
        UNIQUE (device, stream))
      """,
      comment("streams", "How far the records of each device are here"),
      """
      CREATE TABLE streams_ahead (
        stream_id BIGINT NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
        sequence BIGINT NOT NULL,
        PRIMARY KEY (stream_id, sequence))
      """,
      comment("streams_ahead", "Records that are here before an earlier one"),
      """
      CREATE TABLE withdrawn_records (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        layer TEXT NOT NULL,
      \(owner),
        UNIQUE (layer, device, record, stream))
      """,
      comment("withdrawn_records", "Records that their device took back"),
      """
      CREATE TABLE other_records (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        layer TEXT NOT NULL,
      \(owner),
        other TEXT,
        UNIQUE (layer, device, record, stream))
      """,
      comment("other_records", "Records of kinds that this version does not know"),
    ] + CollectionEntry.layers.flatMap(statements)

  /// The device of a record, and its number there.
  private static let owner = """
      device TEXT NOT NULL,
      record BIGINT NOT NULL,
      stream TEXT NOT NULL,
      sequence BIGINT NOT NULL
    """

  private static func statements(of layer: TableLayout) -> [String] {
    let columns = layer.columns.map { column in
      "  \(quoted(column.name)) \(type(of: column))\(column.isRequired ? " NOT NULL" : "")"
    }
    var statements = [
      """
      CREATE TABLE \(layer.name) (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      \(columns.joined(separator: ",\n")),
      \(owner),
        other TEXT,
        CONSTRAINT \(layer.name)_record UNIQUE (device, record, stream))
      """,
      comment(layer.name, layer.description),
    ]
    for column in layer.columns where column.type.isGeometry {
      statements.append(index("gist", column.name, layer))
    }
    // Rows are nearly in the order of their time, so a BRIN index takes only a few pages.
    if let time = time(of: layer) { statements.append(index("brin", time, layer)) }
    return statements
  }

  /// Adds a column that is null in the rows from before. Within the schema, as without the table
  /// there one of the same name elsewhere would be changed.
  static func addition(of column: ColumnLayout, to layer: TableLayout) -> String {
    "ALTER TABLE \(schema).\(layer.name) ADD COLUMN IF NOT EXISTS "
      + "\(quoted(column.name)) \(type(of: column))"
  }

  /// The column used for range queries; the store has rules of its own for some layers.
  private static func time(of layer: TableLayout) -> String? {
    layer.time ?? layer.columns.first { $0.type == .time && $0.isRequired }?.name
  }

  private static func index(_ method: String, _ column: String, _ layer: TableLayout) -> String {
    "CREATE INDEX \(layer.name)_\(column) ON \(layer.name) USING \(method) (\(quoted(column)))"
  }

  private static func comment(_ table: String, _ text: String) -> String {
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "COMMENT ON TABLE \(table) IS '\(parts.joined(separator: "''"))'"
  }

  /// Quoted, as units have capitals.
  static func quoted(_ column: String) -> String { "\"\(column)\"" }

  static func type(of column: ColumnLayout) -> String {
    switch column.type {
    case .integer: "BIGINT"
    case .double: "DOUBLE PRECISION"
    case .text: "TEXT"
    case .time: "TIMESTAMPTZ"
    case .flag: "BOOLEAN"
    case .point: "geometry(Point, 4326)"
    case .multiPolygon: "geometry(MultiPolygon, 4326)"
    }
  }
}
