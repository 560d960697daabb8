import Core
import Testing

@testable import Places

@Suite struct PlaceTests {
  static func problem(_ change: (inout PlaceDetails) -> Void) -> PlaceError? {
    do {
      _ = try Place(id: Drawing.id(1), Drawing.details(change))
      return nil
    } catch {
      return error
    }
  }

  @Test("a place with every property is accepted, and read as its details") func everything() throws
  {
    let details = Drawing.details {
      $0.description = "two\nlines"
      $0.lifetime = .init(from: .init(seconds: 10), until: .init(seconds: 20))
      $0.schedule = .init(iCalendar: "BEGIN:VCALENDAR")
      $0.visibility = .only(people: ["rui"], groups: ["family"])
      $0.relationships = [.init(kind: "next", target: Drawing.id(2))]
      $0.tags = ["school", "meeting"]
      $0.followers = .init(names: ["rui"], isInferredFromVisits: true)
      $0.contents = [
        .init(uri: "https://example.org/a.png", mediaType: "image/png"),
        .init(mediaType: "text/plain", text: "welcome"),
      ]
    }
    let place = try Place(id: Drawing.id(1), details)
    #expect(place.version == 1)
    #expect(place.name == "School")
    #expect(place.lifetime.contains(.init(seconds: 10)))
    #expect(!place.lifetime.contains(.init(seconds: 20)))
    #expect(Visitor("rui").sees(place))
    #expect(Visitor("ana").sees(place))
    #expect(Visitor("eva", groups: ["family"]).sees(place))
    #expect(!Visitor("eva", groups: ["work"]).sees(place))
  }

  @Test("every change raises the version, and no change does not") func versions() throws {
    let place = try Place(id: Drawing.id(1), Drawing.details())
    #expect(try place.changed(to: place.details) == place)
    let renamed = try place.changed(to: Drawing.details { $0.name = "Home" })
    #expect(renamed.version == 2)
    #expect(renamed.id == place.id)
    #expect(throws: PlaceError.self) { try Place(id: Drawing.id(1), version: 0, place.details) }
    let last = try Place(id: Drawing.id(1), version: .max, place.details)
    #expect(throws: PlaceError.self) { try last.changed(to: renamed.details) }
  }

  struct Faulty: Sendable {
    let path: String
    let fault: PlaceError.Fault
    let change: @Sendable (inout PlaceDetails) -> Void

    init(
      _ path: String, _ fault: PlaceError.Fault,
      _ change: @escaping @Sendable (inout PlaceDetails) -> Void
    ) {
      self.path = path
      self.fault = fault
      self.change = change
    }
  }

  static let faults: [Faulty] = [
    Faulty("name", .missing, { $0.name = " " }),
    Faulty("name", .tooLong, { $0.name = String(repeating: "a", count: 201) }),
    Faulty("name", .malformed, { $0.name = "a\u{1B}[2J" }),
    Faulty("owner", .missing, { $0.owner = "" }),
    Faulty("description", .tooLong, { $0.description = String(repeating: "é", count: 5001) }),
    Faulty("location", .outOfRange, { $0.location = .fixed(Drawing.at(.nan, 0)) }),
    Faulty(
      "location.update", .outOfRange,
      { $0.location = .following(.init(name: "guide", update: .interval(0))) }
    ),
    Faulty(
      "location.update", .outOfRange,
      { $0.location = .following(.init(name: "guide", update: .distance(.init(.nan)))) }
    ),
    Faulty(
      "location.anchor", .contradictory,
      {
        $0.location = .following(.init(name: "guide", update: .interval(60)))
        $0.perimeter = .polygons([.init(outer: PolygonCheckTests.square)])
      }
    ),
    Faulty("perimeter.radius", .outOfRange, { $0.perimeter = .circle(radius: 0) }),
    Faulty(
      "perimeter.polygons[0].outer", .openRing,
      { $0.perimeter = .polygons([.init(outer: PolygonCheckTests.square.dropLast())]) }
    ),
    Faulty(
      "lifetime", .contradictory,
      { $0.lifetime = .init(from: .init(seconds: 5), until: .init(seconds: 5)) }
    ),
    Faulty("schedule", .missing, { $0.schedule = .init(iCalendar: "\n") }),
    Faulty(
      "schedule", .tooLong,
      { $0.schedule = .init(iCalendar: String(repeating: "a", count: 20_000)) }
    ),
    Faulty(
      "visibility.people[1]", .repeated,
      { $0.visibility = .only(people: ["a", "a"], groups: []) }
    ),
    Faulty("visibility.groups[0]", .missing, { $0.visibility = .only(people: [], groups: [""]) }),
    Faulty(
      "relationships[0].target", .contradictory,
      { $0.relationships = [.init(kind: "next", target: Drawing.id(1))] }
    ),
    Faulty(
      "relationships[1]", .repeated,
      {
        $0.relationships = Array(
          repeating: .init(kind: "next", target: Drawing.id(2)), count: 2)
      }
    ),
    Faulty("tags", .tooMany, { $0.tags = (0...100).map { "tag \($0)" } }),
    Faulty("tags[1]", .repeated, { $0.tags = ["a", "a"] }),
    Faulty("followers", .tooMany, { $0.followers.names = (0...1000).map { "f\($0)" } }),
    Faulty("contents[0]", .missing, { $0.contents = [.init(mediaType: "text/plain")] }),
    Faulty(
      "contents[0].uri", .malformed, { $0.contents = [.init(uri: "no uri", mediaType: "a/b")] }),
    Faulty(
      "contents[0].uri", .malformed, { $0.contents = [.init(uri: "http:", mediaType: "a/b")] }),
    Faulty(
      "contents[0].mediaType", .malformed, { $0.contents = [.init(mediaType: "text", text: "")] }),
    Faulty(
      "contents[0].text", .tooLong,
      {
        $0.contents = [
          .init(mediaType: "text/plain", text: String(repeating: "a", count: 70_000))
        ]
      }
    ),
  ]

  @Test("a fault is named with its place", arguments: faults.indices) func faulty(index: Int) {
    let expected = Self.faults[index]
    let error = Self.problem(expected.change)
    #expect(error?.fault == expected.fault)
    #expect(error?.path == expected.path)
    #expect(error?.description.hasPrefix("\(expected.path): ") == true)
  }

  @Test("a place moves with the device that it follows, polygons by their anchor")
  func following() throws {
    let square = ContainmentTests.box(100, 100)
    let details = Drawing.details {
      $0.perimeter = .polygons([.init(outer: square)])
      $0.location = .following(
        .init(name: "guide", update: .distance(50), anchor: ContainmentTests.centre))
    }
    let place = try Place(id: Drawing.id(1), details)
    #expect(place.region() == nil)
    let there = Drawing.at(-33, 151)
    let region = try #require(place.region(devicePosition: there))
    #expect(abs(region.signedDistance(from: there).value + 100) < 0.5)
    #expect(abs(region.area.value - 40_000) < 50)
    var group = details
    group.perimeter = .circle(radius: 200)
    let circle = try #require(try place.changed(to: group).region(devicePosition: there))
    #expect(circle.signedDistance(from: there) == -200)
    #expect(try Place(id: Drawing.id(1), Drawing.details()).region() != nil)
  }

  @Test("a place without its perimeter's corners has no region, a circle keeps its own")
  func undrawn() throws {
    let outer = Drawing.box(west: 5, south: 52, east: 5.01, north: 52.01)
    let area = try Place(
      id: Drawing.id(1),
      Drawing.details { $0.perimeter = .polygons([PerimeterPolygon(outer: outer)]) })
    #expect(area.region() != nil && area.undrawn().region() == nil)
    let circle = try Place(id: Drawing.id(2), Drawing.details())
    #expect(circle.undrawn().region() != nil)
  }
}
