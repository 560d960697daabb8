import Ports
import Records

/// The state of places before they were changed, for recipients of such changes: triggers record
/// it, whichever program edits, and only as long as there is a recipient.
enum PlaceEditSchema {
  static let table = "place_edits"
  /// Limit of rows, in case they are not collected.
  private static let most = 1000

  /// With the columns that places had in that step.
  static var sql: String {
    """
    CREATE TABLE \(table) (
      id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
      \(columns(by: []).map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ",\n  "))
    );
    """ + PlaceSchema.Layer.allCases.map { triggers(of: $0, by: []) }.joined()
  }

  /// With the beacons of places.
  static var beacons: String {
    let columns = StoredCircle.layout.columns.filter { $0.step == Record.beacons }.map {
      "\nALTER TABLE \(table) ADD COLUMN \($0.name) \($0.type.rawValue);"
    }
    let changed = PlaceSchema.Layer.allCases.map { layer in
      ["replaced", "edited", "ended"].map { "\nDROP TRIGGER \(layer.table.name)_\($0);" }.joined()
        + triggers(of: layer, by: [Record.beacons])
    }
    return (columns + changed).joined()
  }

  /// Those of a circle: an area has them, too, except for drawing.
  /// - Parameter steps: steps that added some after the table.
  private static func columns(by steps: Set<String>) -> [ColumnLayout] {
    StoredCircle.layout.columns.filter { known($0, by: steps) }
  }

  private static func known(_ column: ColumnLayout, by steps: Set<String>) -> Bool {
    column.step.map(steps.contains) ?? true
  }

  private static func triggers(of layer: PlaceSchema.Layer, by steps: Set<String>) -> String {
    let name = layer.table.name
    let reported = layer.table.columns.filter {
      $0.name != "uuid" && $0.name != "version" && known($0, by: steps)
    }.map(\.name)
    func note(_ source: String, _ row: String) -> String {
      self.note(layer, columns(by: steps), source, row)
    }
    return """

      CREATE TRIGGER \(name)_replaced BEFORE INSERT ON \(name)
      WHEN \(isWanted) AND EXISTS (SELECT 1 FROM \(name) WHERE id = NEW.id)
      BEGIN
        \(note("FROM \(name) AS old WHERE id = NEW.id", "old"))
      END;
      CREATE TRIGGER \(name)_edited BEFORE UPDATE OF \(reported.joined(separator: ", ")) ON \(name)
      WHEN \(isWanted)
      BEGIN
        \(note("", "OLD"))
      END;
      CREATE TRIGGER \(name)_ended AFTER DELETE ON \(name)
      WHEN \(isWanted)
      BEGIN
        \(note("", "OLD"))
      END;
      """
  }

  private static let isWanted =
    "EXISTS (SELECT 1 FROM alerts WHERE kind = '\(AlertKind.changed.rawValue)' "
    + "AND coalesce(is_enabled, 1))"

  private static func note(
    _ layer: PlaceSchema.Layer, _ columns: [ColumnLayout], _ source: String, _ row: String
  ) -> String {
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
  ) throws(PortError) -> [StoredPlaceEdit] {
    var cursor = try RowCursor<StoredCircle>(
      connection, of: PlaceEditSchema.table, "WHERE id > ?1 ORDER BY id LIMIT ?2"
    ) { statement in
      statement.bind(1, id)
      statement.bind(2, Int64(most))
    }
    // An unreadable earlier state is lost.
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
