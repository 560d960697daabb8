import CarriedBoards
import Core
import Formats
import Places
import Records
import Store
import Testing
import TestSupport

/// The services of Chughtai 2015, section 4.3, from end to end: places in a store, a daemon on a
/// virtual board, and the facts that its command receives.
@Suite struct ServicesTests {
  private static let start = UTCInstant(seconds: 1_780_300_800)  // Monday 2026-06-01, 08:00
  private static let square = Coordinate(latitude: 52.0907, longitude: 5.1214)

  /// A point at this distance from the square.
  private static func at(_ distance: Metres, _ bearing: Degrees = 90) -> Coordinate {
    Sphere.destination(from: square, bearing: bearing, distance: distance)
  }

  private let folder: ScratchFolder
  private var path: String { folder.file("services.gpkg") }

  init() throws { folder = try ScratchFolder() }

  private static func id(_ number: UInt8) throws -> PlaceID {
    try #require(PlaceID(bytes: Array(repeating: 0, count: 15) + [number]))
  }

  private static func place(
    _ number: UInt8, _ name: String, _ position: Coordinate, radius: Metres = 60,
    _ change: (inout PlaceDetails) throws -> Void = { _ in }
  ) throws -> Place {
    var details = PlaceDetails(
      name: name, location: .fixed(position), perimeter: .circle(radius: radius), owner: "ana")
    try change(&details)
    return try Place(id: id(number), details)
  }

  private func prepare(_ places: [Place], _ alerts: [(inout StoredAlert) -> Void]) throws {
    let store = try GeoPackageStore(path: path)
    try PlaceEditor(store).put(places.map { PlaceRow($0) })
    for change in alerts {
      var alert = StoredAlert(id: 0)
      alert.name = "service"
      change(&alert)
      _ = try AlertEditor(store).add(alert)
    }
    try store.close()
  }

  @Test("city tour: at each place its contents and the next one (4.3.3)") func tour() throws {
    let stops = [("Cathedral", 0.0), ("Museum", 400), ("Canal", 800)]
    let places = try stops.enumerated().map { index, stop in
      try Self.place(UInt8(index + 1), stop.0, Self.at(Metres(stop.1))) {
        $0.tags = ["tour"]
        $0.contents = [PlaceContent(mediaType: "text/plain", text: "About the \(stop.0)")]
        if index + 1 < stops.count {
          $0.relationships = [
            PlaceRelationship(kind: "next", target: try Self.id(UInt8(index + 2)))
          ]
        }
      }
    }
    try prepare(places, [{ ($0.kind, $0.tag) = ("enter", "tour") }])
    let walk = Stroll(from: Self.start, [-400, 0, 400, 800].map { Self.at($0) }, pause: 300)
    let bench = try CarriedBoard(walk, path: path, visitor: Visitor("rui"))
    bench.run(for: .minutes(50))
    #expect(bench.told("PLACE") == ["Cathedral", "Museum", "Canal"])
    #expect(
      bench.told("CONTENT_TEXT") == ["About the Cathedral", "About the Museum", "About the Canal"])
    #expect(bench.told("RELATED_NEXT") == ["Museum", "Canal", "-"])
  }

  @Test("promotion: in its region and hours, to followers of its kind; with related ones (4.3.4)")
  func promotion() throws {
    let shoes = try Self.place(1, "Shoes", Self.at(300)) {
      $0.tags = ["shoes"]
      $0.followers.isInferredFromVisits = true
    }
    let bakery = try Self.place(2, "Bakery", Self.at(600)) {
      $0.tags = ["food"]
      $0.followers.isInferredFromVisits = true
      $0.contents = [PlaceContent(uri: "https://example.org/rolls", mediaType: "text/html")]
      $0.relationships = [PlaceRelationship(kind: "related", target: try Self.id(3))]
    }
    let cafe = try Self.place(3, "Café", Self.at(900)) {
      $0.tags = ["food"]
      $0.followers.names = ["rui"]
      $0.schedule = PlaceSchedule(
        iCalendar: "DTSTART:20260601T120000Z\r\nDURATION:PT4H\r\nRRULE:FREQ=DAILY\r\n")
    }
    try prepare([shoes, bakery, cafe], [{ ($0.kind, $0.isFollowed) = ("enter", true) }])
    try visitBefore(bakery, days: 3)
    let walk = Stroll(from: Self.start, [-300, 300, 600, 900].map { Self.at($0) }, pause: 300)
    let bench = try CarriedBoard(walk, path: path, visitor: Visitor("rui"))
    bench.run(for: .hours(2))
    #expect(bench.told("PLACE") == ["Bakery"], "nobody follows shoes, and the café is closed")
    #expect(bench.told("CONTENT_URI") == ["https://example.org/rolls"])
    #expect(bench.told("RELATED_RELATED") == ["Café"])
    bench.run(for: .hours(2.1))
    #expect(bench.told("PLACE") == ["Bakery", "Café"], "it opens at noon, and rui stands there")
  }

  private func visitBefore(_ place: Place, days: Int) throws {
    let store = try GeoPackageStore(path: path)
    for day in 1...days {
      let time = Self.start - .days(Double(day))
      try store.write([
        .crossing(
          Crossing(
            id: Int64(day), .entered, time: time, latest: time,
            place: (place.id.description, place.name, 1), position: Self.at(600), accuracy: 5,
            distance: -20, probabilityInside: 0.99))
      ])
    }
    try store.close()
  }

  @Test("meeting: followers are notified when it moves, and others do not see it (4.3.1)")
  func meeting() throws {
    let meeting = try Self.place(1, "Meeting", Self.at(5000), radius: 100) {
      $0.visibility = .only(people: ["rui", "eva"], groups: [])
      $0.followers.names = ["rui"]
      $0.lifetime = PlaceLifetime(from: Self.start, until: Self.start + .hours(3))
    }
    try prepare(
      [meeting],
      ["changed", "enter"].map { kind in { ($0.kind, $0.isFollowed) = (kind, true) } })
    let walk = Stroll(from: Self.start, [Self.at(-300), Self.at(300)], pause: 1200)
    let bench = try CarriedBoard(walk, path: path, visitor: Visitor("rui"))
    bench.run(for: 600)
    var details = meeting.details
    details.location = .fixed(Self.at(300))
    details.lifetime.until = Self.start + .hours(2)
    try bench.edit(try meeting.changed(to: details))
    bench.run(for: 3000)
    #expect(
      bench.told().first == "Meeting has moved 4.7 km to the west, ends at 2026-06-01T10:00:00Z")
    #expect(bench.told("EVENT") == ["changed", "enter"])
    bench.run(for: .hours(2))
    // It has ended: that is a change, and no exit is reported.
    #expect(bench.told().last == "Meeting has ended")
    #expect(bench.told("EVENT") == ["changed", "enter", "changed"])
  }

  @Test("a place is not shown to people who may not see it") func invisible() throws {
    let meeting = try Self.place(1, "Meeting", Self.at(300)) {
      $0.visibility = .only(people: ["eva"], groups: ["staff"])
      $0.followers.names = ["rui"]
    }
    try prepare([meeting], [{ $0.kind = "enter" }, { $0.kind = "changed" }])
    let bench = try CarriedBoard(
      Stroll(from: Self.start, [Self.at(-300), Self.at(300)], pause: 300), path: path,
      visitor: Visitor("rui"))
    bench.run(for: 1500)
    var details = meeting.details
    details.name = "Secret meeting"
    try bench.edit(try meeting.changed(to: details))
    bench.run(for: 600)
    #expect(bench.told().isEmpty)
  }
}
