import Core

/// A place with a drawn perimeter.
public struct StoredArea: Hashable, Sendable {
  public var id: Int64
  /// Polygons, each as rings, the outer one first, each as corners; nil: nothing is drawn.
  public var polygons: [[[Coordinate]]]?
  /// The target for directions within the area; nil: anywhere.
  public var latitude: Degrees?
  public var longitude: Degrees?
  public var place: StoredPlace

  public init(
    id: Int64, polygons: [[[Coordinate]]]?, latitude: Degrees?, longitude: Degrees?,
    _ place: StoredPlace
  ) {
    self.id = id
    self.polygons = polygons
    self.latitude = latitude
    self.longitude = longitude
    self.place = place
  }
}

extension StoredArea: StoredRecord {
  public static let table = RecordTable<Self>(
    "place_areas", "Places whose perimeter is drawn", key: .given { $0.id },
    mostBytes: StoredPlace.mostBytes,
    columns: [
      .optionalPolygons("Area of the place.") { $0.polygons },
      .optionalQuantity("latitude_deg", "Target of navigation; empty: the centre.") {
        $0.latitude
      },
      .optionalQuantity("longitude_deg", "Target of navigation; empty: the centre.") {
        $0.longitude
      },
    ] + StoredPlace.columns { $0.place })

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      id: try row.identifier(), polygons: try row.optionalPolygons("geom"),
      latitude: try row.optionalQuantity("latitude_deg"),
      longitude: try row.optionalQuantity("longitude_deg"),
      try StoredPlace(row: row))
  }

  public var record: Record { .placeArea(self) }
  public var isUrgent: Bool { true }
}
