import BrokerStandIns
import Delivery
import Glibc
import Platform
import Core
import ReceiverStandIns
import Testing

@testable import Transports

/// Brokers that Debian does not ship: older ones, broken ones, none at all.
@Suite(.enabled(if: MosquittoLibrary.isInstalled, "SKIPPED: libmosquitto1 is not installed"))
struct ScriptedBrokerTests {
  /// A listener that sends whatever the test wants.
  private let server = FakeGpsd()

  private func come(keepAlive: Seconds = 60) throws -> BrokerTalk {
    let talk = BrokerTalk(MosquittoBroker())
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtt://127.0.0.1:\(server.port)"),
      as: BrokerLogin(clientID: "board", keepAlive: keepAlive))
    return talk
  }

  /// Accepts a connection while the client is served, and returns what it receives.
  private func hear(_ talk: BrokerTalk, until ending: String) -> String {
    guard server.accept() else { return "nobody" }
    // CONNECT is sent in the first step.
    _ = talk.next(within: 0.2) { (_: BrokerEvent) -> Bool? in nil }
    return server.heard(until: ending)
  }

  @Test(
    "a broker without MQTT 5 gets 3.1.1, and at once the next time",
    arguments: [
      [0x20, 0x03, 0x00, 0x84, 0x00],  // MQTT 5's way to refuse
      [0x20, 0x02, 0x00, 0x01],  // 3.1.1's
      [],  // nats-server closes the connection
    ] as [[UInt8]])
  func older(answer: [UInt8]) throws {
    let talk = try come()
    // A broker that closes the connection is tried once more.
    for _ in 0..<(answer.isEmpty ? 2 : 1) {
      #expect(hear(talk, until: "board").contains("MQTT\u{5}"))
      server.say(answer)
      server.hangUp()
      #expect(talk.next(within: 0.5) { (_: BrokerEvent) -> Bool? in nil } == nil)
    }
    #expect(hear(talk, until: "board").contains("MQTT\u{4}"))
    server.say([0x20, 0x02, 0x01, 0x00] as [UInt8])
    let welcome = BrokerEvent.Welcome(
      version: .threeOneOne, hasSession: true, receiveMaximum: 20)
    #expect(talk.welcome() == welcome)

    // Without properties, which 3.1.1 does not have.
    let message = BrokerMessage(topic: "t", payload: [1], expiry: 60, responseTopic: "r")
    #expect(talk.port.publish(message, number: 7) == nil)
    _ = talk.next(within: 0.2) { (_: BrokerEvent) -> Bool? in nil }
    #expect(server.heard(until: "\u{1}").hasSuffix("t\u{0}\u{1}\u{1}"))
    server.say([0x40, 0x02, 0x00, 0x01] as [UInt8])
    #expect(talk.reason(of: 7) == .success)

    server.hangUp()
    #expect(talk.failure()?.cause == .closed)
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtt://127.0.0.1:\(server.port)"),
      as: BrokerLogin(clientID: "board"))
    #expect(hear(talk, until: "board").contains("MQTT\u{4}"))
  }

  private static let noise: [[UInt8]] = [
    Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [0, 0, 0, 0], [0x20, 0xFF, 0xFF, 0xFF, 0xFF],
    [0x20, 0x02, 0x00], Array(repeating: 0xFF, count: 4096),
  ]

  @Test("a peer that is no broker is reported as such, and not retried for ever", arguments: noise)
  func noBroker(answer: [UInt8]) throws {
    let talk = try come()
    for _ in 0..<3 {
      guard server.accept() else { break }
      _ = talk.next(within: 0.2) { (_: BrokerEvent) -> Bool? in nil }
      _ = server.heard(until: "board")
      server.say(answer)
      server.hangUp()
      _ = talk.next(within: 0.2) { if case .failed = $0 { false } else { nil as Bool? } }
    }
    // The connection has failed already, or fails now.
    #expect(talk.port.interest == nil || talk.failure()?.cause == .noBroker)
  }

  @Test("one that accepts and sends nothing is abandoned in time") func silent() throws {
    let talk = try come()
    #expect(hear(talk, until: "board").contains("MQTT\u{5}"))
    let due = try #require(talk.port.due)
    #expect(due <= BootClock.now + MosquittoBroker.connectTimeout)
    #expect(talk.port.interest != nil)
  }

  @Test("the fallback to 3.1.1 does not extend the timeout") func bounded() throws {
    let talk = try come()
    _ = hear(talk, until: "board")
    let due = try #require(talk.port.due)
    server.hangUp()
    _ = talk.next(within: 0.5) { (_: BrokerEvent) -> Bool? in nil }
    #expect(hear(talk, until: "board").contains("MQTT\u{5}"))
    server.hangUp()
    _ = talk.next(within: 0.5) { (_: BrokerEvent) -> Bool? in nil }
    #expect(hear(talk, until: "board").contains("MQTT\u{4}"))
    #expect(talk.port.due == due)
  }

  @Test("an invalid name is reported") func name() throws {
    let talk = BrokerTalk(MosquittoBroker())
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtt://no-such-host.invalid"),
      as: BrokerLogin(clientID: "board"))
    let failure = talk.failure()
    #expect(failure?.cause == .nameNotResolved)
    #expect(failure?.message.hasPrefix("mqtt://no-such-host.invalid:1883: ") == true)
  }

  @Test("a half-open connection is detected by the missing answer")
  func halfOpen() throws {
    let talk = try come(keepAlive: 5)
    _ = hear(talk, until: "board")
    server.say([0x20, 0x03, 0x00, 0x00, 0x00] as [UInt8])
    #expect(talk.welcome() != nil)
    // Pinged after 5 s, and closed after 5 more.
    #expect(talk.failure()?.cause == .closed)
  }

  @Test("the broker's keep-alive interval is used") func ownKeepAlive() throws {
    let talk = try come()
    _ = hear(talk, until: "board")
    // Server Keep Alive: 1 s.
    server.say([0x20, 0x06, 0x00, 0x00, 0x03, 0x13, 0x00, 0x01] as [UInt8])
    #expect(talk.welcome() != nil)
    let due = try #require(talk.port.due)
    #expect(due <= BootClock.now + 1.5)
    _ = talk.next(within: 1.4) { (_: BrokerEvent) -> Bool? in nil }
    // PINGREQ, whose first byte is not UTF-8.
    #expect(server.heard(until: "\u{FFFD}\u{0}") == "\u{FFFD}\u{0}")
    // Closed when nothing arrives within the server's own keep-alive time.
    #expect(talk.failure()?.cause == .closed)
  }

  @Test("a broker without keep-alive is not pinged; the kernel monitors the line")
  func noKeepAlive() throws {
    let talk = try come()
    _ = hear(talk, until: "board")
    server.say([0x20, 0x06, 0x00, 0x00, 0x03, 0x13, 0x00, 0x00] as [UInt8])
    #expect(talk.welcome() != nil)
    #expect(talk.port.due == nil)
    let interest = try #require(talk.port.interest)
    #expect(interest.reads)
    func option(_ level: Int32, _ name: Int32) -> Int32 {
      var value: Int32 = -1
      var length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(interest.descriptor, level, name, &value, &length)
      return value
    }
    #expect(option(SOL_SOCKET, SO_KEEPALIVE) == 1)
    #expect(option(Int32(IPPROTO_TCP), TCP_KEEPIDLE) == 300)
  }

  @Test("a network failure during the handshake does not lower the version") func failingOnce()
    throws
  {
    let talk = try come()
    #expect(hear(talk, until: "board").contains("MQTT\u{5}"))
    server.hangUp()
    #expect(talk.next(within: 0.5) { (_: BrokerEvent) -> Bool? in nil } == nil)
    #expect(hear(talk, until: "board").contains("MQTT\u{5}"))
    server.say([0x20, 0x03, 0x00, 0x00, 0x00] as [UInt8])
    #expect(talk.welcome()?.version == .five)
  }
}
