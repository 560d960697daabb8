import Quantities

/// The bounding box of a layer. Its sides lie on a grid of 0.01°, outwards of every place it has
/// seen, so that it is rewritten when the carrier comes to a new area and not with every point.
struct Extent: Equatable {
  var minLongitude: Double
  var minLatitude: Double
  var maxLongitude: Double
  var maxLatitude: Double

  init(minLongitude: Double, minLatitude: Double, maxLongitude: Double, maxLatitude: Double) {
    self.minLongitude = minLongitude
    self.minLatitude = minLatitude
    self.maxLongitude = maxLongitude
    self.maxLatitude = maxLatitude
  }

  init(_ place: Coordinate) {
    let longitude = place.longitude.value
    let latitude = place.latitude.value
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

  func contains(_ place: Coordinate) -> Bool {
    (minLongitude...maxLongitude).contains(place.longitude.value)
      && (minLatitude...maxLatitude).contains(place.latitude.value)
  }

  private static func gridLine(_ degrees: Double, _ rule: FloatingPointRoundingRule) -> Double {
    (degrees * 100).rounded(rule) / 100
  }
}
