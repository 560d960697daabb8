import Core

/// The bounding box of a layer. Its sides are on a grid of 0.01°, rounded outwards, so that it is
/// rewritten when the board enters a new area and not with every point.
struct Extent: Equatable {
  let minLongitude: Double
  let minLatitude: Double
  let maxLongitude: Double
  let maxLatitude: Double

  /// Nil for an invalid box. Other programs write a box across the date line with its west beyond
  /// its east, and a damaged row may contain anything.
  init?(
    checkedMinLongitude west: Double, minLatitude south: Double, maxLongitude east: Double,
    maxLatitude north: Double
  ) {
    // Comparisons with NaN are false.
    guard -180 <= west, west <= east, east <= 180, -90 <= south, south <= north, north <= 90
    else { return nil }
    self.init(minLongitude: west, minLatitude: south, maxLongitude: east, maxLatitude: north)
  }

  private init(minLongitude: Double, minLatitude: Double, maxLongitude: Double, maxLatitude: Double)
  {
    self.minLongitude = minLongitude
    self.minLatitude = minLatitude
    self.maxLongitude = maxLongitude
    self.maxLatitude = maxLatitude
  }

  init(_ position: Coordinate) {
    let longitude = position.longitude.value
    let latitude = position.latitude.value
    minLongitude = max(-180, Self.gridLine(longitude, .down))
    minLatitude = max(-90, Self.gridLine(latitude, .down))
    maxLongitude = min(180, Self.gridLine(longitude, .up))
    maxLatitude = min(90, Self.gridLine(latitude, .up))
  }

  func united(with other: Extent) -> Extent {
    Extent(
      minLongitude: min(minLongitude, other.minLongitude),
      minLatitude: min(minLatitude, other.minLatitude),
      maxLongitude: max(maxLongitude, other.maxLongitude),
      maxLatitude: max(maxLatitude, other.maxLatitude))
  }

  func contains(_ position: Coordinate) -> Bool {
    minLongitude <= position.longitude.value && position.longitude.value <= maxLongitude
      && minLatitude <= position.latitude.value && position.latitude.value <= maxLatitude
  }

  private static func gridLine(_ degrees: Double, _ rule: FloatingPointRoundingRule) -> Double {
    (degrees * 100).rounded(rule) / 100
  }
}

extension Extent {
  /// The box of the point or the polygons in a column; nil for anything else.
  init?(geometry column: Int32, of row: Statement) {
    if let position = row.position(column) {
      self.init(position)
      return
    }
    let corners = (row.polygons(column) ?? []).joined().joined()
    guard let first = corners.first else { return nil }
    self = corners.reduce(Extent(first)) { $0.contains($1) ? $0 : $0.united(with: Extent($1)) }
  }

  /// The box from four columns: west, south, east, north.
  init?(_ row: Statement, from first: Int32) {
    guard let west = row.real(first), let south = row.real(first + 1),
      let east = row.real(first + 2), let north = row.real(first + 3)
    else { return nil }
    self.init(
      checkedMinLongitude: west, minLatitude: south, maxLongitude: east, maxLatitude: north)
  }
}
