import Ports
import Records

/// Changes the places of a store. Each change is a transaction of its own.
public struct PlaceEditor {
  private let store: GeoPackageStore

  public init(_ store: GeoPackageStore) { self.store = store }

  /// Puts places in, each instead of the one with its UUID, whichever layer that is in. Ids of rows
  /// are given here.
  public func put(_ rows: [PlaceRow]) throws(StoreError) {
    try store.change { (contents) throws(StoreError) in
      let writer = RecordWriter(store.connection)
      for row in rows {
        let id = try place(row)
        try writer.write(row.numbered(id).record, &contents)
      }
    }
  }

  /// Makes room in the other layer.
  /// - Returns: the id that the row has, or shall have.
  private func place(_ row: PlaceRow) throws(StoreError) -> Int64 {
    if let uuid = row.place.uuid {
      for layer in PlaceSchema.Layer.allCases {
        guard let id = try id(of: uuid, in: layer) else { continue }
        if layer == row.layer { return id }
        try delete(uuid, from: layer)
      }
    }
    let name = row.layer.table.name
    let last = try store.connection.integer(
      "SELECT max(id) FROM \(name) WHERE id BETWEEN 0 AND \(RecordIdentifier.highest)")
    return RecordIdentifier.following(last ?? 0)
  }

  private func id(of uuid: String, in layer: PlaceSchema.Layer) throws(StoreError) -> Int64? {
    let statement = try store.connection.prepared(
      "SELECT id FROM \(layer.table.name) WHERE uuid = ?1", doing: "write to")
    statement.bind(1, uuid)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  private func delete(_ uuid: String, from layer: PlaceSchema.Layer) throws(StoreError) {
    let statement = try store.connection.prepared(
      "DELETE FROM \(layer.table.name) WHERE uuid = ?1", doing: "write to")
    statement.bind(1, uuid)
    try statement.run()
  }

  /// - Returns: whether it was there.
  public func remove(uuid: String) throws(StoreError) -> Bool {
    var wasThere = false
    try store.change { (contents) throws(StoreError) in
      for layer in PlaceSchema.Layer.allCases {
        try delete(uuid, from: layer)
        guard store.connection.changes > 0 else { continue }
        wasThere = true
        try contents.measure(layer.table.name, in: store.connection)
      }
    }
    return wasThere
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
