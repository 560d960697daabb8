import Core

/// Part of the Earth between two parallels and two meridians. It may cross the 180th meridian: then
/// its west is larger than its east.
public struct CellBox: Hashable, Sendable {
  let south: Double
  let west: Double
  let north: Double
  let east: Double

  /// All in degrees. Nil if it would be empty or beyond the Earth.
  public init?(south: Double, west: Double, north: Double, east: Double) {
    guard south < north, (-90...90).contains(south), (-90...90).contains(north),
      (-180...180).contains(west), (-180...180).contains(east), west != east
    else { return nil }
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  func contains(_ position: Coordinate) -> Bool {
    let latitude = position.latitude.value
    let longitude = position.longitude.value
    guard latitude >= south, latitude <= north else { return false }
    return west < east
      ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
  }
}
