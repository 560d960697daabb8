import Core
import Ports
import Records

/// Reads the places around the middle of a box: first those that contain it or are nearest to it,
/// by their bounding boxes, of those that reach into the box; then those that move with a device,
/// which may be anywhere. Circles come before areas.
///
/// Only their ids are sorted: rows may be large.
struct NearestPlaceCursor: ReadableRows {
  private var circles: RowCursor<StoredCircle>
  private var areas: RowCursor<StoredArea>
  /// In reverse order: the next one is last.
  private var waiting: [(layer: PlaceSchema.Layer, id: Int64)] = []
  /// How many of the stationary ones.
  private(set) var count = 0
  /// As many as can be watched (`EdgeLimit.most`). Reading them blocks the loop: some tenths of a
  /// second at most.
  private static let mostCorners = 500_000
  private var cornersLeft: Int
  /// Whether the rest was left out because of too many corners.
  private(set) var hasStopped = false

  /// - Parameter most: limit for the stationary ones of each layer, and for those of each layer
  ///   that move with a device.
  init(
    _ connection: Connection, around box: GeographicBox, atMost most: Int,
    corners: Int = mostCorners
  ) throws(PortError) {
    cornersLeft = corners
    circles = try RowCursor(connection, "WHERE id = ?1")
    areas = try RowCursor(connection, "WHERE id = ?1")
    let middle = box.middle
    for layer in PlaceSchema.Layer.allCases {
      let nearest = try connection.prepareOnce(layer.nearestIDs)
      nearest.bind(box)
      nearest.bind(5, Int64(most))
      nearest.bind(6, middle.longitude)
      nearest.bind(7, middle.latitude)
      let ids = try Self.ids(of: nearest)
      count += ids.count
      let moving = try connection.prepareOnce(layer.idsWithDevice + " LIMIT ?1")
      moving.bind(1, Int64(most))
      waiting += (ids + (try Self.ids(of: moving))).map { (layer, $0) }
    }
    waiting.reverse()
  }

  private static func ids(of statement: Statement) throws(PortError) -> [Int64] {
    var ids: [Int64] = []
    while try statement.step() {
      if let id = statement.integer(0) { ids.append(id) }
    }
    return ids
  }

  /// The next one; nil after the last.
  /// - Throws: `corrupt` if a row is unreadable; the next call continues after it.
  mutating func next() throws(PortError) -> PlaceRow? {
    while let (layer, id) = waiting.popLast() {
      let row: PlaceRow? =
        switch layer {
        case .circles: try circles.row(id).map { .circle($0) }
        case .areas: try areas.row(id).map { .area($0) }
        }
      guard let row else { continue }
      cornersLeft -= row.cornerCount
      if cornersLeft >= 0 { return row }
      waiting = []
      hasStopped = true
    }
    return nil
  }
}

extension PlaceRow {
  fileprivate var cornerCount: Int {
    guard case .area(let area) = self else { return 0 }
    return area.polygons?.lazy.flatMap { $0 }.reduce(0) { $0 + $1.count } ?? 0
  }
}

extension Statement {
  /// As `?1` to `?4`.
  func bind(_ box: GeographicBox) {
    bind(1, box.west)
    bind(2, box.east)
    bind(3, box.south)
    bind(4, box.north)
  }
}

extension PlaceSchema.Layer {
  /// Ids of those whose box reaches into the box of `?1` to `?4`.
  ///
  /// Boxes in the index may extend beyond 180 degrees, where the box of the query may wrap around,
  /// and vice versa.
  var idsInBox: String { inBox("(id - \(rawValue)) / 2") }

  /// Ids of those that move with a device.
  var idsWithDevice: String { "SELECT id FROM \(table.name) WHERE follows_device NOT NULL" }

  /// Ids of at most `?5` stationary ones in that box: first those nearest to its middle at
  /// longitude `?6` and latitude `?7`, and of those that contain it, the smallest. The box is about
  /// as wide as high, so distances are measured in units of its size.
  var nearestIDs: String {
    let east = [0, 360, -360].map { "max(west - ?6 + \($0), ?6 - east - \($0), 0)" }
    let columns = """
      (id - \(rawValue)) / 2 AS id, (east - west) * (north - south) AS size,
        min(\(east.joined(separator: ", "))) / (?2 - ?1 + (?1 > ?2) * 360)
        + max(south - ?7, ?7 - north, 0) / (?4 - ?3) AS distance
      """
    return """
      SELECT id FROM (\(inBox(columns)))
      WHERE id NOT IN (\(idsWithDevice)) ORDER BY distance, size, id LIMIT ?5
      """
  }

  private func inBox(_ columns: String) -> String {
    let parts = [0, 360, -360].flatMap { (turn: Int) in
      [
        """
        SELECT \(columns) FROM \(PlaceSchema.index)
        WHERE west <= ?2 + (?1 > ?2) * 360 + \(turn) AND east >= ?1 + \(turn)
          AND south <= ?4 AND north >= ?3 AND \(PlaceSchema.index).id % 2 = \(rawValue)
        """
      ]
    }
    return parts.joined(separator: "\nUNION ")
  }
}
