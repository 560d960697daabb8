import BrokerStandIns
import Delivery
import Transports
import Store
import Ports
import Core
import ReceiverStandIns
import Records
import Runtime
import TestSupport
import Testing

@testable import Uplink

/// A real store, a real outbox and the mosquitto that Debian ships.
@Suite(
  .enabled(
    if: MosquittoProcess.isInstalled,
    "SKIPPED: mosquitto is not installed, so nothing meets it; apt-get install mosquitto"
  ))
struct UplinkRunTests {
  private let folder: ScratchFolder
  private static let start = UTCInstant(seconds: 1_777_593_600)
  private static let board = UplinkBoard("bike", of: "ann", version: "1")

  init() throws { folder = try ScratchFolder() }

  private func store(_ mark: UInt32 = 1) throws -> GeoPackageStore {
    try GeoPackageStore(path: folder.file("track.gpkg"), mark: mark, keepsChangeLog: true)
  }

  private func point(_ number: Int) -> Record {
    .trackPoint(
      TrackPoint(
        location: Location(
          time: Self.start + Seconds(Double(number)),
          position: Coordinate(latitude: 52.0907, longitude: 5.1214), accuracy: 4.4, speed: 5,
          track: 90, altitude: nil, source: .gnss), reason: .scheduled))
  }

  private func settings(_ port: UInt16, collector: Bool = true) throws -> UplinkSettings {
    try UplinkSettingsText.read(
      """
      [uplink.mqtt]
      brokers = ["mqtt://127.0.0.1:1", "mqtt://localhost:\(port)"]
      collector = \(collector)
      """)
  }

  private func outbox() throws -> OutboxFile {
    try OutboxFile(path: folder.file("uplink.db"))
  }

  private func run(
    _ settings: UplinkSettings, _ options: UplinkRun.Options = UplinkRun.Options()
  ) throws -> UplinkRun.Ending {
    let parts = UplinkRun.Parts(
      store: try StoreReader(path: folder.file("track.gpkg")), outbox: try outbox(),
      broker: (MosquittoBroker(), BrokerLogin(clientID: "bike")))
    return try UplinkRun(parts, settings, Self.board, options) { _ in }.run()
  }

  /// Delivers one notification.
  private final class Door: WakePort {
    let name = "a door"
    var interest: Interest? { nil }
    private var news: Set<UplinkNotification> = [.settings]

    func drain() -> Set<UplinkNotification> {
      defer { news = [] }
      return news
    }
  }

  @Test("new settings before a persistent uplink has started prevent any connection")
  func settingsAtStart() throws {
    try store().write([point(1)])
    var parts = UplinkRun.Parts(
      store: try StoreReader(path: folder.file("track.gpkg")), outbox: try outbox(),
      broker: (MosquittoBroker(), BrokerLogin(clientID: "bike")))
    parts.activationSocket = Door()
    let ending = try UplinkRun(
      parts, try settings(FakeGpsd.freePort()), Self.board, UplinkRun.Options(stays: true)
    ) { _ in }.run()
    #expect(ending.restart == .settings && ending.failures.isEmpty)
  }

  private func listen(_ mosquitto: MosquittoProcess, _ topics: String...) throws -> BrokerTalk {
    try BrokerTalk.subscribed(at: mosquitto, to: topics)
  }

  @Test("records reach a subscriber, once, in OwnTracks' format") func ownTracks() throws {
    let mosquitto = try #require(try MosquittoProcess(in: folder))
    let home = try listen(mosquitto, "owntracks/#")
    let store = try store()
    try store.write((1...3).map(point))
    let settings = try settings(mosquitto.port, collector: false)
    #expect(try run(settings) == UplinkRun.Ending())
    #expect(
      home.message()
        == .init(
          topic: "owntracks/ann/bike",
          payload: Array(
            (#"{"_type":"location","tst":1777593601,"lat":52.0907000,"lon":5.1214000,"acc":4,"#
              + #""vel":18,"cog":90,"tid":"gw"}"#).utf8)))
    #expect(home.message() != nil && home.message() != nil)
    #expect(try outbox().summaries().map(\.waiting) == [0])
    try store.write([point(9)])
    _ = try run(settings)
    let last = try #require(home.message())
    #expect(String(decoding: last.payload, as: UTF8.self).contains("1777593609"))
  }

  @Test("no subscriber: nothing is received, everything waits, and it is reported") func nobody()
    throws
  {
    let mosquitto = try #require(try MosquittoProcess(in: folder))
    let store = try store()
    try store.write((1...3).map(point))
    let ending = try withExtendedLifetime(mosquitto) { try run(try settings(mosquitto.port)) }
    #expect(
      ending.blocks == [
        .owntracks: "it has no subscriber", .collector: "it has no subscriber",
      ])
    #expect(try outbox().summaries().map(\.waiting) == [3, 3])
  }

  @Test("a collector's receipt confirms its records") func collector() throws {
    let mosquitto = try #require(try MosquittoProcess(in: folder))
    let home = try listen(mosquitto, Self.board.topics.records)
    let store = try store()
    try store.write((1...120).map(point))
    let receipt = CollectorReceipt(stream: "other", through: 0)
    let said1 = BrokerMessage(
      topic: Self.board.topics.received, payload: receipt.bytes, isRetained: true)
    #expect(home.port.publish(said1, number: 1) == nil)
    #expect(home.reason(of: 1) != nil)
    let settings = try UplinkSettingsText.read(
      """
      [uplink.mqtt]
      brokers = ["mqtt://localhost:\(mosquitto.port)"]
      owntracks = false
      collector = true
      """)
    #expect(try run(settings) == UplinkRun.Ending())
    var numbers: [Int64] = []
    var stream = ""
    while numbers.count < 120, let message = home.message() {
      let batch = try CollectedBatch(parsing: message.payload)
      stream = batch.stream
      numbers += batch.records.map(\.sequence)
    }
    #expect(numbers == Array(1...120))
    #expect(try outbox().summaries().map(\.waiting) == [120], "handed over is not received")

    let all = CollectorReceipt(stream: stream, through: 120)
    let said2 = BrokerMessage(
      topic: Self.board.topics.received, payload: all.bytes, isRetained: true)
    #expect(home.port.publish(said2, number: 2) == nil)
    #expect(home.reason(of: 2) != nil)
    #expect(try run(settings) == UplinkRun.Ending())
    #expect(try outbox().summaries().map(\.waiting) == [0])
  }

  @Test("no broker is a failure, and everything waits") func noBroker() throws {
    try store().write([point(1)])
    let settings = try settings(FakeGpsd.freePort())
    let ending = try run(settings)
    #expect(ending.failures[.brokers]?.contains("refused") == true, "\(ending)")
    #expect(try outbox().summaries().map(\.waiting) == [1, 1])
    let held = try #require(try outbox().backoffs()[.brokers])
    #expect(held.failures == 1 && held.why == ending.failures[.brokers])
    // A service run soon after respects the back-off; a user's command does not.
    #expect(try run(settings, UplinkRun.Options(respectsBackOff: true)) == UplinkRun.Ending())
    #expect(try outbox().backoffs()[.brokers] == held)
    #expect(!(try run(settings).failures.isEmpty))
    #expect(try outbox().backoffs()[.brokers]?.failures == 2)
  }
}
