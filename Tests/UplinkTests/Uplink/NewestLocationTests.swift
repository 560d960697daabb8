import BrokerStandIns
import Delivery
import Transports
import Core
import Store
import Platform
import Ports
import Records
import TestSupport
import Testing

@testable import Uplink

/// The newest data is sent: records that the daemon has not committed, and its newest fix.
@Suite(
  .enabled(
    if: MosquittoProcess.isInstalled,
    "SKIPPED: mosquitto is not installed, so nothing meets it; apt-get install mosquitto"
  ))
struct NewestLocationTests {
  /// Has a point that is not committed, and a fix newer than all that is stored.
  private final class Daemon: DaemonPort {
    var commit: () -> Void = {}
    var fix = "2026-05-01T00:01:00Z"
    private(set) var orders = 0

    func query(_ request: JSONValue) throws(PortError) -> JSONValue {
      switch request["command"]?.string {
      case "commit": commit()
      case "gnss": orders += 1
      default: break
      }
      do {
        return try JSONValue(
          parsing: """
            {"gnss":"tracking","fix":{"time":"\(fix)","lat":52.2,"lon":5.2,"accuracy_m":4,
             "age_s":1,"speed_m_s":8,"course_deg":33}}
            """)
      } catch {
        throw PortError("\(error)")
      }
    }
  }

  private let folder: ScratchFolder
  private let daemon = Daemon()
  private static let start = UTCInstant(seconds: 1_777_593_600)
  private static let board = UplinkBoard("bike", of: "ann", version: "1")
  private static let location = board.topics.location

  init() throws { folder = try ScratchFolder() }

  private func store() throws -> GeoPackageStore {
    try GeoPackageStore(path: folder.file("track.gpkg"), mark: 1, keepsChangeLog: true)
  }

  private func point(_ second: Int) -> Record {
    .trackPoint(
      TrackPoint(
        location: Location(
          time: Self.start + Seconds(Double(second)),
          position: Coordinate(latitude: 52.1, longitude: 5.1), accuracy: 4),
        reason: .scheduled))
  }

  private func outbox() throws -> OutboxFile {
    try OutboxFile(path: folder.file("uplink.db"))
  }

  @discardableResult private func run(
    _ mosquitto: MosquittoProcess, _ uplink: String = "", _ mqtt: String = "", alone: Bool = false,
    onLog: @escaping (LogEvent) -> Void = { _ in }
  ) throws -> UplinkRun.Ending {
    let settings = try UplinkSettingsText.read(
      """
      [uplink]
      \(uplink)
      [uplink.mqtt]
      brokers = ["mqtt://localhost:\(mosquitto.port)"]
      \(mqtt)
      """)
    let reader = try StoreReader(path: folder.file("track.gpkg"))
    var parts = UplinkRun.Parts(
      store: reader, outbox: try outbox(),
      broker: (MosquittoBroker(), BrokerLogin(clientID: "bike", user: "bike")))
    parts.history = reader
    parts.daemon = alone ? nil : daemon
    return try UplinkRun(parts, settings, Self.board, UplinkRun.Options(), onLog: onLog).run()
  }

  private func text(_ message: BrokerEvent.Message?) throws -> String {
    String(decoding: try #require(message).payload, as: UTF8.self)
  }

  @Test("records in the daemon are committed first, and sent in the same run")
  func committed() throws {
    let mosquitto = try #require(try MosquittoProcess(in: folder))
    let home = try BrokerTalk.subscribed(at: mosquitto, to: [Self.location])
    let store = try store()
    try store.write([point(1)])
    let second = point(2)
    daemon.commit = { try? store.write([second]) }
    daemon.fix = "2026-05-01T00:00:02Z"
    try run(mosquitto)
    #expect(try text(home.message()).contains(#""tst":1777593601,"#))
    #expect(try text(home.message()).contains(#""tst":1777593602,"#))
  }

  @Test("Home Assistant gets the newest fix, unless it is private") func homeAssistant()
    throws
  {
    let mosquitto = try #require(try MosquittoProcess(in: folder))
    let topic = "godwit/ann/bike/position"
    let home = try BrokerTalk.subscribed(at: mosquitto, to: [topic])
    try store().write([point(1)])
    let only = "owntracks = false\nhome_assistant = true\n"
    try run(mosquitto, "", only)
    let said = try text(home.message())
    #expect(said.contains(#""speed_mps":8.0,"course_deg":33,"#), "\(said)")
    #expect(said.contains(#""fix_time":"2026-05-01T00:01:00Z""#), "\(said)")
    daemon.fix = "2026-05-01T08:00:00Z"
    try run(mosquitto, "", only + "[uplink.privacy]\nhours = \"00:00-06:00\"\n")
    daemon.fix = "2026-05-01T02:00:00Z"
    try run(mosquitto, "", only + "[uplink.privacy]\nhours = \"00:00-06:00\"\n")
    #expect(try text(home.message()).contains(#""fix_time":"2026-05-01T02:00:00Z""#))
  }

  @Test("a later map viewer gets the newest fix, and waiting records keep their order")
  func retained() throws {
    let mosquitto = try #require(try MosquittoProcess(in: folder))
    try store().write((1...3).map(point))
    for _ in 0..<2 {
      let ending = try run(mosquitto)
      #expect(ending.blocks == [.owntracks: "it has no subscriber"])
    }
    #expect(try outbox().summaries().map(\.waiting) == [3])
    let map = try BrokerTalk.subscribed(at: mosquitto, to: [Self.location])
    let shown = try #require(map.message())
    #expect(shown.isRetained)
    #expect(try text(shown).contains(#""tst":1777593660,"#))
    #expect(try text(shown).contains(#""vel":29,"cog":33,"#))
    try run(mosquitto)
    let times = try (0..<4).map { _ in try text(map.message()) }
      .map { $0.dropFirst(26).prefix(10) }
    #expect(times == ["1777593601", "1777593602", "1777593603", "1777593660"])
    #expect(try outbox().summaries().map(\.waiting) == [0])
    // Nothing is new: nothing is sent again.
    try run(mosquitto)
    daemon.fix = "2026-05-01T00:02:00Z"
    try run(mosquitto)
    #expect(try text(map.message()).contains(#""tst":1777593720,"#))
  }

  @Test("a location that the broker refused does not count as published")
  func notTaken() throws {
    try folder.write("user bike\ntopic read \(Self.location)\n", to: "acl")
    let mosquitto = try #require(
      try MosquittoProcess(
        ["allow_anonymous true", "acl_file \(folder.file("acl"))"], in: folder))
    try store().write([point(1)])
    try run(mosquitto)
    #expect(try outbox().state() != nil && outbox().state()?.retained == nil)
    let open = try #require(try MosquittoProcess(in: folder))
    try run(open)
    #expect(try outbox().state()?.retained == UTCInstant(seconds: 1_777_593_660))
  }

  @Test("without a daemon, or with a private fix, the newest waiting location is retained")
  func waiting() throws {
    let mosquitto = try #require(try MosquittoProcess(in: folder))
    try store().write((1...3).map(point))
    try run(mosquitto, alone: true)
    let map = try BrokerTalk.subscribed(at: mosquitto, to: [Self.location])
    #expect(try text(map.message()).contains(#""tst":1777593603,"#))
    let other = try #require(try MosquittoProcess(in: folder))
    try store().write([point(4)])
    daemon.fix = "2026-05-01T08:00:00Z"
    try run(other, "", "[uplink.privacy]\nhours = \"00:00-06:00\"\n")
    let late = try BrokerTalk.subscribed(at: other, to: [Self.location])
    #expect(try text(late.message()).contains(#""tst":1777593604,"#))
  }

  private func request(_ text: String, to topic: String?) -> BrokerMessage {
    BrokerMessage(
      topic: "godwit/ann/bike/request", payload: Array(text.utf8), responseTopic: topic,
      correlation: [7])
  }

  @Test(
    "an answer is sent where the settings allow, and to the board's own topic otherwise",
    arguments: [
      ("godwit/ann/bike/answer/me", "godwit/ann/bike/answer/me"),
      ("godwit/ann/bike/answerme", "godwit/ann/bike/answer"),
      ("godwit-letters/ben/ann/x", "godwit/ann/bike/answer"),
      ("godwit/ann/bike/request", "godwit/ann/bike/answer"),
      ("home/answers", "home/answers"), ("home/answers/a", "home/answers/a"),
      ("home/answersa", "godwit/ann/bike/answer"),
    ])
  func answered(wanted: String, topic: String) throws {
    let mosquitto = try #require(try MosquittoProcess(in: folder))
    try store().write([point(1)])
    let asking = "requests = \"read\"\nanswer_topics = [\"home/answers\"]"
    try run(mosquitto, asking, "owntracks = false")
    let home = try BrokerTalk.subscribed(
      at: mosquitto, to: ["godwit/ann/bike/answer/#", "godwit-letters/#", "home/#"])
    let asked = request(#"{"id":"a","do":"position"}"#, to: wanted)
    #expect(home.port.publish(asked, number: 1) == nil)
    #expect(home.reason(of: 1) == .success)
    try run(mosquitto, asking, "owntracks = false")
    let answer = try #require(home.message())
    #expect(answer.topic == topic && answer.correlation == [7])
    #expect(try text(answer).contains(#""lat":52.2,"#))
  }

  @Test("an answer refused by the broker is reported with the remedy, last in the log")
  func refused() throws {
    try folder.write(
      """
      user bike
      topic read godwit/ann/bike/request
      user home
      topic godwit/ann/bike/#
      """, to: "acl")
    let mosquitto = try #require(
      try MosquittoProcess(
        ["allow_anonymous true", "acl_file \(folder.file("acl"))"], in: folder))
    try store().write([point(1)])
    let asking = "requests = \"orders\""
    try run(mosquitto, asking, "owntracks = false")
    let home = BrokerTalk(MosquittoBroker(), with: mosquitto)
    home.port.connect(
      to: try BrokerAddress(parsing: "mqtt://localhost:\(mosquitto.port)"),
      as: BrokerLogin(clientID: "home", user: "home"))
    try #require(home.welcome() != nil)
    let order =
      #"{"id":"a","do":"gnss","state":"off","sent":"\#(ISO8601.text(BootClock.systemDate))"}"#
    for number: Int64 in 1...2 {
      #expect(home.port.publish(request(order, to: nil), number: number) == nil)
      #expect(home.reason(of: number) == .success)
    }
    var log: [String] = []
    try run(mosquitto, asking, "owntracks = false") { log.append($0.kind) }
    #expect(log.filter { $0 == "answer-refused" }.count == 1, "\(log)")
    #expect(daemon.orders == 1, "the same order counts once")
    let last = try #require(try outbox().exchanges(atMost: 1).last)
    #expect(last.kind == .failed && last.note.contains("godwit/ann/bike/answer"), "\(last)")
    #expect(last.note.contains("access list"))
  }

  @Test("a position that must not be retained is not sent as an answer") func unkept() throws {
    let journal = try RunJournal(
      ListedOutbox(), dailyBytes: 1000, chance: 0, stays: false
    ) { event in
      #expect(event.kind == "position-refused")
      #expect(event.reason.hasPrefix("the newest position, which the broker retains"))
    }
    journal.refused(
      BrokerMessage(topic: Self.location, payload: [], isRetained: true), .notAuthorized)
  }
}
