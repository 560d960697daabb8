import Delivery
import Core
import Places
import Ports
import Records
import Testing

@testable import Uplink

/// Remote requests, with a store and a daemon that the test simulates.
@Suite struct RemoteRequestHandlerTests {
  private final class History: HistoryPort {
    var points: [TrackPoint] = []

    func lastTrackPoint() -> TrackPoint? { points.last }

    func trackPoints(from start: UTCInstant, to end: UTCInstant?, atMost most: Int) -> [TrackPoint]
    {
      Array(
        points.filter { point in
          point.location.time >= start && end.map { point.location.time < $0 } ?? true
        }.prefix(most))
    }

    func visits(from start: UTCInstant, to end: UTCInstant?, atMost most: Int) -> [Visit] { [] }
    func crossings(from start: UTCInstant, to end: UTCInstant?, atMost most: Int) -> [Crossing] {
      []
    }
    func placeRows(atMost most: Int) -> [PlaceRow] { TwoPlaces.rows }
    func messages() throws(PortError) -> [StoredMessage] { [] }
    func alertRows(atMost most: Int) -> [StoredAlert] { [] }
  }

  private final class Daemon: DaemonPort {
    var asked: [String] = []
    var status = JSONValue.object([("gnss", .string("off")), ("store", .string("/secret"))])
    var isThere = true

    func query(_ request: JSONValue) throws(PortError) -> JSONValue {
      guard isThere else { throw PortError("no daemon answers") }
      asked.append(request["command"]?.string ?? "")
      return status
    }
  }

  private static let asker = ReplyAddress(topic: "home/answers", correlation: [7])
  private let history = History()
  private let daemon = Daemon()
  private let outbox = ListedOutbox()
  private static let start = UTCInstant(seconds: 1_777_593_600)

  init() {
    history.points = (0..<450).map { number in
      TrackPoint(
        location: Location(
          time: Self.start + Seconds(Double(number)),
          position: Coordinate(latitude: 52.5, longitude: 5.25), accuracy: 4.4, speed: nil,
          track: nil, altitude: nil, source: .gnss), reason: .scheduled)
    }
  }

  @Test("requests beyond the limit are refused with a message, then logged, never silent")
  func burst() throws {
    let topics = UplinkBoard("bike", of: "ann", version: "1").topics
    let commands = OwnTracksCommandHandler(
      history, daemon, topics, tracker: "gw", encryptor: nil, privacy: { PrivacyFilter.none }
    ) { _ in }
    let mailbox = RequestInbox(handler(), commands, topics, answeringOn: []) { _ in }
    var answers: [String] = []
    var troubles: [String] = []
    for number in 0..<300 {
      let asked = BrokerEvent.Message(
        topic: topics.request, payload: Array(#"{"id":"q\#(number)","do":"position"}"#.utf8))
      if let answer = mailbox.handle(asked) {
        answers.append(String(decoding: answer.payload, as: UTF8.self))
      }
      troubles += mailbox.drainTroubles()
    }
    #expect(answers.filter { $0.contains(#""ok":true"#) }.count >= 60)
    let refused = answers.filter { $0.contains("too many requests: retry") }
    #expect(refused.count >= 200 && answers.count < 300)
    #expect(troubles.count == 2, "\(troubles)")
  }

  private final class Clock {
    var now = BootInstant.zero
  }

  private let clock = Clock()

  private func handler(
    _ scope: RequestSettings.Scope = .read, _ privacy: PrivacyFilter? = PrivacyFilter.none
  ) -> RemoteRequestHandler {
    RemoteRequestHandler(
      history, daemon, outbox, scope, privacy: { privacy }, clock: { [clock] in clock.now })
  }

  private func answer(_ handler: RemoteRequestHandler, _ text: String) throws -> JSONValue {
    let answer = handler.handle(Array(text.utf8), for: Self.asker, at: Self.start + 1000)
    return try JSONValue(parsing: try #require(answer).bytes)
  }

  @Test("the last position is returned with its age") func position() throws {
    let said = try answer(handler(), #"{"id":"1","do":"position"}"#)
    #expect(said["ok"]?.bool == true)
    #expect(said["position"]?["lat"]?.number == 52.5)
    #expect(said["age_s"]?.number == 551)
  }

  @Test("a track is returned in pages, each point once, in order") func track() throws {
    var from = "2026-05-01T00:00:00Z"
    var times: [String] = []
    for _ in 0..<10 {
      let said = try answer(handler(), #"{"id":"1","do":"track","from":"\#(from)"}"#)
      times += said["points"]?.array?.compactMap { $0["time"]?.string } ?? []
      guard let next = said["next"]?.string else { break }
      from = next
    }
    #expect(times.count == 450)
    #expect(times == times.sorted() && Set(times).count == 450)
  }

  @Test("a place restricted to others is in no answer", arguments: ["ben", "anna"])
  func places(person: String) throws {
    let privacy = PrivacyFilter(
      PrivacySettings(), areas: [], zone: .utc, pauses: [], visitor: Visitor(person))
    let said = try answer(handler(.read, privacy), #"{"id":"1","do":"places"}"#)
    #expect(
      said["places"]?.array?.map { $0["name"]?.string }
        == (person == "anna" ? ["School", "Meet"] : ["School"]))
  }

  @Test("private data is in no answer") func privacy() throws {
    let pause = UplinkPause(from: Self.start, to: Self.start + 1000)
    let reticent = PrivacyFilter(PrivacySettings(), areas: [], zone: .utc, pauses: [pause])
    #expect(
      try answer(handler(.read, reticent), #"{"id":"1","do":"position"}"#)["position"] == .null)
    let track = try answer(
      handler(.read, reticent), #"{"id":"1","do":"track","from":"2026-05-01T00:00:00Z"}"#)
    #expect(track["points"]?.array?.isEmpty == true)
    let unknown = try answer(handler(.read, nil), #"{"id":"1","do":"position"}"#)
    #expect(unknown["ok"]?.bool == false)
  }

  @Test("the status contains no files, and states when there is no daemon") func status() throws {
    let said = try answer(handler(), #"{"id":"1","do":"status"}"#)
    #expect(said["status"]?["gnss"]?.string == "off")
    #expect(!said.text.contains("secret"))
    daemon.isThere = false
    let refused = try answer(handler(), #"{"id":"1","do":"status"}"#)
    #expect(refused["ok"]?.bool == false && !refused.text.contains("no daemon answers"))
  }

  private static let sent = #""sent":"2026-05-01T00:16:00Z""#

  @Test("the daemon's newest fix is returned, with speed, course and its own age")
  func newest() throws {
    daemon.status = try JSONValue(
      parsing: #"""
        {"fix":{"time":"2026-05-01T00:16:38Z","lat":52.6,"lon":5.3,"accuracy_m":3,"age_s":2.0,
         "speed_m_s":8.0,"course_deg":33.1}}
        """#)
    let said = try answer(handler(), #"{"id":"1","do":"position"}"#)
    #expect(said["position"]?["lat"]?.number == 52.6)
    #expect(said["position"]?["speed_m_s"]?.number == 8)
    #expect(said["position"]?["course_deg"]?.number == 33.1)
    #expect(said["age_s"]?.number == 2)
    let status = try answer(handler(), #"{"id":"1","do":"status"}"#)
    #expect(status["status"]?["fix"]?["speed_m_s"]?.number == 8)
    #expect(status["status"]?["fix"]?["course_deg"]?.number == 33.1)
    // An older fix than the stored one, from a daemon that has had none for long.
    daemon.status = self.status("2026-05-01T00:16:40Z", fix: "2026-05-01T00:01:00Z")
    let stored = try answer(handler(), #"{"id":"1","do":"position"}"#)
    #expect(stored["position"]?["time"]?.string == "2026-05-01T00:07:29.000Z")
  }

  @Test("without a fix or an attempt, the last known position is returned")
  func lastKnown() throws {
    let handler = handler(.commands)
    daemon.status = status("2026-05-01T00:16:40Z", fix: "2026-05-01T00:16:00Z")
    let order = #"{"id":"1","do":"fix","within_s":10,\#(Self.sent)}"#
    #expect(handler.handle(Array(order.utf8), for: Self.asker, at: Self.start + 1000) == nil)
    clock.now = clock.now + 15
    let late = try #require(handler.poll(at: Self.start + 1015).first).0
    let said = try JSONValue(parsing: late.bytes)
    #expect(said["ok"]?.bool == false)
    #expect(said["position"]?["time"]?.string == "2026-05-01T00:16:00.000Z")
    #expect(said["age_s"]?.number == 55)

    daemon.status = try JSONValue(parsing: #"{"gnss_order":{"gnss":"off"}}"#)
    let off = try answer(handler, #"{"id":"2","do":"fix",\#(Self.sent)}"#)
    #expect(off["error"]?.string == "GNSS is switched off by command")
    #expect(off["position"]?["lat"]?.number == 52.5 && off["age_s"]?.number == 551)
    #expect(daemon.asked.filter { $0 == "fix" }.count == 1)
  }

  @Test("a missing fix is answered before the connection may end") func late() throws {
    let handler = handler(.commands)
    daemon.status = status("2026-05-01T00:16:40Z", fix: "2026-05-01T00:16:00Z")
    let order = #"{"id":"1","do":"fix","within_s":12,\#(Self.sent)}"#
    #expect(handler.handle(Array(order.utf8), for: Self.asker, at: Self.start + 1000) == nil)
    let end = try #require(handler.deadline)
    var answers = 0
    while let wake = handler.wake, clock.now < end {
      // The event loop wakes a little late.
      clock.now = wake + 0.01
      answers += handler.poll(at: Self.start + 1000).count
    }
    #expect(answers == 1 && clock.now < end)
  }

  @Test("a command counts once, and a failed one may be repeated") func once() throws {
    let order = #"{"id":"1","do":"gnss","state":"off",\#(Self.sent)}"#
    daemon.isThere = false
    #expect(try answer(handler(.commands), order)["ok"]?.bool == false)
    daemon.isThere = true
    #expect(try answer(handler(.commands), order)["ok"]?.bool == true)
    let again = try answer(handler(.commands), order)
    #expect(
      again["ok"]?.bool == false && again["error"]?.string?.contains("was received before") == true)
    #expect(daemon.asked == ["gnss"])
    let read = #"{"id":"1","do":"position"}"#
    #expect(try answer(handler(), read)["ok"]?.bool == true)
    #expect(try answer(handler(), read)["ok"]?.bool == true)
  }

  @Test("commands are accepted only from those whom the settings allow") func orders() throws {
    let order = #"{"id":"1","do":"gnss","state":"off",\#(Self.sent)}"#
    #expect(try answer(handler(.read), order)["ok"]?.bool == false)
    #expect(daemon.asked.isEmpty)
    #expect(try answer(handler(.commands), order)["ok"]?.bool == true)
    #expect(daemon.asked == ["gnss"])
    let undated = try answer(handler(.commands), #"{"id":"1","do":"gnss","state":"on"}"#)
    #expect(undated["ok"]?.bool == false)
    #expect(daemon.asked == ["gnss"], "nobody knows how long that has waited")
  }

  @Test("a fix is requested once, and a limited number of requests wait for it") func fix() throws {
    let handler = handler(.commands)
    for number in 0..<4 {
      let order = #"{"id":"\#(number)","do":"fix",\#(Self.sent)}"#
      #expect(handler.handle(Array(order.utf8), for: Self.asker, at: Self.start + 1000) == nil)
    }
    #expect(handler.wake != nil && handler.deadline != nil)
    let fifth = try answer(handler, #"{"id":"5","do":"fix",\#(Self.sent)}"#)
    #expect(fifth["ok"]?.bool == false)
    #expect(daemon.asked.filter { $0 == "fix" }.count == 4)
  }

  private func status(_ time: String, fix: String) -> JSONValue {
    .object([
      ("time", .string(time)),
      (
        "fix",
        .object([
          ("time", .string(fix)), ("lat", .number(52.5)), ("lon", .number(5.25)),
          ("accuracy_m", .number(4.5)),
        ])
      ),
    ])
  }

  @Test("a fix counts by the daemon's date, whatever the system's is") func date() throws {
    let handler = handler(.commands)
    // The system's date is a quarter of an hour ahead.
    daemon.status = status("2026-05-01T00:01:40Z", fix: "2026-05-01T00:01:00Z")
    let order = #"{"id":"1","do":"fix",\#(Self.sent)}"#
    #expect(handler.handle(Array(order.utf8), for: Self.asker, at: Self.start + 1000) == nil)
    clock.now = clock.now + 5
    #expect(handler.poll(at: Self.start + 1000).isEmpty, "the one that it had before")
    daemon.status = status("2026-05-01T00:01:50Z", fix: "2026-05-01T00:01:45Z")
    clock.now = clock.now + 5
    let answers = handler.poll(at: Self.start + 1000)
    let said = try JSONValue(parsing: try #require(answers.first).0.bytes)
    #expect(said["ok"]?.bool == true && said["fix"]?["lat"]?.number == 52.5, "\(said)")
  }

  @Test(
    "any request gets a valid answer",
    arguments: [
      "", "null", "{\"id\":\"1\"}", "[[[[", "{\"id\":\"1\",\"do\":{}}",
    ])
  func hostile(text: String) throws {
    #expect(try answer(handler(), text)["ok"]?.bool == false)
  }
}
