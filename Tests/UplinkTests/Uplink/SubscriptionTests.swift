import BrokerStandIns
import Delivery
import Transports
import Store
import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Uplink

/// A broker whose access rules refuse some of the board's subscriptions.
@Suite(
  .enabled(
    if: MosquittoProcess.isInstalled,
    "SKIPPED: mosquitto is not installed, so nothing meets it; apt-get install mosquitto"
  ))
struct SubscriptionTests {
  private let folder: ScratchFolder
  private static let board = UplinkBoard("bike", of: "ann", version: "1")
  private static let word =
    "the broker does not let the board subscribe to godwit/ann/bike/received: no receipt of the "
    + "collector arrives, so nothing is sent to it again; check its access rules "
    + "(docs/manual/uplink.md, access list)"

  init() throws { folder = try ScratchFolder() }

  private func outbox() throws -> OutboxFile { try OutboxFile(path: folder.file("uplink.db")) }

  /// - Parameter refused: the topics whose subscription is reported as refused.
  private func run(
    _ mosquitto: MosquittoProcess, refusing refused: Set<String>
  ) throws -> (ending: UplinkRun.Ending, log: [String]) {
    let settings = try UplinkSettingsText.read(
      """
      [uplink]
      receipt_s = 0
      [uplink.mqtt]
      brokers = ["mqtt://localhost:\(mosquitto.port)"]
      owntracks = false
      collector = true
      """)
    let parts = UplinkRun.Parts(
      store: try StoreReader(path: folder.file("track.gpkg")), outbox: try outbox(),
      broker: (DeafBroker(refusing: refused), BrokerLogin(clientID: "bike")))
    var log: [String] = []
    let run = try UplinkRun(parts, settings, Self.board, UplinkRun.Options()) {
      log.append("\($0.kind): \($0.reason)")
    }
    return (try run.run(), log)
  }

  @Test("a refused receipt topic is reported, and nothing is sent again meanwhile")
  func receipts() throws {
    let mosquitto = try #require(try MosquittoProcess(in: folder))
    let home = try BrokerTalk.subscribed(at: mosquitto, to: ["godwit/#"])
    let store = try GeoPackageStore(
      path: folder.file("track.gpkg"), mark: 1, keepsChangeLog: true)
    try store.write([
      .trackPoint(
        TrackPoint(
          location: Location(
            time: UTCInstant(seconds: 1_777_593_600),
            position: Coordinate(latitude: 52.0907, longitude: 5.1214), accuracy: 4.4, speed: 5,
            track: 90, altitude: nil, source: .gnss), reason: .scheduled))
    ])
    let refused: Set = [Self.board.topics.received]
    let first = try run(mosquitto, refusing: refused)
    #expect(first.ending.failures == [.receipts: Self.word])
    #expect(first.log.filter { $0 == "unheard: \(Self.word)" }.count == 1, "\(first.log)")
    #expect(home.message() != nil)
    #expect(try outbox().exchanges(atMost: 9).contains { $0.note == Self.word })
    #expect(try outbox().backoffs()[.receipts]?.why == Self.word)
    // The message has already waited longer than the timeout of its receipt.
    _ = try #require(home.port.publish(BrokerMessage(topic: "x", payload: []), number: 1) == nil)
    _ = home.next(within: 1.1) { _ in Bool?.none }
    let second = try run(mosquitto, refusing: refused)
    #expect(!second.log.contains("handed-on: 1 to collector"), "\(second.log)")
    #expect(try outbox().backoffs()[.receipts]?.failures == 2)
    let third = try run(mosquitto, refusing: [])
    #expect(third.ending.failures.isEmpty)
    #expect(try outbox().backoffs()[.receipts] == nil)
    let fourth = try run(mosquitto, refusing: [])
    #expect(fourth.log.contains("handed-on: 1 to collector"), "\(fourth.log)")
  }
}

/// Simulates the answers that Debian's broker, which grants every subscription, would give with
/// other access rules.
private final class DeafBroker: BrokerPort {
  private let broker = MosquittoBroker()
  private let refused: Set<String>

  init(refusing refused: Set<String>) { self.refused = refused }

  var name: String { broker.name }
  var interest: Interest? { broker.interest }
  var due: BootInstant? { broker.due }
  var hasRoom: Bool { broker.hasRoom }
  var traffic: Traffic { broker.traffic }
  func connect(to address: BrokerAddress, as login: BrokerLogin) {
    broker.connect(to: address, as: login)
  }
  func subscribe(to topics: [String]) { broker.subscribe(to: topics) }
  func publish(_ message: BrokerMessage, number: Int64) -> PublishReason? {
    broker.publish(message, number: number)
  }
  func disconnect() { broker.disconnect() }

  func poll() -> BrokerEvent? {
    guard let event = broker.poll() else { return nil }
    guard case .subscribed(let accepted, let denied) = event else { return event }
    return .subscribed(
      accepted: accepted.filter { !refused.contains($0) },
      refused: denied + accepted.filter { refused.contains($0) })
  }
}
