import Core
import TestSupport
import Testing

@testable import godwit

/// A person passes the same shop in a shopping street twice a day.
@Suite struct ContentLifeTests {
  private let scratch: ScratchFolder
  private var store: String { scratch.file("life.gpkg") }

  private static let places = """
    {"type":"FeatureCollection","features":[{"type":"Feature",
    "id":"00000000-0000-0000-0000-000000000001",
    "geometry":{"type":"Point","coordinates":[5.12,52.09]},
    "properties":{"name":"Shop","radius_m":80,"contents":[
    {"title":"Sale","type":"sale","media_type":"text/plain","text":"a"},
    {"title":"Talk 1","type":"talk","media_type":"text/plain","text":"b"},
    {"title":"Talk 2","type":"talk","media_type":"text/plain","text":"c"}]}}]}
    """

  init() throws { scratch = try ScratchFolder() }

  /// Back and forth each day, past the shop without a stop, or with one of ten minutes there.
  private static func street(days: Int, stops: Bool) -> String {
    let start = UTCInstant(seconds: 1_777_874_400)
    var lines = ["time,lat,lon"]
    func add(_ time: Seconds, _ longitude: Double) {
      lines.append("\(ISO8601.text(start + time)),52.09,\(FixedDecimal.text(longitude, digits: 6))")
    }
    for day in 0..<days {
      let morning = Seconds.days(Double(day))
      for (begin, isBack) in [(morning, false), (morning + 7200, true)] {
        for step in 0...60 {
          let way = Double(isBack ? 60 - step : step) / 60
          let pause: Seconds = stops && step > 30 ? 600 : 0
          add(begin + Seconds(Double(step) * 10) + pause, 5.1 + 0.04 * way)
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func run(_ arguments: String...) throws -> String {
    let outcome = try Program.run(arguments)
    #expect(outcome.exitCode == 0, "\(arguments) \(outcome.messages)")
    return outcome.output
  }

  private func live(days: Int, stops: Bool, saying interests: [String]) throws {
    let before = scratch.file("before.gpkg")
    try scratch.write(Self.street(days: 1, stops: false), to: "short.csv")
    try scratch.write(Self.street(days: days, stops: stops), to: "street.csv")
    try scratch.write(Self.places, to: "places.json")
    _ = try run("replay", scratch.file("short.csv"), "--store", before)
    _ = try run("places", "import", scratch.file("places.json"), "--store", before)
    for words in [interests].filter({ !$0.isEmpty }) {
      let said = try Program.run(["contents", "interests"] + words + ["--store", before])
      #expect(said.exitCode == 0, "\(said.messages)")
    }
    _ = try run(
      "simulate", scratch.file("street.csv"), "--policy", "continuous", "--places", before,
      "--store", store)
  }

  private func shown() throws -> [String] {
    let log = try run("contents", "log", "--json", "--store", store)
    return try #require(JSONValue(parsing: log).array).compactMap { $0["title"]?.string }
  }

  @Test("the most interesting content is shown until it is worn out, then all take turns")
  func rotation() throws {
    try live(days: 8, stops: false, saying: ["sale", "1", "--infer", "no"])
    let shown = try shown()
    #expect(shown.count == 16)
    // Ten times the score of its type, less one for each showing: from the eleventh on equal to the
    // others.
    #expect(shown.prefix(10).allSatisfy { $0 == "Sale" }, "\(shown)")
    let turns = Array(shown.dropFirst(10))
    #expect(Set(turns.prefix(3)).count == 3 && Set(turns.dropFirst(3)).count == 3, "\(shown)")
    let statistics = try run("places", "statistics", "--json", "--store", store)
    let place = try #require(JSONValue(parsing: statistics).array?.first)
    #expect(place["entries"]?.integer == 16 && place["visits"]?.integer == 0)
    #expect(place["contents"]?.array?.map { $0["shown"]?.integer } == [12, 2, 2])
  }

  @Test("a stay counts as interest, and all contents there get the same score")
  func inferred() throws {
    try live(days: 2, stops: true, saying: [])
    let text = try run("contents", "interests", "--json", "--store", store)
    let interests = try #require(JSONValue(parsing: text)["interests"]?.array)
    #expect(interests.map { $0["type"]?.string } == ["sale", "talk"])
    #expect(interests.allSatisfy { $0["inferred"]?.integer == 2 })
    let source = try #require(interests[0]["visits"]?.array?.first)
    #expect(source["place"]?.string == "Shop" && source["visits"]?.integer == 4)
    #expect(Set(try shown().prefix(3)).count == 3)
  }
}
