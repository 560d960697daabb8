import Delivery
import Testing

@testable import Transports

/// Text that MQTT cannot carry, or that would be truncated on its way into the C library.
@Suite struct WireTextTests {
  private static let cut = "a\u{0}b"

  private static let logins: [(login: BrokerLogin, words: String)] = [
    (BrokerLogin(clientID: cut), "the client id contains a NUL"),
    (BrokerLogin(clientID: ""), "the client id is empty"),
    (BrokerLogin(clientID: "b", user: cut), "the user contains a NUL"),
    (BrokerLogin(clientID: "b", user: "u", password: Secret(cut)), "the password contains a NUL"),
    (BrokerLogin(clientID: "b", authoritiesFile: cut), "the authorities' file contains a NUL"),
    (
      BrokerLogin(clientID: "b", identity: .certificate(file: "f", key: cut)),
      "the key's file contains a NUL"
    ),
    (
      BrokerLogin(clientID: "b", identity: .sharedKey(identity: cut, key: Secret("00"))),
      "the key's identity contains a NUL"
    ),
    (
      BrokerLogin(clientID: String(repeating: "x", count: 65_536)),
      "the client id is longer than 65535 bytes"
    ),
  ]

  @Test(
    "a client without the requested name does not connect under another name", arguments: logins)
  func unnameable(login: BrokerLogin, words: String) throws {
    let broker = MosquittoBroker()
    broker.connect(to: try BrokerAddress(parsing: "mqtt://127.0.0.1:1"), as: login)
    guard case .failed(let failure)? = broker.poll() else {
      Issue.record("it connects")
      return
    }
    #expect(failure.cause == .loginUnusable)
    #expect(failure.detail == words)
    #expect(!failure.isPassing)
    #expect(broker.interest == nil)
  }

  private static let messages = [
    BrokerMessage(topic: cut, payload: []), BrokerMessage(topic: "", payload: []),
    BrokerMessage(topic: "t", payload: [], responseTopic: cut),
    BrokerMessage(topic: "t", payload: [], contentType: cut),
    BrokerMessage(topic: "t", payload: [], correlation: [UInt8](repeating: 1, count: 65_536)),
  ]

  @Test("a message that cannot be encoded unchanged is refused", arguments: messages)
  func unsayable(message: BrokerMessage) {
    #expect(MosquittoBroker().publish(message, number: 1) != nil)
  }

  @Test("valid text is accepted") func fits() {
    let message = BrokerMessage(
      topic: "t", payload: [0], responseTopic: "r",
      correlation: [UInt8](repeating: 0, count: 65_535), contentType: "text/plain")
    #expect(message.problem == nil)
    #expect(WireText.problem(String(repeating: "x", count: 65_535)) == nil)
  }
}
