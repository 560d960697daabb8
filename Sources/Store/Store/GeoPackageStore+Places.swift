import Core
import Ports
import Records

/// The store's queries for watching places.
extension GeoPackageStore {
  public func placeState() throws(PortError) -> String? { try connection.remembered(.placeState) }

  public func places(
    near box: GeographicBox, atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(PortError) -> PlaceReading {
    var nearest = try NearestPlaceCursor(connection, around: box, atMost: most + 1)
    var remarks: [String] = []
    while let row = try nearest.nextReadable({ remarks.append($0) }) { take(row) }
    return PlaceReading(isCut: nearest.count > most || nearest.hasStopped, remarks: remarks)
  }

  public func place(uuid: String) throws(PortError) -> PlaceRow? {
    var cursor = try PlaceCursor(connection, "WHERE uuid = ?1") { $0.bind(1, uuid) }
    // An unreadable one counts as none.
    var remarks: [String] = []
    return try cursor.readable(&remarks).first
  }

  public func alerts() throws(PortError) -> StoredAlerts { try EnabledAlerts(connection).found }

  public func waitingNotices(atMost most: Int) throws(PortError) -> [Notice] {
    let condition = "WHERE command = '\(Notice.Handling.waiting.rawValue)' ORDER BY id"
    var cursor = try RowCursor<Notice>(connection, condition)
    // `godwit store check` reports an unreadable one.
    return try cursor.firstReadable(most)
  }

  public func placeEnds(
    after mark: PlaceEndMark, by end: UTCInstant, unnoticed: Bool, atMost most: Int
  ) throws(PortError) -> PlaceEndPage {
    try PlaceEndQuery(connection, unnoticed: unnoticed).page(after: mark, by: end, atMost: most)
  }

  public func placesVisited(
    onDays days: Int, atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(PortError) {
    // Days are those of UTC, which differ little from local days for a frequent visitor.
    var cursor = try PlaceCursor(
      connection,
      """
      WHERE uuid IN (
        SELECT place_uuid FROM crossings WHERE change <> '\(Crossing.Change.left.rawValue)'
        GROUP BY place_uuid HAVING count(DISTINCT substr(time, 1, 10)) >= \(days))
      ORDER BY id LIMIT \(most)
      """
    ) { _ in }
    // An unreadable one is reported where places are watched.
    while let row = try cursor.nextReadable({ _ in }) { take(row) }
  }

  public func placesWithBeacons(
    atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(PortError) -> PlaceReading {
    var cursor = try PlaceCursor(
      // The value is not read here: it may be longer than the limit for reading.
      connection, "WHERE typeof(beacons) <> 'null' ORDER BY id"
    ) { _ in }
    var reading = PlaceReading()
    var count = 0
    while !reading.isCut, let row = try cursor.nextReadable({ reading.remarks.append($0) }) {
      guard row.place.beacons?.isEmpty == false else { continue }
      count += 1
      reading.isCut = count > most
      if !reading.isCut { take(row) }
    }
    return reading
  }

  /// Changes by this connection do not count (sqlite.org/pragma.html#pragma_data_version).
  public func editMark() throws(PortError) -> Int64? {
    try connection.integer("PRAGMA data_version")
  }
}
