import Core
import TestSupport
import Testing

/// The end of a place's validity on a virtual board, reported to its followers.
@Suite struct PlaceEndTests {
  @Test(
    "the end of a place is reported once to followers, its begin and earlier ends are not")
  func told() throws {
    let scratch = try ScratchFolder()
    let places = scratch.file("places.gpkg")
    func add(_ words: String...) throws {
      let made = try Program.run(words + ["--store", places])
      #expect(made.exitCode == 0, "\(made.messages)")
    }
    for (name, option, time) in [
      ("Meet", "--until", "2026-05-04 14:00"), ("Fair", "--from", "2026-05-04 10:00"),
      ("Past", "--until", "2026-05-02"), ("Future", "--until", "2026-05-09"),
    ] {
      try add(
        "places", "add", name, "--at", "52.1,5.1", option, time, "--follower", "me", "--person",
        "me")
    }
    try add("places", "add", "Else", "--at", "52.1,5.1", "--until", "2026-05-04 14:00")
    try add("alerts", "add", "News", "--when", "changed", "--followed")
    #expect(try Self.told(of: places, days: 2, in: scratch) == ["Meet has ended"])
  }

  @Test("of very many places that end together none is omitted")
  func together() throws {
    let scratch = try ScratchFolder()
    let places = scratch.file("places.gpkg")
    let features = (0..<450).map { number in
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[5.\#(100 + number),52.1]},"#
        + #""properties":{"name":"\#(number)","tags":["fair"],"#
        + #""valid_until":"2026-05-04T12:00:00Z"}}"#
    }
    try scratch.write(features.joined(separator: "\n"), to: "fair.geojson")
    for words in [
      ["places", "import", scratch.file("fair.geojson")],
      ["alerts", "add", "News", "--when", "changed", "--tag", "fair"],
    ] {
      let made = try Program.run(words + ["--store", places])
      #expect(made.exitCode == 0, "\(made.messages)")
    }
    let told = try Self.told(of: places, days: 1, in: scratch)
    #expect(Set(told).count == 450 && told.count == 450)
  }

  /// The alerts of a store on a virtual board, in their order.
  private static func told(
    of places: String, days: Int, in scratch: ScratchFolder
  ) throws -> [String?] {
    let store = scratch.file("days.gpkg")
    let run = try Program.run(
      "simulate", "--days", "\(days)", "--seed", "3", "--places", places, "--store", store)
    #expect(run.exitCode == 0, "\(run.messages)")
    let log = try Program.run("alerts", "log", "--json", "--store", store)
    return try #require(JSONValue(parsing: log.output).array).map { $0["text"]?.string }
  }
}
