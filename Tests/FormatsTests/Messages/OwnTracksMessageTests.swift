import Core
import TestSupport
import Testing

@testable import Formats

/// Messages of OwnTracks, byte for byte and both ways.
@Suite struct OwnTracksMessageTests {
  private static let noon = UTCInstant(seconds: 1_764_072_000.75)
  private static let ghent = Coordinate(latitude: 51.05434219, longitude: 3.71742521)

  private static func text(_ message: OwnTracksMessage) -> String {
    String(decoding: message.bytes, as: UTF8.self)
  }

  private static func read(_ text: String) throws -> OwnTracksMessage {
    try OwnTracksMessage(parsing: Array(text.utf8))
  }

  @Test("a location has the known values in OwnTracks' units and order") func location() {
    var location = OwnTracksLocation(Self.noon, Self.ghent, accuracy: 0.4)
    #expect(
      Self.text(.location(location))
        == #"{"_type":"location","tst":1764072000,"lat":51.0543422,"lon":3.7174252,"acc":1}"#,
      "0 m would be dropped by Home Assistant")
    location.accuracy = 12.4
    location.createdAt = Self.noon + 90
    location.altitude = -3.6
    location.verticalAccuracy = 8
    location.speed = 10
    location.course = 359.8
    location.batteryPercent = 71
    location.charging = .unplugged
    location.connection = .mobile
    location.trigger = .answer
    location.regions = ["Home \"sweet\" home", "Straße"]
    location.regionIDs = ["a1"]
    location.trackerID = "gw"
    location.topic = "owntracks/ann/bike"
    #expect(
      Self.text(.location(location))
        == #"{"_type":"location","tst":1764072000,"created_at":1764072090,"lat":51.0543422,"#
        + #""lon":3.7174252,"acc":12,"alt":-4,"vac":8,"vel":36,"cog":0,"batt":71,"bs":1,"#
        + #""conn":"m","t":"r","inregions":["Home \"sweet\" home","Straße"],"inrids":["a1"],"#
        + #""tid":"gw","topic":"owntracks/ann/bike"}"#)
  }

  @Test("the other messages, byte for byte") func others() throws {
    var transition = try #require(
      OwnTracksTransition(.leave, "Home", at: Self.noon, Self.ghent, accuracy: 20))
    transition.placeCreatedAt = UTCInstant(seconds: 1_700_000_000)
    transition.trigger = .circularRegion
    transition.regionID = "a1"
    transition.trackerID = "gw"
    #expect(
      Self.text(.transition(transition))
        == #"{"_type":"transition","event":"leave","desc":"Home","tst":1764072000,"#
        + #""wtst":1700000000,"lat":51.0543422,"lon":3.7174252,"acc":20,"t":"c","rid":"a1","#
        + #""tid":"gw"}"#)
    var waypoint = OwnTracksWaypoint("Shed", createdAt: UTCInstant(seconds: 1_700_000_001))
    waypoint.position = Self.ghent
    waypoint.radius = 50
    waypoint.beacon = OwnTracksWaypoint.Beacon(uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
    #expect(
      Self.text(.waypoints([waypoint], rest: []))
        == #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Shed","#
        + #""lat":51.0543422,"lon":3.7174252,"rad":50,"tst":1700000001,"#
        + #""uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":0,"minor":0}]}"#)
    #expect(
      Self.text(.lastWill(connectedAt: Self.noon, rest: []))
        == #"{"_type":"lwt","tst":1764072000}"#)
    #expect(
      Self.text(.command(OwnTracksCommand(.reportLocation)))
        == #"{"_type":"cmd","action":"reportLocation"}"#)
    #expect(
      Self.text(.card(OwnTracksCard(name: "Ann", trackerID: "an")))
        == #"{"_type":"card","name":"Ann","tid":"an"}"#)
    #expect(
      Self.text(.encrypted([0, 255, 16])) == #"{"_type":"encrypted","data":"AP8Q"}"#)
  }

  @Test(
    "unknown members are kept in their order",
    arguments: [
      #"{"_type":"location","tst":1,"lat":2.0000000,"lon":3.0000000,"acc":4,"SSID":"x","#
        + #""p":101.325}"#,
      #"{"_type":"transition","event":"enter","desc":"A","tst":1,"lat":2.0000000,"#
        + #""lon":3.0000000,"acc":4,"speed":[1,{"a":null}]}"#,
      #"{"_type":"waypoint","desc":"A","tst":1,"colour":"red","major":1.5}"#,
      #"{"_type":"status","iOS":{"deviceModel":"iPhone"},"_id":"1"}"#,
      #"{"_type":"cmd","action":"dance","tempo":120}"#,
      #"{"_type":"cmd","action":"setConfiguration","configuration":{"_type":"configuration"}}"#,
      #"{"_type":"steps","tst":1,"steps":-1}"#, #"{"_type":"lwt","tst":1,"x":true}"#,
      #"{"_type":"location","tst":1,"lat":2.0000000,"lon":3.0000000,"bs":9,"conn":"q","t":"z"}"#,
      #"{"_type":"other","a":9007199254740993,"b":1.10,"c":-0,"d":1E+05,"e":[0.10,{"f":1.00}]}"#,
      #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":"#
        + #"[{"_type":"waypoint","desc":"A","tst":1,"x":2.50}],"_creator":1.0}}"#,
      #"{"_type":"cmd","action":"setConfiguration","configuration":{"a":1.0},"b":[1.0],"c":""}"#,
    ])
  func survives(_ text: String) throws {
    let message = try Self.read(text)
    #expect(Self.text(message) == text)
    #expect(try OwnTracksMessage(parsing: message.bytes) == message)
  }

  @Test("kept members lose their white space, and their texts are escaped uniformly")
  func spaces() throws {
    let text = "{ \"_type\" : \"x\",\n\t\"\\u0061\" : [ 1.0 , \" \\u00e9 \\/\" , { } ] }"
    #expect(Self.text(try Self.read(text)) == #"{"_type":"x","a":[1.0," é /",{}]}"#)
  }

  @Test("a status has the given values") func status() {
    let block = VerbatimJSON(.object([("free_MB", .number(12.5))]))
    #expect(
      Self.text(.status([VerbatimMember("godwit", block)]))
        == #"{"_type":"status","godwit":{"free_MB":12.5}}"#)
  }

  @Test("values by which apps mark something unknown are read as unknown")
  func unknownValues() throws {
    let text =
      #"{"_type":"location","lat":1,"lon":2,"tst":3,"vel":-1,"vac":-1,"cog":-1,"batt":-1,"#
      + #""acc":null}"#
    guard case .location(let location) = try Self.read(text) else {
      Issue.record("no location")
      return
    }
    #expect(
      location
        == OwnTracksLocation(
          UTCInstant(seconds: 3), Coordinate(latitude: 1, longitude: 2), accuracy: nil))
  }

  @Test(
    "a command's waypoints may be a list or a message",
    arguments: [
      #"[{"_type":"waypoint","desc":"A","tst":1,"lat":2,"lon":3,"rad":4}]"#,
      #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"A","tst":1,"lat":2,"#
        + #""lon":3,"rad":4}]}"#,
    ])
  func commandedWaypoints(_ list: String) throws {
    let text = #"{"_type":"cmd","action":"setWaypoints","waypoints":\#(list)}"#
    guard case .command(let command) = try Self.read(text),
      case .setWaypoints(let waypoints, _) = command.action
    else {
      Issue.record("no such command")
      return
    }
    #expect(waypoints.map(\.name) == ["A"] && waypoints[0].radius == 4)
    #expect(
      try OwnTracksMessage(parsing: OwnTracksMessage.command(command).bytes) == .command(command))
  }

  private static let wrong: [(String, String)] = [
    ("", "not JSON at byte 0: no value here"), ("[]", "it is not a JSON object"),
    ("{}", "_type: it is missing"), (#"{"_type":5}"#, "_type: it is not text"),
    (#"{"_type":"location","lat":1,"tst":1}"#, "lon: it is missing"),
    (#"{"_type":"location","tst":1}"#, "lat: it is missing"),
    (#"{"_type":"location","lat":1,"lon":2}"#, "tst: it is missing"),
    (
      #"{"_type":"location","lat":91,"lon":2,"tst":1}"#,
      "lat: it must be from -90.0 to 90.0"
    ),
    (#"{"_type":"location","lat":"1","lon":2,"tst":1}"#, "lat: it is not a number"),
    (
      #"{"_type":"location","lat":1,"lon":2,"tst":1e300}"#,
      "tst: it must be from 1.0 to 8000000000.0"
    ),
    (
      #"{"_type":"location","lat":1,"lon":2,"tst":1,"inregions":"a"}"#,
      "inregions: it is not a list"
    ),
    (
      #"{"_type":"location","lat":1,"lon":2,"tst":1,"inrids":[1]}"#,
      "inrids: it is not a list of texts"
    ),
    (#"{"_type":"transition","event":"enter","tst":1}"#, "desc: it is missing"),
    (
      #"{"_type":"transition","event":"stay","desc":"","tst":1}"#,
      "event: it is neither \"enter\" nor \"leave\""
    ),
    (
      #"{"_type":"waypoints","waypoints":[{"desc":"a","tst":1},{"desc":"b"}]}"#,
      "waypoints[1].tst: it is missing"
    ),
    (
      #"{"_type":"waypoint","desc":"a","tst":1,"uuid":"u","major":1.5}"#,
      "major: it is not a whole number"
    ),
    (#"{"_type":"encrypted","data":"***"}"#, "data: it is not base64"),
    (#"{"_type":"cmd"}"#, "action: it is missing"),
  ]

  @Test("an invalid message is refused with a reason", arguments: wrong)
  func refused(_ text: String, _ why: String) {
    #expect(
      thrown(MessageError.self) { try OwnTracksMessage(parsing: Array(text.utf8)) }?.description
        == why)
  }

  @Test("a message that is too long is not read") func tooLong() {
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: OwnTracksMessage.mostBytes + 1)
    #expect(
      thrown(MessageError.self) { try OwnTracksMessage(parsing: bytes) }?.description
        == "it has 262145 bytes; at most 262144 are read")
  }

  @Test("mutated messages are read or refused, and a message that was read is read again")
  func mutations() throws {
    let seeds = [
      #"{"_type":"location","tst":1764072000,"lat":51.05,"lon":3.7,"acc":12,"t":"r","x":[1]}"#,
      #"{"_type":"cmd","action":"setWaypoints","waypoints":[{"desc":"A","tst":1,"rad":4}]}"#,
      #"{"_type":"encrypted","data":"AP8Q"}"#,
    ].map { Array($0.utf8) }
    var chance = SplitMix(seed: 15)
    var understood = 0
    for turn in 0..<20_000 {
      var bytes = seeds[turn % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        let index = Int.random(in: 0..<bytes.count, using: &chance)
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &chance)
        case 1: bytes.remove(at: index)
        default: bytes.insert(contentsOf: bytes[index...].prefix(5), at: index)
        }
      }
      guard let message = try? OwnTracksMessage(parsing: bytes) else { continue }
      understood += 1
      let again = try OwnTracksMessage(parsing: message.bytes)
      #expect(again.bytes == message.bytes)
    }
    #expect(understood > 1000)
  }
}
