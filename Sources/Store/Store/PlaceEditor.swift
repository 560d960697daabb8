import Ports
import Records

/// Changes the places of a store. Each call is a transaction of its own.
public struct PlaceEditor {
  private let store: GeoPackageStore

  public init(_ store: GeoPackageStore) { self.store = store }

  /// Inserts places, each replacing the one with its UUID in either layer. Ids of rows are assigned
  /// here. Inserts all of them or none.
  public func put(_ rows: [PlaceRow]) throws(PortError) {
    try store.change { (contents) throws(PortError) in
      for row in rows { try put(row, &contents) }
    }
  }

  /// The same for places that come one after the other. Other programs cannot write meanwhile.
  ///
  /// - Parameter produce: calls its argument for each place, with a function that derives the new
  ///   row from the known one of the same UUID if they differ; the call returns whether anything
  ///   has changed. An error of `produce` is rethrown, and nothing is inserted.
  public func putAll(
    _ produce: (
      _ put: (_ row: PlaceRow, _ update: (_ known: PlaceRow) -> PlaceRow) throws(PortError) -> Bool
    ) throws -> Void
  ) throws {
    var failure: (any Error)?
    do throws(PortError) {
      try store.change { (contents) throws(PortError) in
        do {
          try produce { (row, update) throws(PortError) in
            var row = row
            if let known = try self.known(row) {
              if known.isEquivalent(sameAs: row) { return false }
              row = update(known)
              if known.isEquivalent(sameAs: row) { return false }
            }
            try put(row, &contents)
            return true
          }
        } catch {
          failure = error
          throw .failed("some places are missing")
        }
      }
    } catch {
      throw failure ?? error
    }
  }

  /// - Parameter row: as it was read.
  /// - Throws: `busy` if it was changed or removed since.
  public func replace(_ row: PlaceRow, with new: PlaceRow) throws(PortError) {
    try store.change { (contents) throws(PortError) in
      try requireUnchanged(row)
      let isMoved = new.layer != row.layer
      if isMoved { try delete(row) }
      let id = isMoved ? try freeID(in: new.layer) : row.id
      try RecordWriter(store.connection).write(new.numbered(id).record, &contents)
    }
  }

  /// - Parameter row: as it was read.
  /// - Throws: `busy` if it was changed or removed since.
  public func remove(_ row: PlaceRow) throws(PortError) {
    try store.change { (contents) throws(PortError) in
      try requireUnchanged(row)
      try delete(row)
      try contents.measure(row.layer.table.name, in: store.connection)
    }
  }

  // MARK: Rows

  private func put(_ row: PlaceRow, _ contents: inout Contents) throws(PortError) {
    let id = try place(row)
    try RecordWriter(store.connection).write(row.numbered(id).record, &contents)
  }

  /// The place with this UUID in the store.
  private func known(_ row: PlaceRow) throws(PortError) -> PlaceRow? {
    guard let uuid = row.place.uuid?.lowercased() else { return nil }
    return try store.place(uuid: uuid)
  }

  /// Removes the place from the other layer.
  /// - Returns: the present or future id of the row.
  private func place(_ row: PlaceRow) throws(PortError) -> Int64 {
    guard let uuid = row.place.uuid?.lowercased() else { return try freeID(in: row.layer) }
    var own: Int64?
    for layer in PlaceSchema.Layer.allCases {
      let ids = try ids(of: uuid, in: layer)
      guard ids.count <= 1 else {
        throw .failed(
          "several rows of \(layer.table.name) have the UUID \(uuid): empty it in all but one, and "
            + "the others get new ones")
      }
      guard let id = ids.first else { continue }
      if layer == row.layer { own = id } else { try delete(id, from: layer) }
    }
    if let own { return own }
    return try freeID(in: row.layer)
  }

  private func ids(
    of uuid: String, in layer: PlaceSchema.Layer
  ) throws(PortError) -> [Int64] {
    let statement = try store.connection.prepared(
      "SELECT id FROM \(layer.table.name) WHERE uuid = ?1 LIMIT 2", doing: "write to")
    statement.bind(1, uuid)
    defer { statement.reset() }
    var ids: [Int64] = []
    while try statement.step() { ids.append(statement.id) }
    return ids
  }

  /// After all others, or in the first gap if the last possible id is in use.
  private func freeID(in layer: PlaceSchema.Layer) throws(PortError) -> Int64 {
    let name = layer.table.name
    let last = try store.lastIdentifier(in: layer.table)
    guard last >= RecordIdentifier.highest else { return last + 1 }
    return try store.connection.integer(
      """
      SELECT min(id) + 1 FROM (SELECT 0 AS id UNION ALL SELECT id FROM \(name) WHERE id > 0) AS a
      WHERE NOT EXISTS (SELECT 1 FROM \(name) WHERE id = a.id + 1)
      """) ?? 1
  }

  private func requireUnchanged(_ row: PlaceRow) throws(PortError) {
    let statement = try store.connection.prepared(
      "SELECT 1 FROM \(row.layer.table.name) WHERE id = ?1 AND uuid IS ?2 AND version IS ?3",
      doing: "write to")
    statement.bind(1, row.id)
    statement.bind(2, row.place.uuid)
    statement.bind(3, row.place.version)
    defer { statement.reset() }
    guard try statement.step() else {
      throw .busy("the place was changed meanwhile: check it, and run the command again")
    }
  }

  private func delete(_ row: PlaceRow) throws(PortError) {
    try delete(row.id, from: row.layer)
  }

  private func delete(_ id: Int64, from layer: PlaceSchema.Layer) throws(PortError) {
    let statement = try store.connection.prepared(
      "DELETE FROM \(layer.table.name) WHERE id = ?1", doing: "write to")
    statement.bind(1, id)
    try statement.run()
  }
}

extension PlaceRow {
  var layer: PlaceSchema.Layer {
    switch self {
    case .circle: .circles
    case .area: .areas
    }
  }
}
