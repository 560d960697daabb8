import Core

/// A tile of the Earth about 28 km long and wide, as a level of MQTT topics. A message for
/// everybody nearby is published in the areas that it touches, and a board subscribes to those
/// around itself. So a broker sends only what is near, as Landsmann's server did for a box of 20 km
/// (2013, 4.5.2).
public struct TopicArea: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Landsmann's distance, in each of the four directions.
  static let reach: Metres = 10_000
  /// The maximum number of areas; anything larger is not published.
  static let most = 64

  private static let rows = 720

  /// From the south, 0...719.
  private let row: Int
  /// From the antimeridian to the east; rows near the poles have fewer.
  private let column: Int

  private init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }

  /// The area that contains a position.
  public init(of position: Coordinate) {
    row = Self.row(position.latitude)
    column = Self.column(position.longitude, in: row)
  }

  /// Landsmann's box around a position.
  static func box(around position: Coordinate) -> GeographicBox {
    SphericalCap(centre: position, radius: reach).box
  }

  /// The areas that touch a box, sorted; nil if there are more than `most`.
  public static func covering(_ box: GeographicBox) -> [TopicArea]? {
    var areas: [TopicArea] = []
    for row in row(box.south)...row(max(box.north, box.south)) {
      let columns = columns(in: row)
      let west = column(box.west, in: row)
      let east = column(box.east, in: row)
      var count = (east - west + columns) % columns + 1
      // A box may extend nearly all around, and end in the column it begins in.
      if count == 1, width(box) > 360 / Double(columns) { count = columns }
      guard areas.count + count <= most else { return nil }
      for step in 0..<count {
        areas.append(TopicArea(row: row, column: (west + step) % columns))
      }
    }
    return areas.sorted()
  }

  public var description: String { "\(row)-\(column)" }

  public static func < (a: Self, b: Self) -> Bool { (a.row, a.column) < (b.row, b.column) }

  private static func width(_ box: GeographicBox) -> Double {
    box.east.value - box.west.value + (box.crossesAntimeridian ? 360 : 0)
  }

  private static func row(_ latitude: Degrees) -> Int { index((latitude.value + 90) * 4, of: rows) }

  private static func column(_ longitude: Degrees, in row: Int) -> Int {
    let columns = columns(in: row)
    return index((longitude.value + 180) / 360 * Double(columns), of: columns)
  }

  private static func index(_ value: Double, of count: Int) -> Int {
    value > 0 ? Int(min(value, Double(count - 1))) : 0
  }

  /// The number of columns that makes the areas of a row about as wide as they are long. It uses
  /// integers only, because all boards must get the same result. A parabola approximates the
  /// cosine, so that areas near the poles are a fifth narrower than long.
  private static func columns(in row: Int) -> Int {
    let fromPole = min(row, rows - 1 - row) * 2 + 1
    // 1440 · (1 - (distance from the equator)²), with the distance as a fraction of a quarter turn.
    let fromEquator = rows - fromPole
    return max(1, 1440 * (rows * rows - fromEquator * fromEquator) / (rows * rows))
  }
}
