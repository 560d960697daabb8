import Geodesy
import Ports
import Records

/// What watching places asks of the store.
extension GeoPackageStore {
  public func placeState() throws(StoreError) -> String? { try connection.remembered(.placeState) }

  public func places(
    near box: GeographicBox, atMost most: Int
  ) throws(StoreError) -> StoredPlaces {
    var cursor = try PlaceCursor(connection, near: box, atMost: most + 1)
    var found = try cursor.fitting()
    if found.rows.count(where: { $0.place.device == nil }) > most { found.isCut = true }
    return found
  }

  public func place(uuid: String) throws(StoreError) -> PlaceRow? {
    var cursor = try PlaceCursor(connection, "WHERE uuid = ?1") { $0.bind(1, uuid) }
    // One that cannot be read is as good as none.
    var remarks: [String] = []
    return try cursor.readable(&remarks).first
  }

  public func alerts() throws(StoreError) -> StoredAlerts {
    var cursor = try RowCursor<StoredAlert>(connection, "ORDER BY id LIMIT \(StoredAlert.most)")
    var found = StoredAlerts()
    found.rows = try cursor.readable(&found.remarks)
    return found
  }

  public func waitingNotices(atMost most: Int) throws(StoreError) -> [Notice] {
    var cursor = try RowCursor<Notice>(
      connection, "WHERE command = '\(Notice.Handling.waiting.rawValue)' ORDER BY id LIMIT ?1"
    ) { $0.bind(1, Int64(most)) }
    // One that cannot be read is for `godwit store check` to tell.
    var remarks: [String] = []
    return try cursor.readable(&remarks)
  }

  public func placesVisited(
    onDays days: Int, atMost most: Int
  ) throws(StoreError) -> [PlaceRow] {
    // Days are those of UTC: whoever comes often comes on several of either.
    var cursor = try PlaceCursor(
      connection,
      """
      WHERE uuid IN (
        SELECT place_uuid FROM crossings WHERE change <> '\(Crossing.Change.left.rawValue)'
        GROUP BY place_uuid HAVING count(DISTINCT substr(time, 1, 10)) >= ?1)
      ORDER BY id LIMIT ?2
      """
    ) { statement in
      statement.bind(1, Int64(days))
      statement.bind(2, Int64(most))
    }
    // One that cannot be read is told of where it is watched.
    return try cursor.fitting().rows
  }

  public func placesWithBeacons(atMost most: Int) throws(StoreError) -> StoredPlaces {
    var cursor = try PlaceCursor(
      connection, "WHERE beacons <> '' ORDER BY id LIMIT ?1"
    ) { $0.bind(1, Int64(most) + 1) }
    var found = try cursor.fitting()
    if found.rows.count > most {
      found.isCut = true
      found.rows.removeLast()
    }
    return found
  }

  /// SQLite's own changes do not count (sqlite.org/pragma.html#pragma_data_version).
  public func editMark() throws(StoreError) -> Int64? {
    try connection.integer("PRAGMA data_version")
  }
}
