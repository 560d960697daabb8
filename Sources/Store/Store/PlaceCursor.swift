import Core
import Ports
import Records

/// Reads the places of a store, and skips rows that are not valid places.
public struct PlaceCursor {
  private var circles: RowCursor<StoredCircle>
  private var areas: RowCursor<StoredArea>
  private var isThroughCircles = false

  /// All of them, circles first, each layer in the order of its ids.
  public init(_ reader: StoreReader) throws(PortError) {
    try self.init(reader.connection, "ORDER BY id") { _ in }
  }

  /// Those whose perimeter may reach into a box; and those that move with a device, which may be
  /// anywhere.
  public init(_ reader: StoreReader, near box: GeographicBox) throws(PortError) {
    func condition(_ layer: PlaceSchema.Layer) -> String {
      "WHERE id IN (\(layer.idsInBox)) OR id IN (\(layer.idsWithDevice)) ORDER BY id"
    }
    try self.init(
      reader.connection, condition(.circles), condition(.areas)
    ) { $0.bind(box) }
  }

  /// - Parameter condition: in SQL, valid for both layers.
  init(
    _ connection: Connection, _ condition: String, bind: (Statement) -> Void
  ) throws(PortError) {
    try self.init(connection, condition, condition, bind: bind)
  }

  private init(
    _ connection: Connection, _ circleCondition: String, _ areaCondition: String,
    bind: (Statement) -> Void
  ) throws(PortError) {
    circles = try RowCursor(connection, circleCondition, bind: bind)
    areas = try RowCursor(connection, areaCondition, bind: bind)
  }

  /// The next one; nil after the last.
  /// - Throws: `corrupt` with layer, id and column if a row is unreadable; the next call continues
  ///   after it.
  public mutating func next() throws(PortError) -> PlaceRow? {
    if !isThroughCircles {
      if let circle = try circles.next() { return .circle(circle) }
      isThroughCircles = true
    }
    return try areas.next().map { .area($0) }
  }
}
