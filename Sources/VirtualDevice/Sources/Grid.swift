import Core

/// A grid of squares of about that size over the whole Earth, and a position in it.
struct Grid {
  let row: Int64
  let column: Int64
  /// Within the square, 0..<1.
  let north: Double
  let east: Double

  init(step: Metres, at position: Coordinate) {
    let rows = position.latitude.value * (Sphere.degree / step)
    let row = rows.rounded(.down)
    let columns = position.longitude.value * (Sphere.degree / step) * Self.width(ofRow: row, step)
    let column = columns.rounded(.down)
    self.row = Int64(row)
    self.column = Int64(column)
    north = rows - row
    east = columns - column
  }

  /// The width of a degree of longitude, relative to one of latitude: a whole row is as wide as its
  /// southern edge. A polynomial for the cosine: no libm, whose last digit differs.
  private static func width(ofRow row: Double, _ step: Metres) -> Double {
    let x = row * (step / Sphere.degree) * .pi / 180
    let square = x * x
    let cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
    return max(cosine, 0.01)
  }
}
