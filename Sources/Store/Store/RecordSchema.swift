import Ports
import Records

/// The layers and tables of Godwit's own data as SQL, from the declarations of the kinds of
/// records.
enum RecordSchema {
  /// The tables, columns and views of one step, and their entries in the tables of the GeoPackage.
  static func sql(_ step: SchemaStep) -> String {
    let additions = Record.schema.flatMap(\.kinds).flatMap { newColumns(of: $0.layout, in: step) }
    let tables = step.kinds.isEmpty ? [] : [tables(of: step)]
    return (additions + tables + step.lines.map(LineSchema.sql)).joined(separator: "\n")
  }

  private static func newColumns(of table: TableLayout, in step: SchemaStep) -> [String] {
    table.columns.filter { $0.step == step.name }.map { addition(of: $0, to: table) }
  }

  /// Adds a column that is null in the rows from before. It becomes the last one.
  static func addition(of column: ColumnLayout, to table: TableLayout) -> String {
    "ALTER TABLE \(table.name) ADD COLUMN \(column.name) \(column.type.rawValue);"
  }

  private static func tables(of step: SchemaStep) -> String {
    let tables = step.kinds.map { $0.layout }
    let layers = tables.filter { $0.geometryColumn != nil }
    var sql = tables.map(creation).joined(separator: "\n")
    sql += """

      INSERT INTO gpkg_contents
        (table_name, data_type, identifier, description, last_change, srs_id) VALUES
        \(tables.map(entry).joined(separator: ",\n  "));
      """
    if !layers.isEmpty {
      let lines = layers.map {
        "('\($0.name)', 'geom', '\(geometryType($0))', \(PointGeometry.srsId), 0, 0)"
      }
      sql += "\nINSERT INTO gpkg_geometry_columns VALUES\n  \(lines.joined(separator: ",\n  "));"
    }
    return sql
  }

  /// SQLite stores this text unchanged.
  private static func creation(_ table: TableLayout) -> String {
    let columns = table.columns.filter { $0.step == nil }.map { column in
      "  \(column.name) \(column.type.rawValue)\(column.isRequired ? " NOT NULL" : "")"
    }
    return """
      CREATE TABLE \(table.name) (
        id INTEGER PRIMARY KEY NOT NULL,
      \(columns.joined(separator: ",\n"))
      );
      """
  }

  static func geometryType(_ layer: TableLayout) -> String {
    layer.columns.first { $0.type.isGeometry }?.type.rawValue ?? ""
  }

  static func entry(_ table: TableLayout) -> String {
    let isLayer = table.geometryColumn != nil
    let kind = isLayer ? "features" : "attributes"
    let system = isLayer ? "\(PointGeometry.srsId)" : "NULL"
    return "('\(table.name)', '\(kind)', '\(table.name)', '\(table.description)', "
      + "'\(GeoPackageSchema.noChange)', \(system))"
  }
}

/// A table that the store registers as content of the GeoPackage.
struct Table: Sendable {
  let name: String
  /// The layout declared by its kind of record; nil for the store's own tables.
  let layout: TableLayout?
  /// A query of every row, without order: the id, and the columns in the order of their reader.
  let select: String
  /// Reads a row, to distinguish a valid one from an invalid one.
  let read: @Sendable (RowReader) throws(DamagedColumn) -> Void
  let positions: ColumnPositions

  /// The tables of the kinds of records, in the order of the schema.
  static let ofRecords = Record.schema.flatMap(\.kinds).map { $0.storeTable }

  static let meta = Table("meta", ["key", "value"]) { (row) throws(DamagedColumn) in
    _ = try row.text("key")
    _ = try row.text("value")
  }

  static let all = ofRecords + [meta, Table("migrations", ["name"])]

  /// In the order of checks and reports: layers first, and among them summaries before the rows
  /// they are made of.
  static let examined =
    ofRecords.filter(\.isLayer).reversed() + ofRecords.filter { !$0.isLayer } + [meta]

  static func of<Row: StoredRecord>(_ kind: Row.Type) -> Table {
    let layout = kind.layout
    return Table(layout.name, layout.columns.map(\.name), layout) { (row) throws(DamagedColumn) in
      _ = try Row(row: row)
    }
  }

  private init(
    _ name: String, _ columns: [String], _ layout: TableLayout? = nil,
    read: @escaping @Sendable (RowReader) throws(DamagedColumn) -> Void = { _ in }
  ) {
    self.name = name
    self.layout = layout
    self.read = read
    positions = ColumnPositions(columns)
    select = "SELECT \((["id"] + columns).joined(separator: ", ")) FROM \(name)"
  }

  /// - Parameter row: of `select`.
  /// - Throws: `corrupt` with table, id and column if it is invalid.
  func examine(_ row: Statement) throws(PortError) {
    for (index, column) in (layout?.columns ?? []).enumerated() {
      guard let most = column.mostBytes, row.byteCount(Int32(index) + 1) > most else { continue }
      throw .damagedRow(name, id: row.id, column: column.name, path: row.storeName)
    }
    try row.decoded(of: name, positions, read)
  }

  /// Whether it is a layer of points or polygons.
  var isLayer: Bool { layout?.geometryColumn != nil }
}

extension StoredRecord {
  fileprivate static var storeTable: Table { Table.of(Self.self) }
}
