import Core

/// Rounds positions to the middle of a cell: the result is the same within a cell, so an average of
/// many reveals no more.
struct PositionRounding: Hashable, Sendable {
  private static let metresPerDegree = 111_195.0

  /// The edge of a cell.
  let cell: Metres

  /// - Returns: the middle of the cell, and the greatest distance of the board from it.
  func rounded(_ position: Coordinate, _ accuracy: Metres) -> (Coordinate, Metres) {
    let step = cell.value / Self.metresPerDegree
    let latitude = Self.middle(position.latitude.value, step)
    // Cells are as wide as high; around the poles there is one in a row.
    let degree = Sphere.distance(
      Coordinate(latitude: Degrees(min(max(latitude, -90), 90)), longitude: 0),
      Coordinate(latitude: Degrees(min(max(latitude, -90), 90)), longitude: 1))
    let width = min(cell.value / max(degree.value, 1), 360)
    let longitude = Self.middle(position.longitude.value, width)
    let coordinate = Coordinate(
      latitude: Degrees(min(max(latitude, -90), 90)),
      longitude: Degrees(min(max(longitude, -180), 180)))
    // To a corner of the cell.
    return (coordinate, max(accuracy, cell * 0.71))
  }

  private static func middle(_ value: Double, _ step: Double) -> Double {
    ((value / step).rounded(.down) + 0.5) * step
  }
}
