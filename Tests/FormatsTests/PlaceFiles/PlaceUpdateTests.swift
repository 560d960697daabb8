import Formats
import Places
import Core
import TestSupport
import Testing

/// Re-importing a file with places that are already in the store.
@Suite struct PlaceUpdateTests {
  private static let defaults = PlaceFileRun.defaults

  /// An area with properties that OwnTracks' waypoints cannot hold.
  private static func park() throws -> Place {
    let corners = [(52.1, 5.1), (52.1, 5.11), (52.11, 5.11), (52.1, 5.1)].map {
      Coordinate(latitude: Degrees($0.0), longitude: Degrees($0.1))
    }
    var details = PlaceDetails(
      name: "Park", location: .fixed(Coordinate(latitude: 52.103, longitude: 5.107)),
      perimeter: .polygons([PerimeterPolygon(outer: corners)]), owner: "ben")
    details.tags = ["green"]
    details.contents = [PlaceContent(mediaType: "text/plain", text: "closed at night")]
    var random = SplitMix(seed: 1)
    return try Place(id: .made(using: &random), version: 4, details)
  }

  /// The place as read from its exported file after a user's change.
  private static func update(
    _ known: Place, as format: PlaceFileFormat, _ change: (inout PlaceDetails) -> Void
  ) throws -> Place {
    let text = PlaceFileRun.text([known], as: format)
    let read = try #require(PlaceFileRun(text, as: format).places.first)
    var details = read.details
    change(&details)
    return format.update(known, with: try Place(id: read.id, details), defaults)
  }

  @Test(
    "re-importing an export leaves a place unchanged, whatever the format cannot hold",
    arguments: PlaceFileFormat.allCases)
  func unchanged(format: PlaceFileFormat) throws {
    var random = RandomPlaces(seed: 8)
    for place in try [Self.park()] + random.places(60) {
      let run = PlaceFileRun(PlaceFileRun.text([place], as: format), as: format)
      guard let read = run.places.first else { continue }
      #expect(format.update(place, with: read, Self.defaults) == place)
    }
  }

  @Test(
    "changed values of a file are accepted, and the rest stays",
    arguments: [PlaceFileFormat.owntracks, .gpx])
  func changed(format: PlaceFileFormat) throws {
    let park = try Self.park()
    let renamed = try Self.update(park, as: format) { $0.name = "Garden" }
    #expect(renamed.name == "Garden" && renamed.version == 5)
    var details = renamed.details
    details.name = "Park"
    #expect(details == park.details)
    let narrow = try Self.update(park, as: format) { $0.perimeter = .circle(radius: 90) }
    #expect(narrow.perimeter == .circle(radius: 90) && narrow.location != park.location)
    #expect(narrow.contents == park.contents && narrow.owner == "ben")
  }

  @Test("values that a file omits although its format can hold them are removed")
  func removed() throws {
    let park = try Self.park()
    let bare = try Self.update(park, as: .gpx) { $0.tags = [] }
    #expect(bare.tags.isEmpty && bare.perimeter == park.perimeter)
    let newer = PlaceFileFormat.geojson.update(
      park, with: try Place(id: park.id, version: 9, bare.details), Self.defaults)
    #expect(newer.tags.isEmpty && newer.version == 9)
  }
}
