import Ports
import Core
import Records

/// The entries of `gpkg_contents` for the tables: the bounding box of their places, and when they
/// last changed.
struct Contents {
  private var entries: [String: ContentsEntry] = [:]

  /// As in the file. A box that is invalid, or missing although there are places, is computed anew
  /// from the places.
  init(of connection: Connection) throws(PortError) {
    let statement = try connection.prepareOnce(
      "SELECT table_name, last_change, min_x, min_y, max_x, max_y FROM gpkg_contents")
    while try statement.step() {
      guard let name = statement.text(0), let table = Table.all.first(where: { $0.name == name })
      else { continue }
      let lastChange = statement.text(1).flatMap(DateTime.parse)
      let stored = Extent(statement, from: 2)
      entries[name] = ContentsEntry(
        extent: stored, lastChange: lastChange ?? UTCInstant(nanoseconds: 0))
      if stored == nil, table.isLayer { try measure(name, in: connection) }
    }
  }

  mutating func include(_ place: Coordinate, in table: String) { entries[table]?.include(place) }

  mutating func changed(_ table: String, at time: UTCInstant?) { entries[table]?.changed(at: time) }

  /// Computes the box of a layer from all its readable places, after rows were deleted or if the
  /// box is unknown.
  mutating func measure(_ table: String, in connection: Connection) throws(PortError) {
    let statement = try connection.prepareOnce("SELECT geom FROM \(table)")
    var extent: Extent?
    while try statement.step() {
      guard let box = Extent(geometry: 0, of: statement) else { continue }
      extent = extent?.united(with: box) ?? box
    }
    entries[table]?.replaceExtent(extent)
  }

  /// Writes due updates; all of them when `closing`.
  mutating func write(to connection: Connection, closing: Bool) throws(PortError) {
    for table in Table.all {
      try entries[table.name]?.write(to: connection, table: table.name, closing: closing)
    }
  }
}

/// A table's row in `gpkg_contents`: the bounding box of its places and when it last changed.
///
/// `last_change` is the time of the newest record, never the clock's, so that the same records give
/// the same file. It is updated once an hour and when the store closes: a row that changed with
/// every record would double the writes to flash.
struct ContentsEntry {
  private(set) var extent: Extent?
  private var lastChange: UTCInstant?
  private var writtenChange: UTCInstant?
  private var extentIsWritten = true

  static let interval: Seconds = 3600

  init(extent: Extent?, lastChange: UTCInstant) {
    self.extent = extent
    self.lastChange = lastChange
    writtenChange = lastChange
  }

  mutating func include(_ place: Coordinate) {
    if let extent, extent.contains(place) { return }
    extent = extent.map { $0.united(with: Extent(place)) } ?? Extent(place)
    extentIsWritten = false
  }

  mutating func changed(at time: UTCInstant?) {
    guard let time else { return }
    lastChange = max(lastChange ?? time, time)
  }

  /// Sets the box after rows were deleted.
  mutating func replaceExtent(_ new: Extent?) {
    guard new != extent else { return }
    extent = new
    extentIsWritten = false
  }

  /// Writes due updates; all of them when `closing`.
  mutating func write(
    to connection: Connection, table: String, closing: Bool
  ) throws(PortError) {
    guard isDue(closing: closing) else { return }
    let statement = try connection.prepared(
      """
      UPDATE gpkg_contents SET min_x = ?2, min_y = ?3, max_x = ?4, max_y = ?5,
        last_change = coalesce(?6, last_change) WHERE table_name IN (?1, ?7)
      """, doing: "write to")
    statement.bind(1, table)
    statement.bind(2, extent?.minLongitude)
    statement.bind(3, extent?.minLatitude)
    statement.bind(4, extent?.maxLongitude)
    statement.bind(5, extent?.maxLatitude)
    statement.bind(6, lastChange)
    // Lines between points have the same bounding box.
    statement.bind(7, Record.lineLayers.first { $0.points.name == table }?.name)
    try statement.run()
    extentIsWritten = true
    writtenChange = lastChange
  }

  private func isDue(closing: Bool) -> Bool {
    guard extentIsWritten else { return true }
    guard let lastChange, lastChange != writtenChange else { return false }
    guard let writtenChange, !closing else { return true }
    return lastChange - writtenChange >= Self.interval
  }
}
