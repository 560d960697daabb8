import Core
import Messaging
import TestSupport
import Testing

@testable import godwit

/// How a simulation uses beacons at the given places, and the messages that people exchange there.
@Suite struct SimulatedBeaconsTests {
  private let scratch: ScratchFolder
  private var given: String { scratch.file("given.gpkg") }
  private static let beacon = "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/*"

  /// A person walks 1.4 km to a shop, stays for a quarter of an hour, and walks on.
  init() throws {
    scratch = try ScratchFolder()
    let start = UTCInstant(seconds: 1_777_874_400)
    var lines = ["time,lat,lon"]
    for step in 0..<210 {
      let way = step < 60 ? step : max(60, step - 90)
      let longitude = FixedDecimal.text(5.1 + 0.02 * Double(way) / 60, digits: 6)
      lines.append("\(ISO8601.text(start + Seconds(Double(step) * 10))),52.09,\(longitude)")
    }
    try scratch.write(lines.joined(separator: "\n") + "\n", to: "walk.csv")
    try scratch.write("time,lat,lon\n2026-05-01T00:00:00Z,52,5\n", to: "point.csv")
    try run("replay", scratch.file("point.csv"), "--store", given)
    try run(
      "places", "add", "Shop", "--at", "52.09,5.12", "--radius", "30", "--beacon", Self.beacon,
      "--store", given)
    try run(
      "places", "add", "Elsewhere", "--at", "52.3,5.4", "--radius", "30", "--beacon",
      "eddystone:00112233445566778899", "--store", given)
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> String {
    let outcome = try Program.run(arguments)
    #expect(outcome.exitCode == 0, "\(arguments) \(outcome.messages)")
    return outcome.output
  }

  private func simulate(_ name: String, _ settings: String...) throws -> Program.Outcome {
    let outcome = try Program.run(
      ["simulate", scratch.file("walk.csv"), "--places", given, "--json", "--policy", "periodic"]
        + ["--set", "policy.periodic.interval_s=3600", "--store", scratch.file(name)]
        + settings.flatMap { ["--set", $0] })
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    return outcome
  }

  private func crossings(_ name: String) throws -> [JSONValue] {
    let text = try run("places", "crossings", "--json", "--store", scratch.file(name))
    return try #require(JSONValue(parsing: text).array)
  }

  @Test(
    "a beacon at a place gives arrivals and departures, and its radio's energy counts",
    arguments: ["monitors", "discovery"])
  func beacons(method: String) throws {
    let outcome = try simulate(
      "out.gpkg", "bluetooth.kind=bluez", "bluetooth.method=\(method)", "beacons.listen=always",
      "bluetooth.listening_mW=100")
    let summary = try JSONValue(parsing: outcome.output)
    let beacons = try #require(summary["beacons"])
    #expect(beacons["places"]?.integer == 2 && beacons["method"]?.string == method)
    let listened = try #require(beacons["listened_s"]?.number)
    #expect(listened > 600 && listened < 1500, "about half of 2100 s: \(listened)")
    let energy = try #require(summary["sources_energy_J"]?.number)
    #expect(abs(energy - 0.1 * listened) < 0.1, "\(energy)")
    let crossings = try crossings("out.gpkg")
    #expect(crossings.map { $0["place"]?.string } == ["Shop", "Shop"], "\(crossings)")
    #expect(crossings.map { $0["change"]?.string } == ["entered", "left"], "\(crossings)")
    #expect(crossings.allSatisfy { $0["evidence"]?.string == "beacon" })
    // It arrives after 600 s and leaves after 1500 s.
    let times = crossings.compactMap { $0["time"]?.string }.compactMap { ISO8601.parse($0) }
    let start = UTCInstant(seconds: 1_777_874_400)
    #expect(times.count == 2 && (550...620).contains((times[0] - start).value), "\(times)")
    #expect((1490...1600).contains((times[1] - start).value), "\(times)")
  }

  @Test("without a radio, nothing is received, and that is reported") func noRadio() throws {
    let outcome = try simulate("out.gpkg")
    #expect(outcome.messages.contains("not received: --set bluetooth.kind=bluez"))
    let summary = try JSONValue(parsing: outcome.output)
    #expect(summary["beacons"] == nil && summary["sources_energy_J"]?.number == 0)
    #expect(try crossings("out.gpkg").isEmpty, "it is located once, far from there")
  }

  @Test("the same seed gives the same receptions, another one different ones") func seeds() throws {
    func times(_ name: String, seed: String) throws -> [String?] {
      try run(
        "simulate", scratch.file("walk.csv"), "--places", given, "--seed", seed, "--policy",
        "periodic", "--set", "policy.periodic.interval_s=3600", "--set", "bluetooth.kind=bluez",
        "--set", "beacons.listen=always", "--store", scratch.file(name))
      return try crossings(name).map { $0["time"]?.string }
    }
    let first = try times("1.gpkg", seed: "5")
    #expect(try times("2.gpkg", seed: "5") == first)
    let others = try ["6", "7", "8"].map { try times("\($0).gpkg", seed: $0) }
    #expect(others.contains { $0 != first })
  }

  @Test("a meeting on the way is reported") func meeting() throws {
    let start = UTCInstant(seconds: 1_777_874_400)
    let spot = Coordinate(latitude: 52.09, longitude: 5.12)
    let (anna, ben) = (
      try PersonsStore("anna", in: scratch), try PersonsStore("ben", in: scratch)
    )
    var random = SplitMix(seed: 6)
    let meeting = try Meeting(
      id: UniqueID.made(using: &random), organizer: try PersonAddress("ben"), name: "Picnic",
      spot: spot, region: try MeetingRegion(around: spot, radius: 300), starts: start - 60,
      ends: start + 1200, invited: .people([try PersonAddress("anna")]))
    try ben.step([.organized(meeting)], date: start)
    let sent = try ben.pending.map { ($0.topic, $0.payload) }
    try anna.step(sent.map { .arrived(topic: $0.0, payload: $0.1) }, date: start)
    let outcome = try Program.run(
      "simulate", scratch.file("walk.csv"), "--places", anna.path, "--policy", "periodic",
      "--set", "policy.periodic.interval_s=3600", "--set", "people.address=anna", "--store",
      scratch.file("met.gpkg"))
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    // The end is not reported to people who have not joined.
    let log = try run("alerts", "log", "--json", "--store", scratch.file("met.gpkg"))
    let notices = try #require(JSONValue(parsing: log).array)
    #expect(notices.map { $0["text"]?.string } == ["ben holds a meeting nearby: Picnic"], "\(log)")
  }

  @Test("a letter on the way is delivered to the board's person, and to no other")
  func letter() throws {
    let anna = ["people.address=anna"]
    try run(
      "letters", "add", "--to", "anna", "--at", "52.09,5.12", "Rolls", "--set", anna[0],
      "--store", given)
    _ = try simulate("anna.gpkg", anna[0])
    let text = try run(
      "letters", "--json", "--set", anna[0], "--store", scratch.file("anna.gpkg"))
    let letters = try #require(JSONValue(parsing: text).array)
    #expect(letters.map { $0["state"]?.string } == ["delivered"], "\(text)")
    let log = try run("alerts", "log", "--json", "--store", scratch.file("anna.gpkg"))
    let notices = try #require(JSONValue(parsing: log).array)
    #expect(notices.count == 1 && notices[0]["kind"]?.string == "letter", "\(log)")
    let nobody = try simulate("nobody.gpkg")
    #expect(nobody.messages.contains("set people.address"))
    _ = try simulate("blind.gpkg", anna[0], "people.look=false")
    let waiting = try run(
      "letters", "--json", "--set", anna[0], "--store", scratch.file("blind.gpkg"))
    #expect(try JSONValue(parsing: waiting).array?.first?["state"]?.string == "written")
  }
}
