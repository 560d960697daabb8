import Core
import Records

/// What a collector does with a record, whatever holds its collection.
public enum CollectionEntry: Sendable {
  /// Counted: the board's outbox had no room to keep it.
  case dropped
  /// It is deleted, in all streams, and an earlier version of it does not restore it.
  case withdrawn
  /// The values of the layer's columns, and as JSON the members without a column.
  case row(TableLayout, [StoredValue], others: String?)
  /// Of a kind from a newer board, or with invalid columns: as received, in JSON.
  case other(String)

  /// The tables of a collection that hold records.
  public static let layers = Record.ofBoard.map { $0.layout }
}

extension CollectedRecord {
  public var entry: CollectionEntry {
    switch content {
    case .dropped: return .dropped
    case .withdrawn: return .withdrawn
    case .row(let members):
      guard let table = CollectionEntry.layers.first(where: { $0.name == layer }),
        let (values, others) = try? values(of: table)
      else { return .other(JSONValue.object(members).text) }
      return .row(table, values, others: others.isEmpty ? nil : JSONValue.object(others).text)
    }
  }
}
