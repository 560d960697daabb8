import Core
import Records

extension Location {
  /// Whether it tells anything: on the Earth, with an error that is a number.
  var isSomewhere: Bool {
    accuracy >= 0 && accuracy.isFinite
      && Coordinate(
        checkedLatitude: position.latitude.value, longitude: position.longitude.value) != nil
  }
}
