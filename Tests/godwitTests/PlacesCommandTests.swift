import Foundation
import GodwitSettings
import Core
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

  @Test(
    "the creator of a place owns it and sees it, named by people.address or otherwise",
    arguments: [
      ([], "me"), (["people.address=anna"], "anna"), (["places.person=Anna"], "Anna"),
      (["people.address=anna", "places.person=Ann"], "Ann"),
    ])
  func owner(settings: [String], owner: String) throws {
    let file = scratch.file("tour.json")
    try scratch.write(
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[5.12,52.1]},"#
        + #""properties":{"name":"Pier","visible_to":{"people":["ben"]}}}"#, to: "tour.json")
    let set = settings.flatMap { ["--set", $0] }
    for words in [
      ["add", "Hut", "--at", "52.1,5.12", "--person", "ben"], ["import", file],
      ["add", "Shed", "--at", "52.1,5.12", "--person", "ben", "--owner", "ben"],
      ["add", "Old", "--at", "52.1,5.12", "--person", "ben", "--owner", "me"],
    ] {
      let made = try Program.run(["places"] + words + set + ["--store", store])
      #expect(made.exitCode == 0, "\(made.messages)")
    }
    for place in ["Hut", "Pier"] {
      let page = try places("show", place).output
      let line = page.split(separator: "\n").first { $0.hasPrefix("owner") }
      #expect(line?.split(separator: " ").last.map(String.init) == owner, "\(page)")
    }
    let near = try Program.run(
      ["places", "near", "--at", "52.1,5.12", "--json"] + set + ["--store", store])
    let seen = try #require(JSONValue(parsing: near.output).array).compactMap { $0["name"]?.string }
    #expect(Set(seen) == ["Hut", "Pier", "Old"])
  }

  @Test("a destination becomes a place, and so does the last known position")
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

  @Test("the tags in use are counted, those of most places first") func tags() throws {
    for (name, tags) in [("A", ["tour", "food"]), ("B", ["food"]), ("C", ["bar"]), ("D", [])] {
      let words = tags.flatMap { ["--tag", $0] }
      let made = try Program.run(
        ["places", "add", name, "--at", "52.1,5.12", "--store", store] + words)
      #expect(made.exitCode == 0, "\(made.messages)")
    }
    let listed = try json("tags").map { "\($0["tag"]?.string ?? "") \($0["places"]?.text ?? "")" }
    #expect(listed == ["food 2", "bar 1", "tour 1"])
    #expect(try places("tags").output == "PLACES  TAG\n     2  food\n     1  bar\n     1  tour\n")
  }

  @Test("an export without a format is GeoJSON, or what the file's name says") func export() throws
  {
    _ = try add("Hut", "--at", "52.1,5.12")
    #expect(try places("export").output == places("export", "geojson").output)
    for (name, format) in [("a.kml", "kml"), ("a.gpx", "gpx"), ("a.json", "geojson")] {
      #expect(try places("export", "--output", scratch.file(name)).exitCode == 0)
      #expect(try scratch.text(name) == places("export", format).output, "\(name)")
    }
    let none = try places("export", "--output", scratch.file("a.csv"))
    #expect(none.exitCode == 2 && none.messages.contains("a.csv has no known ending"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("a.csv")))
  }

  @Test("places in range are listed nearest first, with the way there") func near() throws {
    for (name, latitude) in [("far", "52.2"), ("near", "52.101"), ("wide", "52.14")] {
      _ = try add(name, "--at", "\(latitude),5", "--radius", name == "wide" ? "4300" : "50")
    }
    let names = try json("near", "--at", "52.1,5", "--within", "900").map { $0["name"]?.string }
    #expect(names == ["near", "wide"])
    let way = try places("navigate", "far", "--at", "52.1,5")
    #expect(
      way.output
        == "↑ north (0°), 11.1 km to far, edge in 11.1 km, from the specified position\n")
    #expect(try places("navigate", "wide", "--at", "52.13,5").output.contains(", inside,"))
  }

  @Test("an export is imported again without a change, and errors are reported")
  func files() throws {
    _ = try add(
      "A, \"B\"", "--at", "52.1,5", "--text", "x", "--link", "https://example.org/", "--person",
      "ada", "--from", "2026-05-01", "--until", "2027-05-01")
    let id = try add("Next", "--at", "52.2,5", "--relationship", "tour=A, \"B\"")
    let file = scratch.file("places.geojson")
    #expect(try places("export", "geojson", "--output", file).exitCode == 0)
    #expect(try places("remove", "Next").exitCode == 0)
    let imported = try places("import", file)
    #expect(
      imported.output == "1 place imported, 1 known, 0 refused\n" && imported.messages.isEmpty)
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
    #expect(mixed.messages.contains("feature 1 \"Line\": geometry: a line has no interior"))
    #expect(mixed.messages.contains("1 entry: it has no radius, and gets 50.0 m"))
    #expect(try json("list").count == 3)
    let tried = try places("import", scratch.file("mixed.geojson"), "--dry-run")
    #expect(tried.output == "1 place would be imported, 1 refused\n")
    #expect(try json("list").count == 3)
  }

  @Test(
    "a second import changes nothing, whatever was exported, and is reported",
    arguments: ["geojson", "gpx", "kml", "owntracks"])
  func importedTwice(format: String) throws {
    _ = try add(
      "Hut", "--at", "52.1,5", "--tag", "tour", "--text", "x", "--link", "https://example.org/",
      "--from", "2026-05-01")
    _ = try add("Tour", "--follows", "guide")
    #expect(try places("export", format, "--output", scratch.file("places")).exitCode == 0)
    let first = try places("import", scratch.file("places"))
    #expect(first.exitCode == 0, "\(first.messages)")
    let before = try places("export").output
    let second = try places("import", scratch.file("places"))
    #expect(second.output.hasPrefix("0 places imported, "), "\(second.output)")
    #expect(try places("export").output == before)
  }

  @Test(
    "data without a counterpart in a format stays, and a polygon made a circle is reported",
    arguments: ["gpx", "owntracks"])
  func keptOnImport(format: String) throws {
    try scratch.write(
      #"{"type":"Feature","id":"0d7a6f6e-8a2b-4c53-9a90-2f3f1c6d0001","geometry":"#
        + #"{"type":"Polygon","coordinates":[[[5,52],[5.01,52],[5.01,52.01],[5,52]]]},"#
        + #""properties":{"name":"Park","contents":[{"text":"closed at night"}]}}"#,
      to: "park.geojson")
    #expect(try places("import", scratch.file("park.geojson")).exitCode == 0)
    let before = try places("export").output
    let file = scratch.file("places")
    #expect(try places("export", format, "--output", file).exitCode == 0)
    let again = try places("import", file)
    #expect(again.output == "0 places imported, 1 known, 0 refused\n" && again.messages.isEmpty)
    #expect(try places("export").output == before)
    let text = try scratch.text("places").replacing("Park", with: "Garden")
    try scratch.write(text, to: "places")
    #expect(try places("import", file).output == "1 place imported, 0 refused\n")
    let page = try places("show", "Garden").output
    #expect(page.contains("area of 1 polygon") && page.contains("closed at night"))
    let narrow = text.replacing(#/(rad(ius_m)?\W+)\d+/#) { "\($0.output.1)90" }
    try scratch.write(narrow, to: "places")
    let told = try places("import", file).messages
    #expect(told.contains("Garden: its polygon is replaced by a circle of 90 m"), "\(told)")
    let circle = try places("show", "Garden").output
    #expect(circle.contains("circle 90 m") && circle.contains("closed at night"))
  }

  @Test("places of a file without ids are the same each time, and keep their changes")
  func importedTwiceWithoutIDs() throws {
    func point(_ name: String, _ more: String = "") -> String {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[5,52]},"#
        + #""properties":{"name":"\#(name)"\#(more)}}"#
    }
    func lines(_ points: [String]) throws -> Program.Outcome {
      try scratch.write(points.joined(separator: "\n"), to: "lines.geojsonl")
      return try places("import", scratch.file("lines.geojsonl"))
    }
    let points = [point("A"), point("B", #","tags":["food"]"#), point("B"), point("A")]
    try scratch.write(points.joined(separator: "\n"), to: "lines.geojsonl")
    let tried = try places("import", scratch.file("lines.geojsonl"), "--dry-run")
    #expect(tried.output == "3 places would be imported, 1 repeated, 0 refused\n")
    #expect(try lines(points).output == "3 places imported, 1 repeated, 0 refused\n")
    #expect(try places("edit", "A", "--name", "Hut").exitCode == 0)
    let before = try places("export").output
    let settings = ["--set", "people.address=anna", "--store", store]
    let again = try Program.run(["places", "import", scratch.file("lines.geojsonl")] + settings)
    #expect(again.output == "0 places imported, 3 known, 1 repeated, 0 refused\n")
    let wider = try places("import", scratch.file("lines.geojsonl"), "--radius", "80")
    #expect(wider.output == "0 places imported, 3 known, 1 repeated, 0 refused\n")
    #expect(try places("export").output == before)
    #expect(try lines([point("A", #","description":"new""#)]).output.hasPrefix("1 place imported"))
  }

  @Test("a file with an error at its end imports nothing") func wrongAtTheEnd() throws {
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

  @Test(
    "rows of other programs are places at once, and invalid ones are reported with their number")
  func foreignRows() throws {
    try sql(
      "INSERT INTO places (geom, name) SELECT geom, 'Drawn' FROM track_points LIMIT 1")
    try sql("INSERT INTO places (geom, radius_m) SELECT geom, -1 FROM track_points LIMIT 1")
    let listed = try Program.run("places", "--json", "--store", store)
    #expect(try JSONValue(parsing: listed.output).array?.count == 1)
    #expect(listed.messages.contains("places row 1 \"Drawn\": it has no radius"))
    #expect(
      listed.messages.contains("places row 2: perimeter.radius: -1.0 m is not a valid radius"))
  }

  @Test("beacons without a radio are reported, also by the doctor")
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

  @Test("a command that fails leaves no new store behind", arguments: Self.failing)
  func noStoreLeft(arguments: [String]) throws {
    try scratch.write("{\"type\":\"FeatureCollection\"", to: "cut.geojson")
    try scratch.write(
      #"{"type":"Feature","geometry":null,"properties":{"name":"A"}}"#, to: "none.geojson")
    let before = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    let given = arguments.map { $0.replacing("FOLDER", with: scratch.path) }
    let outcome = try Program.run(
      given + ["--set", "people.address=anna", "--store", scratch.file("new.gpkg")])
    #expect(outcome.exitCode != 0 && !outcome.messages.contains("created the new store"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == before)
  }

  private static let failing = [
    ["places", "import", "FOLDER/cut.geojson"], ["places", "import", "FOLDER/none.geojson"],
    ["places", "import", "/nowhere"], ["places", "add", "X", "--at", "0,0"],
    ["places", "add", "X", "--at", "1,5", "--relationship", "next=Y"],
    ["letters", "add", "--to", "nobody here", "--at", "1,5", "Hello"],
    ["letters", "add", "--to", "anna", "--place", "Y", "Hello"],
  ]

  private static let wrong: [([String], Int32, String)] = [
    (["add", "X"], 2, "--destination and --follows"),
    (["add", "X", "--at", "52,5", "--here"], 2, "--destination and --follows"),
    (["add", "X", "--at", "nan,5"], 2, "invalid"),
    (["add", "X", "--at", "0,0"], 2, "location: its position is 0, 0, which means unknown"),
    (["add", "X", "--at", "91,5"], 2, "in degrees, such as 52.09,5.12: -90 to 90"),
    (["add", "X", "--at", "1,5", "--from", "soon"], 2, "write a date such as 2030-06-01"),
    (["add", "X", "--at", "1,5", "--radius", "-5"], 2, "-5.0 m is not a valid radius"),
    (["add", "X", "--at", "1,5", "--beacon", beacon + "70000"], 2, "0 to 65535, or * for any"),
    (["add", "", "--at", "1,5"], 2, "name: it is empty"),
    (["add", "X", "--at", "1,5", "--radius", "nan"], 2, "is not a valid radius"),
    (["add", "X", "--at", "1,5", "--relationship", "next"], 2, "write it as next=Museum"),
    (["add", "X", "--at", "1,5", "--relationship", "next=Y"], 1, "there is no place \"Y\""),
    (["add", "X", "--at", "1,5", "--link", "no scheme"], 2, "contents[0].uri"),
    (["edit", "Y"], 1, "there is no place \"Y\""),
    (["near", "--within", "-1"], 2, "--within"),
    (["import", "/dev/null"], 1, "/dev/null is empty"),
    (["import", "/nowhere"], 1, "cannot read /nowhere"),
    (["navigate", "Y", "--follow", "--at", "1,1"], 2, "--follow"),
  ]

  @Test("wrong usage", arguments: wrong)
  func refused(arguments: [String], code: Int32, message: String) throws {
    let outcome = try Program.run(["places"] + arguments + ["--store", store])
    #expect(outcome.exitCode == code && outcome.messages.contains(message), "\(outcome.messages)")
  }

  @Test("of two places with one name the id selects one") func ambiguous() throws {
    let first = try add("Twin", "--at", "1,1")
    let second = try places("add", "Twin", "--at", "2,2")
    #expect(second.exitCode == 0 && second.messages.contains("2 places are called \"Twin\" now"))
    let outcome = try places("show", "Twin")
    #expect(outcome.exitCode == 1 && outcome.messages.contains("2 places are called \"Twin\""))
    #expect(try places("show", String(first.prefix(13))).exitCode == 0)
  }

  @Test("the board's course turns the arrow while it is recent")
  func heading() throws {
    func fix(_ age: String) throws -> JSONValue {
      try JSONValue(
        parsing:
          #"{"lat":52,"lon":5,"speed_m_s":2.5,"track_deg":90,"accuracy_m":4,"age_s":\#(age)}"#)
    }
    let fresh = try #require(LastKnownPosition(try fix("3")))
    #expect(fresh.heading == 90 && fresh.speed == 2.5)
    let old = try #require(LastKnownPosition(try fix("300")))
    #expect(old.heading == nil && old.speed == nil)
    #expect(LastKnownPosition(JSONValue.null) == nil)
  }
}
