import Foundation
import GodwitSettings
import Notation
import TestSupport
import Testing

@testable import godwit

/// `godwit places` on a store of a simulated day.
@Suite struct PlacesCommandTests {
  let scratch: ScratchFolder
  let store: String

  init() throws {
    scratch = try ScratchFolder()
    store = scratch.file("life.gpkg")
    let made = try Program.run("simulate", "--days", "1", "--seed", "3", "--store", store)
    #expect(made.exitCode == 0, "\(made.messages)")
  }

  private func places(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["places"] + arguments + ["--store", store])
  }

  /// - Returns: its UUID.
  private func add(_ name: String, _ arguments: String...) throws -> String {
    let made = try Program.run(["places", "add", name] + arguments + ["--store", store])
    #expect(made.exitCode == 0, "\(made.messages)")
    return String(made.output.dropLast())
  }

  private func json(_ arguments: String...) throws -> [JSONValue] {
    let listed = try Program.run(["places"] + arguments + ["--json", "--store", store])
    return try #require(JSONValue(parsing: listed.output).array)
  }

  private func sql(_ text: String) throws {
    let result = try run("ogrinfo", "-q", store, "-sql", text)
    #expect(result.status == 0 && !result.output.contains("ERROR"), "\(result.output)")
  }

  @Test("a place is added, found by name, id and digits, changed, and removed") func life() throws {
    let id = try add("Museum", "--at", "52.1,5.12", "--radius", "80", "--tag", "tour")
    let listed = try #require(try json("list").first)
    #expect(listed["id"]?.string == id && listed["name"]?.string == "Museum")
    #expect(listed["lat"]?.number == 52.1 && listed["shape"]?.string == "circle 80 m")
    for key in ["Museum", "mUSEUM", id, String(id.prefix(6)).uppercased()] {
      #expect(try places("show", key).output.contains("\(id), version 1"), "\(key)")
    }
    #expect(try places("edit", "Museum", "--name", "Gallery", "--clear", "tags").exitCode == 0)
    #expect(try places("show", "Gallery").output.contains("version 2"))
    #expect(try json("list", "--tag", "tour").isEmpty)
    #expect(try places("remove", "Gallery").exitCode == 0)
    #expect(try json("list").isEmpty)
    #expect(try places("remove", "Gallery").exitCode == 1)
  }

  @Test("a destination becomes a place, and so does where the board was seen last")
  func fromTheStore() throws {
    let visited = try Program.run("destinations", "--json", "--store", store)
    let home = try #require(JSONValue(parsing: visited.output).array?.first)
    _ = try add("Home", "--destination", "1")
    _ = try add("Here", "--here")
    let listed = try json("list")
    #expect(listed[0]["lat"]?.number == home["lat"]?.number)
    let near = try json("near", "--at", "\(listed[1]["lat"]!.text),\(listed[1]["lon"]!.text)")
    #expect(near.first?["name"]?.string == "Here" && near.first?["distance_m"]?.number == 0)
    let none = try places("add", "X", "--destination", "99")
    #expect(none.exitCode == 1 && none.messages.contains("there is no destination 99"))
  }

  @Test("what is in range comes nearest first, and the way there is told") func near() throws {
    for (name, latitude) in [("far", "52.2"), ("near", "52.101"), ("wide", "52.14")] {
      _ = try add(name, "--at", "\(latitude),5", "--radius", name == "wide" ? "4300" : "50")
    }
    let names = try json("near", "--at", "52.1,5", "--within", "900").map { $0["name"]?.string }
    #expect(names == ["near", "wide"])
    let way = try places("navigate", "far", "--at", "52.1,5")
    #expect(
      way.output
        == "↑ north (0°), 11.1 km to far, edge in 11.1 km, from where was given\n")
    #expect(try places("navigate", "wide", "--at", "52.13,5").output.contains(", inside,"))
  }

  @Test("what is exported is imported again without a change, and what is wrong is told")
  func files() throws {
    _ = try add(
      "A, \"B\"", "--at", "52.1,5", "--text", "x", "--link", "https://example.org/", "--person",
      "ada", "--from", "2026-05-01", "--until", "2027-05-01")
    let id = try add("Next", "--at", "52.2,5", "--relationship", "tour=A, \"B\"")
    let file = scratch.file("places.geojson")
    #expect(try places("export", "geojson", "--output", file).exitCode == 0)
    #expect(try places("remove", "Next").exitCode == 0)
    let imported = try places("import", file)
    #expect(imported.output == "2 places imported, 0 refused\n" && imported.messages.isEmpty)
    #expect(try places("export", "geojson").output == scratch.text("places.geojson"))
    #expect(try places("show", "Next").output.contains(id))
    try scratch.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"Line"},"geometry":{"type":"LineString",
       "coordinates":[[1,2],[3,4]]}},
      {"type":"Feature","properties":{"name":"Point"},"geometry":{"type":"Point",
       "coordinates":[1,2]}}]}
      """, to: "mixed.geojson")
    let mixed = try places("import", scratch.file("mixed.geojson"))
    #expect(mixed.exitCode == 0 && mixed.output == "1 place imported, 1 refused\n")
    #expect(mixed.messages.contains("feature 1 \"Line\": geometry: a line has no inside"))
    #expect(mixed.messages.contains("1 entry: it has no radius, and gets 50.0 m"))
    #expect(try json("list").count == 3)
    let tried = try places("import", scratch.file("mixed.geojson"), "--dry-run")
    #expect(tried.output == "1 place would be imported, 1 refused\n")
    #expect(try json("list").count == 3)
  }

  @Test("of a file that turns out wrong at its end nothing is imported") func wrongAtTheEnd() throws
  {
    try scratch.write(
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"A"},
      "geometry":{"type":"Point","coordinates":[1,2]}}],
      "crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}}}
      """, to: "late.geojson")
    for line in ["places import \(scratch.file("late.geojson"))", "places import - <\"$0\""] {
      let outcome = try Program.shell(
        "\(line) --store '\(store)'", scratch.file("late.geojson"))
      #expect(outcome.exitCode == 1 && outcome.messages.contains("; nothing was imported"))
      #expect(try json("list").isEmpty)
    }
  }

  @Test("rows of other programs are places at once, and wrong ones are told with their number")
  func foreignRows() throws {
    try sql(
      "INSERT INTO places (geom, name) SELECT geom, 'Drawn' FROM track_points LIMIT 1")
    try sql("INSERT INTO places (geom, radius_m) SELECT geom, -1 FROM track_points LIMIT 1")
    let listed = try Program.run("places", "--json", "--store", store)
    #expect(try JSONValue(parsing: listed.output).array?.count == 1)
    #expect(listed.messages.contains("places row 1 \"Drawn\": it has no radius"))
    #expect(listed.messages.contains("places row 2: perimeter.radius: -1.0 m is no radius"))
  }

  @Test("who gives beacons is told that nobody listens yet, and the doctor tells it")
  func beacons() throws {
    let advice = "set bluetooth.kind to \"bluez\" in the daemon's settings"
    let added = try places("add", "Kitchen", "--at", "1,1", "--beacon", Self.beacon + "1")
    #expect(added.exitCode == 0 && added.messages.contains(advice))
    #expect(try places("list").output.contains("circle 50 m        1        Kitchen"))
    let edited = try places("edit", "Kitchen", "--beacon", Self.beacon + "*")
    #expect(edited.exitCode == 0 && edited.messages.contains(advice))
    #expect(try places("edit", "Kitchen", "--tag", "home").messages.isEmpty)
    let listening = try places(
      "add", "Bath", "--at", "1,1", "--beacon", Self.beacon + "2", "--set", "bluetooth.kind=bluez")
    #expect(listening.exitCode == 0 && listening.messages.isEmpty)
    let finding = BluetoothDiagnosis.finding(Settings(), store: store)
    #expect(finding?.verdict == .warn && finding?.text.contains("of 2 places: set ") == true)
    #expect(BluetoothDiagnosis.finding(Settings(), store: scratch.file("none.gpkg")) == nil)
  }

  private static let beacon = "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/"

  private static let wrong: [([String], Int32, String)] = [
    (["add", "X"], 2, "--destination and --follows"),
    (["add", "X", "--at", "52,5", "--here"], 2, "--destination and --follows"),
    (["add", "X", "--at", "nan,5"], 2, "invalid"),
    (["add", "X", "--at", "91,5"], 2, "in degrees, such as 52.09,5.12: -90 to 90"),
    (["add", "X", "--at", "1,5", "--from", "soon"], 2, "write a date such as 2030-06-01"),
    (["add", "X", "--at", "1,5", "--radius", "-5"], 2, "-5.0 m is no radius"),
    (["add", "X", "--at", "1,5", "--beacon", beacon + "70000"], 2, "0 to 65535, or * for any"),
    (["add", "", "--at", "1,5"], 2, "name: it is empty"),
    (["add", "X", "--at", "1,5", "--radius", "nan"], 2, "is no radius"),
    (["add", "X", "--at", "1,5", "--relationship", "next"], 2, "write it as next=Museum"),
    (["add", "X", "--at", "1,5", "--relationship", "next=Y"], 1, "there is no place \"Y\""),
    (["add", "X", "--at", "1,5", "--link", "no scheme"], 2, "contents[0].uri"),
    (["edit", "Y"], 1, "there is no place \"Y\""),
    (["near", "--within", "-1"], 2, "--within"),
    (["import", "/dev/null"], 1, "/dev/null is empty"),
    (["import", "/nowhere"], 1, "cannot read /nowhere"),
    (["navigate", "Y", "--follow", "--at", "1,1"], 2, "--follow"),
  ]

  @Test("wrong words", arguments: wrong)
  func refused(arguments: [String], code: Int32, message: String) throws {
    let outcome = try Program.run(["places"] + arguments + ["--store", store])
    #expect(outcome.exitCode == code && outcome.messages.contains(message), "\(outcome.messages)")
  }

  @Test("of two places with one name the id says which") func ambiguous() throws {
    let first = try add("Twin", "--at", "1,1")
    let second = try places("add", "Twin", "--at", "2,2")
    #expect(second.exitCode == 0 && second.messages.contains("2 places are called \"Twin\" now"))
    let outcome = try places("show", "Twin")
    #expect(outcome.exitCode == 1 && outcome.messages.contains("2 places are called \"Twin\""))
    #expect(try places("show", String(first.prefix(13))).exitCode == 0)
  }

  @Test("the way that the board goes turns the arrow, as long as it is news")
  func heading() throws {
    func fix(_ age: String) throws -> JSONValue {
      try JSONValue(
        parsing:
          #"{"lat":52,"lon":5,"speed_m_s":2.5,"track_deg":90,"accuracy_m":4,"age_s":\#(age)}"#)
    }
    let fresh = try #require(BoardSighting(try fix("3")))
    #expect(fresh.heading == 90 && fresh.speed == 2.5)
    let old = try #require(BoardSighting(try fix("300")))
    #expect(old.heading == nil && old.speed == nil)
    #expect(BoardSighting(JSONValue.null) == nil)
  }
}
