import Places
import Core

/// Short forms for test geometries.
enum Drawn {
  static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }

  /// Anticlockwise, closed.
  static func box(west: Double, south: Double, east: Double, north: Double) -> [Coordinate] {
    [at(south, west), at(south, east), at(north, east), at(north, west), at(south, west)]
  }

  static func id(_ number: UInt8) -> PlaceID {
    PlaceID(bytes: Array(repeating: 0, count: 15) + [number])!
  }

  static func details(_ change: (inout PlaceDetails) -> Void = { _ in }) -> PlaceDetails {
    var details = PlaceDetails(
      name: "School", location: .fixed(at(41.177839, -8.607746)),
      perimeter: .circle(radius: 100), owner: "ana")
    change(&details)
    return details
  }
}
