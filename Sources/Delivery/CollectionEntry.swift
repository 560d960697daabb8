import Core
import Records

/// What a collector does with a record, whatever it keeps its collection in.
public enum CollectionEntry: Sendable {
  /// Counted: the board had no room left to wait with it.
  case dropped
  /// It goes, of all streams, and an earlier word of it does not bring it back.
  case withdrawn
  /// The values of the layer's columns, and as JSON what there is no column for.
  case row(TableLayout, [StoredValue], others: String?)
  /// Of a newer board's kinds, or with columns that cannot be understood: as it came, as JSON.
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
