import Records

/// The layers and tables of Godwit's own data as SQL, from what the kinds of records declare.
enum RecordSchema {
  /// The tables of one step, and their lines in the tables of the GeoPackage.
  static func sql(_ step: SchemaStep) -> String {
    let tables = step.kinds.map { $0.layout }
    let layers = tables.filter { $0.placeColumn != nil }
    var sql = tables.map(creation).joined(separator: "\n")
    sql += """

      INSERT INTO gpkg_contents
        (table_name, data_type, identifier, description, last_change, srs_id) VALUES
        \(tables.map(entry).joined(separator: ",\n  "));
      """
    if !layers.isEmpty {
      let lines = layers.map { "('\($0.name)', 'geom', 'POINT', \(PointGeometry.srsId), 0, 0)" }
      sql += "\nINSERT INTO gpkg_geometry_columns VALUES\n  \(lines.joined(separator: ",\n  "));"
    }
    return sql
  }

  /// SQLite keeps this text as it is.
  private static func creation(_ table: TableLayout) -> String {
    let columns = table.columns.map { column in
      "  \(column.name) \(column.type.rawValue)\(column.isRequired ? " NOT NULL" : "")"
    }
    return """
      CREATE TABLE \(table.name) (
        id INTEGER PRIMARY KEY NOT NULL,
      \(columns.joined(separator: ",\n"))
      );
      """
  }

  private static func entry(_ table: TableLayout) -> String {
    let isLayer = table.placeColumn != nil
    let kind = isLayer ? "features" : "attributes"
    let system = isLayer ? "\(PointGeometry.srsId)" : "NULL"
    return "('\(table.name)', '\(kind)', '\(table.name)', '\(table.description)', "
      + "'\(GeoPackageSchema.noChange)', \(system))"
  }
}
