import Records

/// A layer of lines as SQL: a view, and its entries in the tables of the GeoPackage.
///
/// A view takes no space on the flash and is never behind the points. For each point its
/// predecessor is found by the key of the table, so that a row in the middle of a million is found
/// at once.
///
/// SQLite gives no type to computed columns of a view, and without one GDAL 3.6 reads the lines as
/// text without a reference system. A view of several parts has the types of the first one: here
/// those of a table that stays empty.
enum LineSchema {
  static func sql(_ layer: LineLayer) -> String {
    """
    CREATE TABLE \(layer.typesTable) (
      id INTEGER PRIMARY KEY NOT NULL,
      geom LINESTRING,
    \(layer.columns.map { "  \($0.name) \(type(of: $0, in: layer))" }.joined(separator: ",\n"))
    );
    CREATE VIEW \(layer.name) AS
    SELECT id, geom, \(layer.columns.map(\.name).joined(separator: ", "))
    FROM \(layer.typesTable)
    UNION ALL
    SELECT b.id AS id,
      \(line) AS geom,
    \(layer.columns.map(column).joined(separator: ",\n"))
    FROM \(layer.points.name) AS b CROSS JOIN \(layer.points.name) AS a
      ON a.id = (SELECT max(id) FROM \(layer.points.name) WHERE id < b.id)
    WHERE b.id - a.id <= \(Int64(LineLayer.maxGap.value * 1e6))
      AND \(isPoint("a"))
      AND \(isPoint("b"))
      AND NOT (
        \(isFarFromGreenwich("a")) AND \(isFarFromGreenwich("b"))
        AND (\(sign("a")) = x'40' AND \(sign("b")) = x'C0'
          OR \(sign("a")) = x'C0' AND \(sign("b")) = x'40'));
    INSERT INTO gpkg_contents
      SELECT '\(layer.name)', data_type, '\(layer.name)', '\(layer.description)', last_change,
        min_x, min_y, max_x, max_y, srs_id
      FROM gpkg_contents WHERE table_name = '\(layer.points.name)';
    INSERT INTO gpkg_geometry_columns VALUES
      ('\(layer.name)', 'geom', 'LINESTRING', \(PointGeometry.srsId), 0, 0);
    """
  }

  private static func type(of column: LineLayer.Column, in layer: LineLayer) -> String {
    layer.points.columns.first { $0.name == column.source }?.type.rawValue ?? ""
  }

  private static func column(_ column: LineLayer.Column) -> String {
    "  \(column.isOfEarlier ? "a" : "b").\(column.source) AS \(column.name)"
  }

  /// The header of the GeoPackage and the byte order of a point, wkbLineString with two points,
  /// and the ordinates of both points (OGC 06-103r4 § 8.2). SQLite joins the bytes of BLOBs to a
  /// text, which is cast back.
  private static let line =
    """
    CAST(substr(b.geom, 1, 9) || x'0200000002000000'
        || substr(a.geom, 14, 16) || substr(b.geom, 14, 16) AS BLOB)
    """

  /// In the form that the store writes: other programs may have written another byte order, an
  /// envelope or a height, which cannot be joined like this.
  private static func isPoint(_ point: String) -> String {
    "length(\(point).geom) = 29 AND substr(\(point).geom, 1, 13) = x'47500001E61000000101000000'"
  }

  /// Whether the longitude is 128° or more to the east or west, with the direction in its sign: by
  /// the exponent of a double of that size (IEEE 754). A line from one side to the other would go
  /// around the Earth (RFC 7946 § 3.1.9).
  private static func isFarFromGreenwich(_ point: String) -> String {
    "substr(\(point).geom, 20, 1) >= x'60'"
  }

  /// The sign of the longitude, with the upper bits of its exponent.
  private static func sign(_ point: String) -> String { "substr(\(point).geom, 21, 1)" }
}
