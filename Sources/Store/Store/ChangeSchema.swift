import Records

/// Which records were added or changed, in order, for the uplink. Triggers write it in the
/// transaction of the change itself, so that no record is stored without it; a reader of the log
/// remembers its position itself, and writes nothing here.
///
/// For each record the last change is kept, as long as the record exists. Without a reader nothing
/// is logged.
enum ChangeSchema {
  static let table = "record_changes"

  static var sql: String {
    """
    CREATE TABLE \(table) (
      id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
      layer TEXT NOT NULL,
      record INTEGER NOT NULL,
      is_withdrawn BOOLEAN NOT NULL
    );
    CREATE INDEX \(table)_record ON \(table) (record, layer);
    """ + Record.ofBoard.map { triggers(of: $0.layout.name) }.joined()
  }

  private static func triggers(of layer: String) -> String {
    """

    CREATE TRIGGER \(layer)_noted AFTER INSERT ON \(layer) WHEN \(isWanted)
    BEGIN
      \(note(layer))
    END;
    CREATE TRIGGER \(layer)_noted_again AFTER UPDATE ON \(layer) WHEN \(isWanted)
    BEGIN
      \(note(layer))
    END;
    CREATE TRIGGER \(layer)_not_noted AFTER DELETE ON \(layer) WHEN \(isWanted)
    BEGIN
      DELETE FROM \(table) WHERE record = OLD.id AND layer = '\(layer)' AND NOT is_withdrawn;
    END;
    """
  }

  private static func note(_ layer: String) -> String {
    """
    DELETE FROM \(table) WHERE record = NEW.id AND layer = '\(layer)';
      INSERT INTO \(table) (layer, record, is_withdrawn) VALUES ('\(layer)', NEW.id, 0);
    """
  }

  /// To be run before wrong rows are deleted.
  ///
  /// - Parameter condition: selects them.
  static func withdrawal(from layer: String, where condition: String) -> String {
    """
    INSERT INTO \(table) (layer, record, is_withdrawn)
    SELECT '\(layer)', id, 1 FROM \(layer) WHERE (\(condition)) AND \(isWanted)
    """
  }

  private static let isWanted =
    "EXISTS (SELECT 1 FROM meta WHERE key = '\(MetaKey.changeLog.rawValue)')"
}
