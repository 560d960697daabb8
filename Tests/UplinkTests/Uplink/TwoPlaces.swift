import Formats
import Places
import Core
import Records

/// A place that everybody may see, and one that only anna may see.
enum TwoPlaces {
  static let rows = [row(1, "School", .open), row(2, "Meet", .only(people: ["anna"], groups: []))]

  private static func row(_ number: UInt8, _ name: String, _ visibility: PlaceVisibility)
    -> PlaceRow
  {
    var details = PlaceDetails(
      name: name, location: .fixed(Coordinate(latitude: 52.5, longitude: 5.25)),
      perimeter: .circle(radius: 50), owner: "carl")
    details.visibility = visibility
    guard let id = PlaceID(bytes: Array(repeating: 0, count: 15) + [number]),
      let place = try? Place(id: id, details)
    else { preconditionFailure("the places of tests are places") }
    return PlaceRow(place)
  }
}
