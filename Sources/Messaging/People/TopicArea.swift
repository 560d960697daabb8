import Core

/// A tile of the Earth about 28 km long and wide, as a level of MQTT topics. What is for everybody
/// around is published in the areas that it touches, and a board hears those around itself: so a
/// broker sends it what is near and nothing else, as Landsmann's server did for a box of 20 km
/// (2013, 4.5.2).
public struct TopicArea: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Landsmann's, in each of the four directions.
  public static let reach: Metres = 10_000
  /// What is larger than so many areas is for no topic.
  public static let most = 64

  private static let rows = 720

  /// From the south, 0...719.
  private let row: Int
  /// From the antimeridian to the east; rows near the poles have fewer.
  private let column: Int

  private init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }

  /// The one that a position is in.
  public init(of position: Coordinate) {
    row = Self.row(position.latitude)
    column = Self.column(position.longitude, in: row)
  }

  /// Landsmann's box around a position.
  public static func box(around position: Coordinate) -> GeographicBox {
    SphericalCap(centre: position, radius: reach).box
  }

  /// Those that touch a box, in their order; nil when there are more than `most`.
  public static func covering(_ box: GeographicBox) -> [TopicArea]? {
    var areas: [TopicArea] = []
    for row in row(box.south)...row(max(box.north, box.south)) {
      let columns = columns(in: row)
      let west = column(box.west, in: row)
      let east = column(box.east, in: row)
      var count = (east - west + columns) % columns + 1
      // A box may go nearly all around, and end in the column that it begins in.
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

  /// As many as make the areas of a row about as wide as they are long, by whole numbers alone: all
  /// boards must come to the same. A parabola stands for the cosine, so that towards the poles they
  /// become a fifth narrower than they are long.
  private static func columns(in row: Int) -> Int {
    let fromPole = min(row, rows - 1 - row) * 2 + 1
    // 1440 · (1 - (distance from the equator)²), of which both are parts of a quarter turn.
    let fromEquator = rows - fromPole
    return max(1, 1440 * (rows * rows - fromEquator * fromEquator) / (rows * rows))
  }
}
