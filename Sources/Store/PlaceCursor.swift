import Geodesy
import Ports
import Records

/// Reads the places of a store, with the rows that no place can be made of.
public struct PlaceCursor {
  private var circles: RowCursor<StoredCircle>
  private var areas: RowCursor<StoredArea>
  private var isThroughCircles = false

  /// All of them, the circles first, each layer in the order of its ids.
  public init(_ reader: StoreReader) throws(StoreError) {
    try self.init(reader.connection, "ORDER BY id") { _ in }
  }

  /// Those whose perimeter may reach into a box; and those that go with a device, which may be
  /// anywhere.
  public init(_ reader: StoreReader, near box: GeographicBox) throws(StoreError) {
    try self.init(reader.connection, near: box, atMost: -1)
  }

  /// - Parameter most: so many of each layer that stay where they are, and so many of each that go
  ///   with a device; less than 0: all of them.
  init(
    _ connection: Connection, near box: GeographicBox, atMost most: Int
  ) throws(StoreError) {
    try self.init(
      connection, Self.condition(.circles), Self.condition(.areas)
    ) { statement in
      statement.bind(5, Int64(most))
      statement.bind(1, box.west)
      statement.bind(2, box.east)
      statement.bind(3, box.south)
      statement.bind(4, box.north)
    }
  }

  /// Boxes in the index may go beyond 180 degrees, where what is asked for may begin anew, and the
  /// other way round.
  private static func condition(_ layer: PlaceSchema.Layer) -> String {
    let parts = [0, 360, -360].flatMap { (turn: Int) in
      [
        """
        SELECT (id - \(layer.rawValue)) / 2 FROM \(PlaceSchema.index)
        WHERE west <= ?2 + (?1 > ?2) * 360 + \(turn) AND east >= ?1 + \(turn)
          AND south <= ?4 AND north >= ?3 AND id % 2 = \(layer.rawValue)
        """
      ]
    }
    return """
      WHERE id IN (SELECT * FROM (\(parts.joined(separator: "\nUNION "))) LIMIT ?5)
        OR id IN (
          SELECT id FROM \(layer.table.name) WHERE follows_device NOT NULL LIMIT ?5)
      ORDER BY id
      """
  }

  /// - Parameter condition: of SQL, which holds for both layers.
  init(
    _ connection: Connection, _ condition: String, bind: (Statement) -> Void
  ) throws(StoreError) {
    try self.init(connection, condition, condition, bind: bind)
  }

  private init(
    _ connection: Connection, _ circleCondition: String, _ areaCondition: String,
    bind: (Statement) -> Void
  ) throws(StoreError) {
    circles = try RowCursor(connection, circleCondition, bind: bind)
    areas = try RowCursor(connection, areaCondition, bind: bind)
  }

  /// The next one; nil after the last.
  /// - Throws: `corrupt` with layer, id and column where a row cannot be read; the next call goes
  ///   on behind it.
  public mutating func next() throws(StoreError) -> PlaceRow? {
    if !isThroughCircles {
      if let circle = try circles.next() { return .circle(circle) }
      isThroughCircles = true
    }
    return try areas.next().map { .area($0) }
  }
}

extension PlaceCursor {
  /// Of drawn places that are asked for at once, all together: 8 MB.
  private static let mostCorners = 500_000

  /// As many of those that are left as may be in memory at once.
  mutating func fitting() throws(StoreError) -> StoredPlaces {
    var found = StoredPlaces()
    var corners = 0
    while let row = try nextReadable({ found.remarks.append($0) }) {
      if case .area(let area) = row {
        corners += area.polygons?.joined().reduce(0) { $0 + $1.count } ?? 0
      }
      guard corners <= Self.mostCorners else {
        found.remarks.append(
          "the areas around have more than \(Self.mostCorners) corners together, which is all that "
            + "can be watched: some are left out; simplify them")
        return found
      }
      found.rows.append(row)
    }
    return found
  }
}
