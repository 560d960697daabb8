import Core
import Records

extension Location {
  /// Whether it is usable: on the Earth, with a finite error.
  var isSomewhere: Bool {
    accuracy >= 0 && accuracy.isFinite
      && Coordinate(
        checkedLatitude: position.latitude.value, longitude: position.longitude.value) != nil
  }
}
