import Formats
import Places
import Core
import Records
import TestSupport
import Testing

/// Places as rows of a store, and rows as people fill them in.
@Suite struct PlaceRowTests {
  private static let defaults = PlaceFileDefaults(owner: "me", radius: 50)
  private static let uuid = "0d7a6f6e-8a2b-4c53-9a90-2f3f1c6d0001"

  @Test("every place is read back from its row unchanged", arguments: 1...4 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = RandomPlaces(seed: seed)
    for place in try random.places(100) {
      let entry = PlaceRow(place).entry(Self.defaults)
      #expect(entry.place == place, "\(entry)")
      #expect(entry.notices.isEmpty, "\(entry.notices)")
    }
  }

  private static func drawn(_ change: (inout StoredPlace) -> Void) -> PlaceRow {
    var place = StoredPlace()
    place.uuid = uuid
    place.name = "Quay"
    change(&place)
    return .circle(
      StoredCircle(id: 7, centre: Coordinate(latitude: 52, longitude: 5), radius: 20, place))
  }

  @Test("empty fields get defaults") func presumed() throws {
    let place = try #require(Self.drawn { $0.tags = "food, boats" }.entry(Self.defaults).place)
    #expect(place.owner == "me" && place.tags == ["food", "boats"] && place.version == 1)
    let bare = PlaceRow.circle(
      StoredCircle(
        id: 8, centre: Coordinate(latitude: 52, longitude: 5), radius: nil,
        Self.drawn { $0.name = nil }.place))
    let entry = bare.entry(Self.defaults)
    #expect(entry.place?.perimeter == .circle(radius: 50) && entry.place?.name == "Place 8")
    #expect(entry.notices.count == 2)
  }

  @Test("an invalid row is reported with its number, field and reason") func faults() {
    func error(_ change: (inout StoredPlace) -> Void) -> String? {
      Self.drawn(change).entry(Self.defaults).error?.description
    }
    let row = "places row 7 \"Quay\": "
    #expect(error { $0.uuid = "seven" }?.hasPrefix("\(row)uuid: \"seven\" is not a UUID") == true)
    #expect(error { $0.uuid = nil }?.hasPrefix("\(row)uuid: it is empty") == true)
    #expect(error { $0.contents = "{" }?.hasPrefix("\(row)contents: not JSON at byte 1") == true)
    #expect(error { $0.relationships = "[{}]" }?.hasPrefix("\(row)relationships[0]: ") == true)
    #expect(error { $0.device = "guide" }?.hasPrefix("\(row)follows: ") == true)
    #expect(error { $0.version = -3 }?.hasPrefix("\(row)version: -3") == true)
    let area = StoredArea(id: 9, polygons: [[]], latitude: nil, longitude: nil, StoredPlace())
    var drawn = area
    drawn.place.uuid = Self.uuid
    let entry = PlaceRow.area(drawn).entry(Self.defaults)
    #expect(entry.error?.description.hasPrefix("place_areas row 9: perimeter.polygons[0]") == true)
  }
}
