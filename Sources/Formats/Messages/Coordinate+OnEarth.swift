import Core

extension Coordinate {
  /// Whether both are numbers, and in range: receivers differ in how they treat an invalid
  /// position.
  var isOnEarth: Bool {
    Coordinate(checkedLatitude: latitude.value, longitude: longitude.value) != nil
  }
}
