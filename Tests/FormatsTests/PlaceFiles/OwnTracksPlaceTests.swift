import Formats
import Places
import Core
import TestSupport
import Testing

@Suite struct OwnTracksPlaceTests {
  private static func read(_ text: String) -> PlaceFileRun { PlaceFileRun(text, as: .owntracks) }

  @Test("circles are read back with their ids, rounded to metres and 1e-7 degrees")
  func roundTrip() throws {
    var random = RandomPlaces(seed: 3)
    let places = try random.places(60)
    let text = PlaceFileRun.text(places, as: .owntracks)
    #expect(try PlaceFileFormat.detect(head: Array(text.prefix(4096))) == .owntracks)
    let run = PlaceFileRun(text, as: .owntracks)
    #expect(run.errors.isEmpty && run.notices.isEmpty)
    let fixed = places.filter {
      if case .fixed = $0.location { true } else { false }
    }
    #expect(run.places.map(\.id) == fixed.map(\.id))
    #expect(run.places.map(\.name) == fixed.map(\.name))
    for (place, other) in zip(fixed, run.places) {
      guard case .circle(let radius) = other.perimeter, case .fixed(let centre) = other.location
      else { continue }
      switch place.perimeter {
      case .circle(let given): #expect((given - radius).magnitude <= 0.5)
      case .polygons(let polygons):
        // All corners are inside.
        let region = PlaceRegion(.circle(radius: radius + 0.1), around: centre)
        #expect(polygons.flatMap(\.outer).allSatisfy { region.contains($0) })
      }
    }
    #expect(PlaceFileRun.text(run.places, as: .owntracks) == text)
  }

  @Test("a waypoint's time and id follow from the place's id, whatever its version")
  func identity() throws {
    let first = try Place(id: Drawn.id(1), Drawn.details())
    let later = try first.changed(to: Drawn.details { $0.perimeter = .circle(radius: 120.4) })
    #expect(
      String(decoding: PlaceFileRun.text([later], as: .owntracks), as: UTF8.self) == """
        {"_type":"waypoints","waypoints":[
        {"_type":"waypoint","desc":"School","lat":41.1778390,"lon":-8.6077460,"rad":120,\
        "tst":1554521211,"rid":"00000000-0000-0000-0000-000000000001"}
        ]}

        """)
    // A repeated id in one file gets the next second.
    let twice = PlaceFileRun.text([first, later], as: .owntracks)
    let text = String(decoding: twice, as: UTF8.self)
    #expect(text.contains("\"tst\":1554521211,") && text.contains("\"tst\":1554521212,"))
  }

  @Test("values that OwnTracks cannot hold are reported") func notices() throws {
    var writer = PlaceFileFormat.owntracks.writer()
    let ring = Drawn.box(west: -8.61, south: 41.17, east: -8.60, north: 41.18)
    let polygon = try Place(
      id: Drawn.id(1),
      Drawn.details {
        $0.perimeter = .polygons([PerimeterPolygon(outer: ring)])
        $0.visibility = .only(people: [], groups: [])
        $0.tags = ["a"]
      })
    #expect(
      writer.place(polygon) == [
        "its polygon becomes a circle around it",
        "OwnTracks has no field for its visibility, tags",
      ])
    let guide = try Place(
      id: Drawn.id(2),
      Drawn.details { $0.location = .following(.init(name: "d", update: .interval(9))) })
    #expect(writer.place(guide) == ["it is left out: OwnTracks' waypoints do not follow a device"])
  }

  @Test(
    "files, single messages, lists, lines, commands and configurations are read",
    arguments: [
      "{\"_type\":\"waypoints\",\"waypoints\":[§]}", "§", "[§]", "§\n§\n",
      "{\"_type\":\"cmd\",\"action\":\"setWaypoints\",\"waypoints\":"
        + "{\"_type\":\"waypoints\",\"waypoints\":[§]}}",
      "{\"_type\":\"configuration\",\"host\":\"h\",\"waypoints\":[§,§],\"tid\":\"x\"}",
    ])
  func forms(text: String) {
    let waypoint =
      "{\"_type\":\"waypoint\",\"desc\":\"Home\",\"lat\":52.0027,\"lon\":-1.08,\"rad\":150,"
      + "\"tst\":1558351273}"
    let run = Self.read(text.replacing("§", with: waypoint))
    #expect(run.errors.isEmpty && run.notices.isEmpty)
    #expect(!run.places.isEmpty)
    for place in run.places {
      #expect(place.name == "Home" && place.owner == "ana" && place.version == 1)
      #expect(place.location == .fixed(Drawn.at(52.0027, -1.08)))
      #expect(place.perimeter == .circle(radius: 150))
    }
  }

  @Test("beacons without a circle are reported and left out") func beacons() {
    let uuid = "CA271EAE-5FA8-4E80-8F08-2A302A95A959"
    let run = Self.read(
      """
      [{"_type":"waypoint","desc":"door:\(uuid):1:2","tst":1,"lat":0,"lon":0,"rad":0},
       {"_type":"waypoint","desc":"desk","uuid":"\(uuid)","major":3,"minor":0,"tst":2},
       {"_type":"waypoint","desc":"shop:\(uuid):1","lat":1,"lon":2,"rad":30,"tst":3},
       {"_type":"waypoint","desc":"inn","uuid":"\(uuid)","major":7,"minor":0,"lat":1,"lon":3,
        "rad":30,"tst":4},
       {"_type":"waypoint","desc":"bar","uuid":"x","major":7,"minor":0,"lat":1,"lon":4,"rad":30,
        "tst":5}]
      """)
    #expect(run.entries.map(\.outcome).prefix(2) == [.leftOut, .leftOut])
    #expect(
      run.entries.map { $0.item.description } == [
        "waypoint 1 \"door\"", "waypoint 2 \"desk\"", "waypoint 3 \"shop\"",
        "waypoint 4 \"inn\"", "waypoint 5 \"bar\"",
      ])
    #expect(run.places.map(\.name) == ["shop", "inn", "bar"])
    let beacon = "ibeacon:\(uuid.lowercased())"
    #expect(
      run.places.map { $0.beacons.map(\.description) }
        == [["\(beacon)/1/*"], ["\(beacon)/7/*"], []])
    let again = Self.read(
      String(decoding: PlaceFileRun.text(run.places, as: .owntracks), as: UTF8.self))
    #expect(again.places.map(\.beacons) == run.places.map(\.beacons))
    #expect(
      run.notices == [
        "it is the beacon \"\(uuid):1:2\", without a position",
        "it is the beacon \"\(uuid):3:0\", without a position",
        "its beacon is not imported: ibeacon:x/7/* is not a beacon: \"x\" is not a UUID: write it "
          + "as "
          + "e2c56db5-dffb-48d2-b060-d0f5a71096e0",
      ])
  }

  @Test("values that a place cannot hold are reported") func leftovers() {
    let run = Self.read(
      """
      {"_type":"waypoint","desc":"-Home|1|2","lat":1,"lon":2,"rad":0,"rid":"6da9cf","shared":true,
       "color":"red"}
      """)
    #expect(run.places.first?.name == "-Home|1|2")
    #expect(
      run.notices == [
        "not imported: \"shared\", \"color\"",
        "it has no radius, and gets 50.0 m",
        "its id is \"6da9cf\", not a UUID: it gets a new one",
      ])
  }

  @Test(
    "a bad waypoint drops only itself",
    arguments: [
      ("{\"desc\":\"Home\",\"lat\":1,\"rad\":5}", "waypoint 1 \"Home\": lon: it has no position"),
      (
        "{\"desc\":\"Home\",\"lat\":\"north\",\"lon\":1,\"rad\":5}",
        "waypoint 1 \"Home\": lat: \"north\" is not a number"
      ),
      (
        "{\"desc\":\"Home\",\"lat\":[],\"lon\":1,\"rad\":5}",
        "waypoint 1 \"Home\": lat: \"[]\" is not a number"
      ),
      (
        "{\"desc\":\"Home\",\"lat\":91,\"lon\":1,\"rad\":5}",
        "waypoint 1 \"Home\": location: 91.0, 1.0 is not a position: use a latitude of -90 to 90 "
          + "and a longitude of -180 to 180"
      ),
      (
        "{\"_type\":\"location\",\"lat\":1,\"lon\":1}",
        "waypoint 1: _type: it is a \"location\", not a waypoint"
      ),
      (
        "{\"_type\":\"encrypted\",\"data\":\"x\"}",
        "waypoint 1: _type: it is encrypted: export it without a key"
      ),
      ("{\"_type\":\"waypoints\"}", "waypoint 1: waypoints: there are none"),
      ("7", "waypoint 1: it is not a waypoint: write an object"),
    ])
  func faults(waypoint: String, error: String) {
    let sound = "{\"desc\":\"Work\",\"lat\":1,\"lon\":2,\"rad\":5}"
    let run = Self.read("[\(waypoint),\(sound)]")
    #expect(run.errors == [error])
    #expect(run.places.map(\.name) == ["Work"])
  }
}
