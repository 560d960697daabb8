import Delivery
import Ports
import Core
import Testing

@testable import Uplink

@Suite struct BrokerSenderTests {
  private let broker = LeavingBroker()
  private let outbox = ListedOutbox()

  private func sender() throws -> BrokerSender {
    let settings = try UplinkSettingsText.read(
      """
      [uplink.mqtt]
      brokers = ["mqtt://localhost"]
      """)
    let parts = UplinkRun.Parts(store: LoggedStore(), outbox: outbox)
    let plan = BrokerPlan(
      brokers: settings.mqtt.brokers, recipients: [.collector], requestTopics: [],
      receiptTopic: nil, stays: true)
    let journal = try RunJournal(outbox, dailyBytes: 1_000_000, chance: 0.5, stays: false) { _ in }
    let board = UplinkBoard("bike", of: "ann", version: "1")
    return BrokerSender(
      plan, over: broker, as: BrokerLogin(clientID: "bike"), from: outbox, journal,
      Gathering(parts, settings, board) { _ in }, nil, nil)
  }

  @Test("a closing connection is served until it is gone, whichever broker is next")
  func leaving() throws {
    let sender = try sender()
    try sender.connect(respectsBackOff: false)
    #expect(!sender.isIdle)
    try sender.end()
    #expect(sender.isIdle && sender.wake == nil)
    // Otherwise it would keep the loop awake.
    #expect(broker.due != nil)
    try sender.step()
    #expect(broker.due == nil)
    #expect(sender.isIdle)
  }

  @Test("a connection that ends before a broker has answered says nothing about the broker")
  func unanswered() throws {
    let hold = TransportBackOff(failures: 3, until: UTCInstant(seconds: 0), why: "nobody is there")
    outbox.set(hold, for: .brokers)
    let sender = try sender()
    try sender.connect(respectsBackOff: false)
    try sender.end()
    #expect(sender.isIdle)
    #expect(outbox.backoffs() == [.brokers: hold])
  }
}

/// A broker with events left after the disconnection.
private final class LeavingBroker: BrokerPort {
  private var events: [BrokerEvent] = []

  let name = "a broker"
  let interest: Interest? = nil
  var due: BootInstant? { events.isEmpty ? nil : .zero }
  let hasRoom = true
  let traffic = Traffic.zero

  func connect(to broker: BrokerAddress, as login: BrokerLogin) {}
  func subscribe(to topics: [String]) {}
  func publish(_ message: BrokerMessage, number: Int64) -> PublishReason? { nil }
  func disconnect() { events = [.disconnected, .disconnected] }
  func poll() -> BrokerEvent? { events.isEmpty ? nil : events.removeFirst() }
}
