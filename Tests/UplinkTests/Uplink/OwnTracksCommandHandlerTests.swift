import Delivery
import Formats
import Core
import Places
import Ports
import Records
import Testing

@testable import Uplink

/// OwnTracks' commands, unencrypted and encrypted.
@Suite struct OwnTracksCommandHandlerTests {
  /// Adds a byte that must be there on decryption.
  private final class ReversingEncryptor: EncryptorPort {
    func encrypt(_ plain: [UInt8]) -> [UInt8] { [42] + plain }

    func open(_ encrypted: [UInt8]) throws(PortError) -> [UInt8] {
      guard encrypted.first == 42 else { throw .refused("another passphrase") }
      return Array(encrypted.dropFirst())
    }
  }

  private final class History: HistoryPort {
    func lastTrackPoint() -> TrackPoint? { OwnTracksCommandHandlerTests.point }
    func trackPoints(from start: UTCInstant, to end: UTCInstant?, atMost most: Int) -> [TrackPoint]
    {
      []
    }
    func visits(from start: UTCInstant, to end: UTCInstant?, atMost most: Int) -> [Visit] { [] }
    func crossings(from start: UTCInstant, to end: UTCInstant?, atMost most: Int) -> [Crossing] {
      []
    }
    func placeRows(atMost most: Int) -> [PlaceRow] { TwoPlaces.rows }
    func messages() throws(PortError) -> [StoredMessage] { [] }
    func alertRows(atMost most: Int) -> [StoredAlert] { [] }
  }

  private static let start = UTCInstant(seconds: 1_777_593_600)
  private static let point = TrackPoint(
    location: Location(
      time: start, position: Coordinate(latitude: 52.5, longitude: 5.25), accuracy: 4.4,
      speed: nil, track: nil, altitude: nil, source: .gnss), reason: .scheduled)

  private func handler(
    of person: String = "ben", encryptor: (any EncryptorPort)? = nil,
    private isPrivate: Bool = false,
    daemon: (any DaemonPort)? = nil
  ) -> OwnTracksCommandHandler {
    let pause = UplinkPause(from: Self.start, to: Self.start + 1)
    let privacy = PrivacyFilter(
      PrivacySettings(), areas: [], zone: .utc, pauses: isPrivate ? [pause] : [],
      visitor: Visitor(person))
    return OwnTracksCommandHandler(
      History(), daemon, UplinkBoard("bike", of: "ann", version: "1").topics, tracker: "gw",
      encryptor: encryptor,
      privacy: { privacy }, onLog: { _ in })
  }

  private func hear(
    _ payload: [UInt8], _ handler: OwnTracksCommandHandler, at time: UTCInstant = Self.start,
    over transport: Recipient.Transport = .broker
  ) -> BrokerMessage? {
    (try? OwnTracksMessage(parsing: payload)).flatMap(handler.command).flatMap {
      handler.answer(to: $0, at: time, over: transport)
    }
  }

  private static let report = Array(#"{"_type":"cmd","action":"reportLocation"}"#.utf8)

  @Test("reportLocation is answered on the location topic, as an answer") func report() throws {
    let answer = try #require(hear(Self.report, handler(), at: Self.start + 60))
    #expect(answer.topic == "owntracks/ann/bike")
    let text = String(decoding: answer.payload, as: UTF8.self)
    #expect(text.contains(#""tst":1777593600,"created_at":1777593660"#), "\(text)")
    #expect(text.contains(#""t":"r""#))
    #expect(hear(Self.report, handler(private: true)) == nil)
    let overHTTP = try #require(hear(Self.report, handler(), over: .web))
    #expect(
      String(decoding: overHTTP.payload, as: UTF8.self).contains(#""topic":"owntracks/ann/bike""#)
    )
  }

  private final class Daemon: DaemonPort {
    func query(_ request: JSONValue) -> JSONValue {
      .object([
        (
          "fix",
          .object([
            ("time", .string("2026-05-01T00:01:00Z")), ("lat", .number(52.6)),
            ("lon", .number(5.3)), ("accuracy_m", .number(4)), ("speed_m_s", .number(8)),
            ("course_deg", .number(33)),
          ])
        )
      ])
    }
  }

  @Test("reportLocation is answered with the daemon's newest fix") func newest() throws {
    let answer = try #require(hear(Self.report, handler(daemon: Daemon()), at: Self.start + 60))
    let text = String(decoding: answer.payload, as: UTF8.self)
    #expect(text.contains(#""tst":1777593660"#) && text.contains(#""vel":29,"cog":33"#), "\(text)")
  }

  @Test("a place restricted to others is no waypoint", arguments: ["ben", "anna"])
  func waypoints(person: String) throws {
    let asked = Array(#"{"_type":"cmd","action":"waypoints"}"#.utf8)
    let answer = try #require(hear(asked, handler(of: person)))
    let text = String(decoding: answer.payload, as: UTF8.self)
    #expect(text.contains("School"))
    #expect(text.contains("Meet") == (person == "anna"), "\(text)")
  }

  @Test("with encryption, answers are encrypted and clear requests ignored") func encrypted() throws
  {
    let handler = handler(encryptor: ReversingEncryptor())
    #expect(hear(Self.report, handler) == nil)
    let encrypted = OwnTracksMessage.encrypted([42] + Self.report).bytes
    let answer = try #require(hear(encrypted, handler))
    #expect(
      OwnTracksEncryption(ReversingEncryptor()).opened(
        try OwnTracksMessage(parsing: answer.payload)) != nil)
    #expect(!String(decoding: answer.payload, as: UTF8.self).contains("52.5"))
    let foreign = OwnTracksMessage.encrypted([41] + Self.report).bytes
    #expect(hear(foreign, handler) == nil)
  }

  @Test(
    "modifying commands are refused, and unknown ones ignored",
    arguments: [
      #"{"_type":"cmd","action":"clearWaypoints"}"#,
      #"{"_type":"cmd","action":"setConfiguration","configuration":{"_type":"configuration"}}"#,
      #"{"_type":"cmd","action":"dump"}"#, #"{"_type":"location"}"#, "", "[]",
    ])
  func refused(text: String) {
    #expect(hear(Array(text.utf8), handler()) == nil)
  }

  @Test("messages for OwnTracks only are encrypted once, with the same bytes ever after")
  func queued() throws {
    let encryptor = OwnTracksEncryption(ReversingEncryptor())
    let item = OutboxItem(to: .owntracks, layer: "a", record: 1, payload: Self.report)
    let other = OutboxItem(to: .osmand, layer: "a", record: 1, payload: Self.report)
    #expect(try encryptor.encrypted(item).payload != item.payload)
    #expect(try encryptor.encrypted(other) == other)
  }
}
