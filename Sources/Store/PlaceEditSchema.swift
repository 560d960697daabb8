import Ports
import Records

/// What places were before somebody changed them, for those who want to be told: triggers note it,
/// whichever program it is that edits, and only as long as somebody waits for it.
enum PlaceEditSchema {
  static let table = "place_edits"
  /// Where nobody takes them, no more than so many are kept.
  private static let most = 1000

  static let sql = """
    CREATE TABLE \(table) (
      id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
      \(columns.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ",\n  "))
    );
    """ + PlaceSchema.Layer.allCases.map(triggers).joined()

  /// Those of a circle: an area has them, too, but for its drawing.
  private static let columns = StoredCircle.layout.columns

  private static func triggers(of layer: PlaceSchema.Layer) -> String {
    let name = layer.table.name
    let told = layer.table.columns.map(\.name).filter { $0 != "uuid" && $0 != "version" }
    return """

      CREATE TRIGGER \(name)_replaced BEFORE INSERT ON \(name)
      WHEN \(isWanted) AND EXISTS (SELECT 1 FROM \(name) WHERE id = NEW.id)
      BEGIN
        \(note(layer, "FROM \(name) AS old WHERE id = NEW.id", "old"))
      END;
      CREATE TRIGGER \(name)_edited BEFORE UPDATE OF \(told.joined(separator: ", ")) ON \(name)
      WHEN \(isWanted)
      BEGIN
        \(note(layer, "", "OLD"))
      END;
      CREATE TRIGGER \(name)_ended AFTER DELETE ON \(name)
      WHEN \(isWanted)
      BEGIN
        \(note(layer, "", "OLD"))
      END;
      """
  }

  private static let isWanted =
    "EXISTS (SELECT 1 FROM alerts WHERE kind = '\(AlertKind.changed.rawValue)' "
    + "AND coalesce(is_enabled, 1))"

  private static func note(_ layer: PlaceSchema.Layer, _ source: String, _ row: String) -> String {
    let own = Set(layer.table.columns.map(\.name))
    let values = columns.map { column in
      !own.contains(column.name) || (layer == .areas && column.type.isGeometry)
        ? "NULL" : "\(row).\(column.name)"
    }
    return """
      INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", ")))
          SELECT \(values.joined(separator: ", ")) \(source);
        DELETE FROM \(table) WHERE id <= (SELECT max(id) FROM \(table)) - \(most);
      """
  }
}

extension GeoPackageStore {
  public func placeEdits(
    after id: Int64, atMost most: Int
  ) throws(StoreError) -> [StoredPlaceEdit] {
    var cursor = try RowCursor<StoredCircle>(
      connection, of: PlaceEditSchema.table, "WHERE id > ?1 ORDER BY id LIMIT ?2"
    ) { statement in
      statement.bind(1, id)
      statement.bind(2, Int64(most))
    }
    // What was there before cannot be read by anybody any more.
    var remarks: [String] = []
    var edits: [StoredPlaceEdit] = []
    for before in try cursor.readable(&remarks) {
      edits.append(
        StoredPlaceEdit(
          id: before.id, before: before, after: try before.place.uuid.flatMap(place(uuid:))))
    }
    return edits
  }
}
