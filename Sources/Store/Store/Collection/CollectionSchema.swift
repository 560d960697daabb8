import Delivery
import Ports
import Records

/// The tables of a collection: the layers of a store with the origin of each record, and the
/// progress of each stream.
enum CollectionSchema {
  /// Replaces the steps of a store, so that neither is mistaken for the other.
  static let step = "collection-1"

  static let sql =
    GeoPackageSchema.sql
      + """

      INSERT INTO migrations (id, name) VALUES (1, '\(step)');
      CREATE TABLE streams (
        id INTEGER PRIMARY KEY NOT NULL,
        device TEXT NOT NULL,
        stream TEXT NOT NULL,
        through INTEGER NOT NULL,
        dropped INTEGER NOT NULL,
        UNIQUE (device, stream)
      );
      CREATE TABLE streams_ahead (
        id INTEGER PRIMARY KEY NOT NULL,
        stream_id INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        UNIQUE (stream_id, sequence)
      );
      CREATE TABLE withdrawn_records (
        id INTEGER PRIMARY KEY NOT NULL,
        layer TEXT NOT NULL,
        \(owner),
        UNIQUE (layer, device, record, stream)
      );
      CREATE TABLE other_records (
        id INTEGER PRIMARY KEY NOT NULL,
        layer TEXT NOT NULL,
        \(owner),
        other TEXT,
        UNIQUE (layer, device, record, stream)
      );
      INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change) VALUES
        \(attributes.map(entry).joined(separator: ",\n  "));
      """ + CollectionEntry.layers.map(sql).joined()

  /// What turns a collection of an older version into one of this version: its layers lack the
  /// columns that were added since. No step is recorded for them, so that the older version can
  /// continue it, too: additional columns do not disturb it.
  static func additions(to connection: Connection) throws(PortError) -> [String] {
    // Nothing but a table can be extended; the comparison refuses all else with these names.
    let tables = try connection.schemaEntries().filter { $0.kind == .table && $0.isConsistent }
    var additions: [String] = []
    for layer in CollectionEntry.layers where tables.contains(where: { $0.name == layer.name }) {
      let columns = try connection.columns(of: layer.name)
      for column in layer.laterColumns where !columns.contains(SQLToken.folded(column.name)) {
        additions.append(RecordSchema.addition(of: column, to: layer))
      }
    }
    return additions
  }

  /// The device of a record, and its number there.
  private static let owner = """
    device TEXT NOT NULL,
        record INTEGER NOT NULL,
        stream TEXT NOT NULL,
        sequence INTEGER NOT NULL
    """

  private static let attributes = [
    (name: "streams", description: "How far the records of each device are here"),
    (name: "streams_ahead", description: "Records that are here before an earlier one"),
    (name: "withdrawn_records", description: "Records that their device took back"),
    (name: "other_records", description: "Records of kinds that this version does not know"),
  ]

  private static func entry(_ table: (name: String, description: String)) -> String {
    "('\(table.name)', 'attributes', '\(table.name)', '\(table.description)', "
      + "'\(GeoPackageSchema.noChange)')"
  }

  private static func sql(of layer: TableLayout) -> String {
    let columns = layer.columns.map { column in
      "  \(column.name) \(column.type.rawValue)\(column.isRequired ? " NOT NULL" : "")"
    }
    let name = layer.name
    let geometry =
      layer.geometryColumn == nil
      ? ""
      : """

      INSERT INTO gpkg_geometry_columns VALUES
        ('\(name)', 'geom', '\(RecordSchema.geometryType(layer))', \(PointGeometry.srsId), 0, 0);
      """
    return """

      CREATE TABLE \(name) (
        id INTEGER PRIMARY KEY NOT NULL,
      \(columns.joined(separator: ",\n")),
        \(owner),
        other TEXT
      );
      CREATE UNIQUE INDEX \(name)_record ON \(name) (device, record, stream);
      INSERT INTO gpkg_contents
        (table_name, data_type, identifier, description, last_change, srs_id) VALUES
        \(RecordSchema.entry(layer));
      """ + geometry
  }
}
