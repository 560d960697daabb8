import Foundation
import Core
import TestSupport
import Testing

@testable import godwit

/// `godwit contents` and `godwit places statistics`, on a store with two places.
@Suite struct ContentsCommandTests {
  private let scratch: ScratchFolder
  private let store: String

  private static let rolls = "0b0e3c2a-6f0e-4c0f-9c57-2a1d1d7a1f11"
  private static let file = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":"00000000-0000-0000-0000-000000000001",
    "geometry":{"type":"Point","coordinates":[5.12,52.09]},
    "properties":{"name":"Bakery","radius_m":80,"contents":[
    {"id":"\(rolls)","title":"Rolls","type":"sale","media_type":"text/plain","text":"Fresh"},
    {"title":"Tasting","type":"talk","media_type":"text/plain","text":"Come",
    "start":"2026-05-04T08:00:00Z","end":"2026-05-04T10:00:00Z","venue":"At the door"}]}},
    {"type":"Feature","id":"00000000-0000-0000-0000-000000000002",
    "geometry":{"type":"Point","coordinates":[5.2,52.09]},
    "properties":{"name":"Market","radius_m":80,"contents":[
    {"media_type":"text/html","uri":"https://example.org/"}]}}]}
    """

  init() throws {
    scratch = try ScratchFolder()
    store = scratch.file("life.gpkg")
    try scratch.write(
      "time,lat,lon\n2026-05-01T00:00:00Z,52,5\n2026-05-01T00:10:00Z,52,5\n", to: "t.csv")
    try scratch.write(Self.file, to: "places.json")
    for arguments in [
      ["replay", scratch.file("t.csv")], ["places", "import", scratch.file("places.json")],
    ] {
      let made = try Program.run(arguments + ["--store", store])
      #expect(made.exitCode == 0, "\(made.messages)")
    }
  }

  private func contents(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["contents"] + arguments + ["--store", store])
  }

  private func object(_ arguments: String...) throws -> JSONValue {
    let outcome = try Program.run(["contents"] + arguments + ["--json", "--store", store])
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    return try JSONValue(parsing: outcome.output)
  }

  private func refusal(_ arguments: String...) throws -> String {
    let outcome = try Program.run(["contents"] + arguments + ["--store", store])
    #expect(outcome.exitCode == 1 && outcome.output.isEmpty, "\(outcome)")
    return outcome.messages
  }

  @Test("the list shows every item with its score and counts") func list() throws {
    let all = try #require(object("list").array)
    #expect(all.map { $0["title"]?.string } == ["Rolls", "Tasting", "https://example.org/"])
    #expect(all[0]["id"]?.string == Self.rolls && all[0]["score"]?.integer == 0)
    #expect(all[1]["start"]?.string == "2026-05-04T08:00:00.000Z")
    #expect(all[1]["venue"]?.string == "At the door" && all[1]["rank"] == .null)
    let market = try #require(object("list", "--place", "market").array)
    #expect(market.map { $0["place"]?.string } == ["Market"])
    #expect(try contents("list", "--place", "nowhere").exitCode == 1)
  }

  @Test("a local time in the repeated hour has its zone") func zones() throws {
    let file = Self.file.replacingOccurrences(of: "2026-05-04T08:00", with: "2026-10-25T00:30")
      .replacingOccurrences(of: "2026-05-04T10:00", with: "2026-10-25T01:30")
    try scratch.write(file, to: "autumn.json")
    let autumn = scratch.file("autumn.gpkg")
    for words in [
      ["replay", scratch.file("t.csv")], ["places", "import", scratch.file("autumn.json")],
    ] {
      #expect(try Program.run(words + ["--store", autumn]).exitCode == 0)
    }
    let list = try Program.run(
      ["contents", "list", "--store", autumn],
      environment: ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"])
    #expect(list.output.contains("2026-10-25 02:30 CEST to 2026-10-25 02:30 CET"), "\(list.output)")
  }

  @Test("every action is counted and logged") func deeds() throws {
    #expect(try contents("view", "Rolls").output.contains("Fresh"))
    #expect(try contents("view", String(Self.rolls.prefix(4))).exitCode == 0)
    #expect(try object("save", "rolls")["saved"]?.bool == true)
    #expect(try object("saved").array?.map { $0["title"]?.string } == ["Rolls"])
    let ranked = try object("rank", Self.rolls, "4")
    #expect(ranked["rank"]?.integer == 4 && ranked["viewed"]?.integer == 2)
    #expect(ranked["score"]?.integer == -10)
    #expect(try contents("comment", "Rolls", "Very good").exitCode == 0)
    #expect(try object("calendar", "Tasting")["content"]?["score"]?.integer == -100)
    #expect(try object("delete", "Rolls")["saved"]?.bool == false)
    let log = try #require(object("log").array)
    #expect(
      log.map { $0["action"]?.string } == [
        "viewed", "viewed", "saved", "ranked", "commented", "calendar", "deleted",
      ])
    #expect(log[4]["detail"]?.string == "Very good")
    let statistics = try Program.run("places", "statistics", "--json", "--store", store)
    let places = try #require(JSONValue(parsing: statistics.output).array)
    #expect(places.count == 2 && places[0]["entries"]?.integer == 0)
    let item = try #require(places[0]["contents"]?.array?.first)
    #expect(item["viewed"]?.integer == 2 && item["saved"]?.integer == 1)
    #expect(item["mean_rank"]?.number == 4 && item["ranks"]?.integer == 1)
    #expect(item["comments"]?.array?.map { $0["text"]?.string } == ["Very good"])
    let table = try Program.run("places", "statistics", "--store", store)
    #expect(table.output.contains("Rolls: Very good"))
  }

  @Test("invalid actions give a reason, and are not counted") func refusals() throws {
    #expect(try contents("rank", "Rolls", "2").exitCode == 0)
    #expect(try refusal("rank", "Rolls", "3").contains("it was ranked 2 before"))
    #expect(try refusal("delete", "Rolls").contains("not among the saved ones"))
    #expect(try refusal("calendar", "Rolls").contains("it has no time"))
    #expect(try refusal("view", "nothing").contains("there is no content \"nothing\""))
    for wrong in [["rank", "Rolls", "6"], ["rank", "Rolls", "0"], ["comment", "Rolls", " "]] {
      let outcome = try Program.run(["contents"] + wrong + ["--store", store])
      #expect(outcome.exitCode == 2, "\(outcome)")
    }
    #expect(try object("log").array?.count == 1)
  }

  @Test("contents with equal names are distinguished by their digits") func ambiguous() throws {
    for place in ["Bakery", "Market"] {
      let edited = try Program.run(
        "places", "edit", place, "--text", "Hello", "--content-title", "Hello", "--content-type",
        "news", "--store", store)
      #expect(edited.exitCode == 0, "\(edited.messages)")
    }
    #expect(try refusal("view", "Hello").contains("2 contents are called"))
    let listed = try #require(object("list").array)
    #expect(listed.map { $0["type"]?.string } == ["news", "news"])
    let again = try Program.run(
      "places", "edit", "Market", "--text", "Hello", "--content-title", "Hello", "--content-type",
      "news", "--store", store)
    #expect(again.exitCode == 2 && again.messages.contains("no option changes"))
  }

  @Test("contents get their times on the command line, and lists, files and calendars show them")
  func times() throws {
    func places(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(["places"] + arguments + ["--store", store])
    }
    let added = try places(
      "add", "Hall", "--at", "52.1,5.3", "--text", "Come", "--text", "Rolls", "--content-title",
      "Concert", "--content-from", "2026-06-01T18:00Z", "--content-until", "2026-06-01T20:30Z")
    #expect(added.exitCode == 0, "\(added.messages)")
    let listed = try #require(object("list", "--place", "Hall").array)
    #expect(listed.map { $0["start"]?.string } == ["2026-06-01T18:00:00.000Z", nil])
    #expect(listed[0]["end"]?.string == "2026-06-01T20:30:00.000Z")
    #expect(try contents("list").output.contains("WHEN"))
    #expect(try contents("calendar", "Concert").output.contains("DTEND:20260601T203000Z\r\n"))
    for format in ["geojson", "gpx", "kml"] {
      let file = scratch.file("hall.\(format)")
      #expect(try places("export", format, "-o", file).exitCode == 0)
      #expect(try places("import", file).exitCode == 0)
      let read = try #require(object("list", "--place", "Hall").array)
      #expect(read.map { $0["end"]?.string } == ["2026-06-01T20:30:00.000Z", nil], "\(format)")
    }
    let from = ["--content-from", "2026-06-01T18:00Z"]
    let until = ["--content-until", "2026-06-01T17:00Z"]
    for (wrong, why) in [
      (from, "needs a --content-until"), (until, "needs a --content-until"),
      (from + until, "must not be before"), (from + from + until, "needs a --content-until"),
      (["--content-from", "soon"] + until, "'soon' is invalid"),
    ] {
      let outcome = try Program.run(
        ["places", "edit", "Hall", "--text", "Come", "--text", "Go"] + wrong + ["--store", store])
      #expect(outcome.exitCode == 2 && outcome.messages.contains(why), "\(outcome)")
    }
    let alone = try places("edit", "Hall", from[0], from[1], "--content-until", "2026-06-01T19:00Z")
    #expect(alone.exitCode == 2 && alone.messages.contains("needs a --text"), "\(alone)")
  }

  @Test("a saved content can be removed when no place has it any more") func gone() throws {
    #expect(try contents("save", "Rolls").exitCode == 0)
    let cleared = try Program.run(
      "places", "edit", "Bakery", "--clear", "contents", "--store", store)
    #expect(cleared.exitCode == 0)
    #expect(try object("list").array?.count == 1)
    #expect(try object("saved").array?.map { $0["title"]?.string } == ["Rolls"])
    #expect(try refusal("view", "Rolls").contains("no place has \"Rolls\" any more"))
    #expect(try contents("delete", "Rolls").exitCode == 0)
    #expect(try object("saved").array?.isEmpty == true)
  }

  @Test("interests are added, removed and switched off") func interests() throws {
    func score(_ type: String, _ json: JSONValue) -> Int? {
      json["interests"]?.array?.first { $0["type"]?.string == type }?["score"]?.integer
    }
    let first = try object("interests")
    #expect(first["inferred_from_visits"]?.bool == true)
    #expect(first["interests"]?.array?.map { $0["type"]?.string } == ["sale", "talk"])
    #expect(score("talk", try object("interests", "talk", "-3")) == -3)
    #expect(score("sale", try object("interests", "sale", "10")) == 10)
    #expect(try object("list").array?.first?["score"]?.integer == 100)
    #expect(score("talk", try object("interests", "talk", "-")) == 0)
    let off = try object("interests", "--infer", "no")
    #expect(off["inferred_from_visits"]?.bool == false && score("sale", off) == 10)
    for wrong in [["sale", "11"], ["sale", "much"], ["sale", "1", "2"], ["--wrong"]] {
      let outcome = try Program.run(["contents", "interests"] + wrong + ["--store", store])
      #expect(outcome.exitCode == 2, "\(wrong) \(outcome)")
    }
  }

  @Test("a calendar file is complete or absent, and counts only when it is written")
  func calendarFile() throws {
    let file = scratch.file("event.ics")
    #expect(try contents("calendar", "Tasting", "-o", file).exitCode == 0)
    let text = try scratch.text("event.ics")
    #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
    #expect(text.contains("GEO:52.090000;5.120000\r\n"))
    let nowhere = try contents("calendar", "Tasting", "-o", "/nonexistent/event.ics")
    #expect(nowhere.exitCode == 1)
    let refused = try contents("calendar", "Tasting", "-o", store)
    #expect(refused.exitCode == 2 && refused.messages.contains("that is the store"))
    #expect(try object("log").array?.count == 1)
  }
}
