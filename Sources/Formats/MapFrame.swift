import Core

/// Maps positions to the drawing: everything shown fits, and the scale is the same in both
/// directions.
struct MapFrame {
  struct Point: Hashable {
    let x: Double
    let y: Double
  }

  private let plane: LocalPlane
  private let centre: LocalPlane.Point
  private let middle: Point
  private let pixelsPerMetre: Double

  /// Nil: there is nothing to show.
  init?(_ positions: [Coordinate], width: Double, height: Double, margin: Double) {
    guard let first = positions.first else { return nil }
    // Around the middle of the latitudes, so that east and north have the same scale there.
    let latitudes = positions.map(\.latitude.value)
    let latitude = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
    plane = LocalPlane(
      origin: Coordinate(latitude: Degrees(latitude), longitude: first.longitude))
    let points = positions.map(plane.point)
    let east = points.map(\.east.value)
    let north = points.map(\.north.value)
    let (west, south) = (east.min() ?? 0, north.min() ?? 0)
    let (spanEast, spanNorth) = ((east.max() ?? 0) - west, (north.max() ?? 0) - south)
    centre = LocalPlane.Point(
      east: Metres(west + spanEast / 2), north: Metres(south + spanNorth / 2))
    middle = Point(x: width / 2, y: height / 2)
    // Nothing is shown larger than a street.
    pixelsPerMetre = min(
      (width - 2 * margin) / max(100, spanEast), (height - 2 * margin) / max(100, spanNorth))
  }

  func point(_ position: Coordinate) -> Point {
    let point = plane.point(position)
    return Point(
      x: middle.x + pixels(point.east - centre.east),
      y: middle.y - pixels(point.north - centre.north))
  }

  func pixels(_ length: Metres) -> Double { length.value * pixelsPerMetre }

  /// The longest length of 1, 2 or 5 times a power of ten within so many pixels.
  func roundLength(about pixels: Double) -> Metres {
    let limit = pixels / pixelsPerMetre
    let factors = [2, 2.5, 2]
    var length = 1.0
    var step = 0
    while length * factors[step % 3] <= limit {
      length *= factors[step % 3]
      step += 1
    }
    return Metres(length)
  }
}
