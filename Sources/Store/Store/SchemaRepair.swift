import Ports
import Records

/// Recreates the store's own triggers and indexes that another program has removed: without them
/// records are stored, but not sent on, and places are not found.
struct SchemaRepair {
  /// The result, as text for people; nil: nothing was missing.
  let notice: String?

  /// - Throws: `failed` if the table of one is missing, too: only a repair recreates that.
  init(_ connection: Connection) throws(PortError) {
    let applied = try Migration.appliedCount(Migration.all, in: connection)
    let model = try SchemaModel.after(applied)
    let missing = try SchemaComparison(of: connection, beside: model).missing
    guard !missing.isEmpty else {
      notice = nil
      return
    }
    for entry in missing where try connection.columns(of: entry.table).isEmpty {
      throw .failed(
        "the store \(connection.name) cannot be used: its table \(entry.table) is missing; "
          + "nothing was changed: stop the daemon and run `godwit store repair --store "
          + "\(connection.name)`")
    }
    try connection.transaction { () throws(PortError) in
      let layers = PlaceSchema.Layer.allCases.filter { layer in
        missing.contains { layer.consistencyTriggers.contains($0.name) }
      }
      for layer in layers { try connection.drop(layer.editTriggers) }
      let telling = layers.flatMap(\.editTriggers)
      let others = missing.filter { !telling.contains($0.name) }
      for entry in others { try connection.make(entry) }
      for layer in layers { try connection.execute(layer.ordering, doing: "write to") }
      for entry in model.entries where telling.contains(entry.name) { try connection.make(entry) }
    }
    let isSending = try connection.meta(.changeLog) != nil
    notice = Self.words(missing, in: connection.name, isSending: isSending)
  }

  /// - Parameter isSending: whether the change log is sent on.
  private static func words(
    _ missing: [SchemaEntry], in store: String, isSending: Bool
  ) -> String {
    let names = missing.map { "the \($0.kind.rawValue) \($0.name)" }.joined(separator: ", ")
    let made = "another program has removed from the store \(store): \(names); created again"
    let isNoted = missing.contains { entry in
      entry.kind == .trigger && Record.ofBoard.contains { $0.layout.name == entry.table }
    }
    guard isSending, isNoted else { return made }
    return made
      + "; records made meanwhile are not sent automatically: queue them with `godwit uplink "
      + "queue --from`"
  }
}

extension Connection {
  fileprivate func make(_ entry: SchemaEntry) throws(PortError) {
    try execute(entry.sql, doing: "write to")
  }

  fileprivate func drop(_ triggers: [String]) throws(PortError) {
    for trigger in triggers { try execute("DROP TRIGGER IF EXISTS \(trigger)", doing: "write to") }
  }
}

extension PlaceSchema.Layer {
  /// Those that keep the rows consistent.
  fileprivate var consistencyTriggers: [String] {
    named(["made", "renamed", "found", "moved", "removed"])
  }

  /// Those that record an edit.
  fileprivate var editTriggers: [String] { named(["changed", "edited"]) }

  /// Does to every row what those triggers would have done.
  fileprivate var ordering: String {
    """
    DELETE FROM \(PlaceSchema.index) WHERE id % 2 = \(rawValue);
    UPDATE \(table.name) SET version = 1 WHERE version IS NULL;
    UPDATE \(table.name) SET uuid = uuid, geom = geom;
    """
  }

  private func named(_ suffixes: [String]) -> [String] { suffixes.map { "\(table.name)_\($0)" } }
}
