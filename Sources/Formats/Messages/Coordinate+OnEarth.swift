import Core

extension Coordinate {
  /// Whether both are numbers, and in range: what others do with a position that is none differs.
  var isOnEarth: Bool {
    Coordinate(checkedLatitude: latitude.value, longitude: longitude.value) != nil
  }
}
