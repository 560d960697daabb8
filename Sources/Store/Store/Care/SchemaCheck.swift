import Ports
import Records

/// The requirements for a GeoPackage (OGC 12-128r18 § 1.1.1 to 1.1.3, 2.1.5) and a store.
struct SchemaCheck {
  private let connection: Connection
  private var tables: Set<String> = []

  init(_ connection: Connection) { self.connection = connection }

  func has(_ table: Table) -> Bool { tables.contains(table.name) }

  /// The tables that belong neither to Godwit nor to the GeoPackage nor to SQLite.
  static func foreignTables(in connection: Connection) throws(PortError) -> [String] {
    let ours = Set(
      Table.all.map(\.name) + Record.lineLayers.map(\.typesTable) + PlaceSchema.indexTables
        + [PlaceEditSchema.table, ChangeSchema.table]
    ).union(required)
    return try names(
      connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).filter { !ours.contains($0) }.sorted()
  }

  /// Added by other programs: triggers on the store's tables, views, and columns of those tables.
  static func foreignParts(
    of connection: Connection, beside own: Connection
  ) throws(PortError) -> [String] {
    let views = try names(connection, "SELECT name FROM sqlite_schema WHERE type = 'view'")
    var parts = try SchemaComparison(of: connection, beside: SchemaModel(own)).foreignTriggers
    parts += views.subtracting(try names(own, "SELECT name FROM sqlite_schema")).sorted()
    for table in Table.all.map(\.name) {
      let columns = "SELECT name FROM pragma_table_info('\(table)')"
      let added = try names(connection, columns).subtracting(try names(own, columns))
      parts += added.sorted().map { "\(table).\($0)" }
    }
    return parts
  }

  /// - Parameter comparison: with the expected schema. Obstacles to reading are not in it.
  mutating func run(_ comparison: SchemaComparison) throws(PortError) -> [StoreProblem] {
    tables = try Self.names(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'")
    var problems = comparison.missing.map {
      StoreProblem(.schema, in: $0.table, "the \($0.kind.rawValue) \($0.name) is missing")
    }
    for name in Self.required + Table.all.map(\.name) where !tables.contains(name) {
      problems.append(
        StoreProblem(.schema, in: name, isObstacle: true, "the table \(name) is missing"))
    }
    // Without these tables no query is possible.
    guard Self.required.allSatisfy(tables.contains) else { return problems }
    let registered = try Self.names(connection, "SELECT table_name FROM gpkg_contents")
    let drawn = try Self.names(
      connection,
      """
      SELECT table_name FROM gpkg_geometry_columns
      WHERE column_name = 'geom' AND srs_id = \(PointGeometry.srsId)
      """)
    for table in Table.all {
      let name = table.name
      if !registered.contains(name) {
        problems.append(StoreProblem(.schema, in: name, "gpkg_contents does not name it"))
      }
      if table.isLayer, !drawn.contains(name) {
        problems.append(StoreProblem(.schema, in: name, "gpkg_geometry_columns does not name it"))
      }
    }
    let views = try Self.names(connection, "SELECT name FROM sqlite_schema WHERE type = 'view'")
    for lines in Record.lineLayers {
      let layer = lines.name
      let types = lines.typesTable
      for (isThere, problem) in [
        (views.contains(layer), "the view \(layer) is missing"),
        (tables.contains(types), "the table \(types) is missing"),
        (registered.contains(layer), "gpkg_contents does not name it"),
        (drawn.contains(layer), "gpkg_geometry_columns does not name it"),
      ] where !isThere { problems.append(StoreProblem(.schema, in: layer, problem)) }
    }
    if !tables.contains(PlaceSchema.index) {
      problems.append(
        StoreProblem(
          .schema, in: PlaceSchema.index, "the table \(PlaceSchema.index) is missing"))
    }
    // -1 and 0 are required besides the one in use.
    for system in [-1, 0, Int(PointGeometry.srsId)]
    where try connection.integer(
      "SELECT 1 FROM gpkg_spatial_ref_sys WHERE srs_id = \(system)") == nil
    {
      problems.append(
        StoreProblem(
          .schema, in: "gpkg_spatial_ref_sys", "the reference system \(system) is missing"))
    }
    return problems
  }

  private static let required = ["gpkg_spatial_ref_sys", "gpkg_contents", "gpkg_geometry_columns"]

  private static func names(
    _ connection: Connection, _ query: String
  ) throws(PortError) -> Set<String> {
    let statement = try connection.prepareOnce(query)
    var names: Set<String> = []
    while try statement.step() {
      if let name = statement.text(0) { names.insert(name) }
    }
    return names
  }
}
