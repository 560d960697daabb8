import Core

/// A place with a radius.
public struct StoredCircle: Hashable, Sendable {
  public var id: Int64
  /// Nil if the place follows a device.
  public var centre: Coordinate?
  public var radius: Metres?
  public var place: StoredPlace

  public init(id: Int64, centre: Coordinate?, radius: Metres?, _ place: StoredPlace) {
    self.id = id
    self.centre = centre
    self.radius = radius
    self.place = place
  }
}

extension StoredCircle: StoredRecord {
  public static let table = RecordTable<Self>(
    "places", "Places with a radius", key: .given { $0.id },
    mostBytes: StoredPlace.mostBytes,
    columns: [
      .optionalPosition("Centre; empty for a place that moves with a device.") { $0.centre },
      .optionalQuantity("radius_m", "Radius.") { $0.radius },
    ] + StoredPlace.columns { $0.place })

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      id: try row.identifier(), centre: try row.optionalPosition("geom"),
      radius: try row.optionalQuantity("radius_m"), try StoredPlace(row: row))
  }

  public var record: Record { .placeCircle(self) }
  public var isUrgent: Bool { true }
}
