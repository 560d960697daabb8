import BrokerStandIns
import Delivery
import Platform
import Core
import ReceiverStandIns
import Testing

@testable import Transports

/// Packets that must be sent before disconnecting, with a scripted broker.
@Suite(.enabled(if: MosquittoLibrary.isInstalled, "SKIPPED: libmosquitto1 is not installed"))
struct LeavingTests {
  private let server = FakeGpsd()
  /// DISCONNECT, whose first byte is not UTF-8.
  private static let leave = "\u{FFFD}\u{0}"

  private func come() throws -> BrokerTalk {
    let talk = BrokerTalk(MosquittoBroker())
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtt://127.0.0.1:\(server.port)"),
      as: BrokerLogin(clientID: "board"))
    try #require(server.accept())
    work(talk)
    _ = server.heard(until: "board")
    server.say([0x20, 0x03, 0x00, 0x00, 0x00] as [UInt8])
    try #require(talk.welcome() != nil)
    return talk
  }

  private func work(_ talk: BrokerTalk) {
    _ = talk.next(within: 0.2) { (_: BrokerEvent) -> Bool? in nil }
  }

  @Test("DISCONNECT waits for the acknowledgement of messages in flight") func ours() throws {
    let talk = try come()
    #expect(talk.port.publish(BrokerMessage(topic: "t", payload: [65]), number: 7) == nil)
    talk.port.disconnect()
    work(talk)
    #expect(server.heard(until: "A").hasSuffix("A"))
    server.say([0x40, 0x02, 0x00, 0x01] as [UInt8])
    #expect(talk.reason(of: 7) == .success)
    work(talk)
    #expect(server.heard(until: Self.leave) == Self.leave)
    server.hangUp()
    #expect(talk.hasLeft())
    #expect(talk.port.interest == nil)
  }

  @Test("our acknowledgements precede DISCONNECT") func theirs() throws {
    let talk = try come()
    // PUBLISH to "t" as number 5, QoS 1.
    server.say([0x32, 0x07, 0x00, 0x01, 0x74, 0x00, 0x05, 0x00, 0x01] as [UInt8])
    #expect(talk.message()?.payload == [1])
    talk.port.disconnect()
    work(talk)
    #expect(server.heard(until: Self.leave) == "@\u{2}\u{0}\u{5}" + Self.leave)
    server.hangUp()
    #expect(talk.hasLeft())
  }

  @Test("late messages do not make the network drop DISCONNECT") func late() throws {
    let talk = try come()
    server.say([UInt8](repeating: 0x30, count: 300_000))
    talk.port.disconnect()
    work(talk)
    #expect(server.heard(until: Self.leave).hasSuffix(Self.leave))
    server.hangUp()
    #expect(talk.hasLeft())
  }

  @Test("a broker that does not acknowledge, or does not close, is left after a timeout")
  func stubborn() throws {
    let deaf = try come()
    #expect(deaf.port.publish(BrokerMessage(topic: "t", payload: [65]), number: 7) == nil)
    deaf.port.disconnect()
    #expect(try #require(deaf.port.due) <= BootClock.now + 5)
    #expect(deaf.failure()?.cause == .timedOut)

    let slow = try come()
    slow.port.disconnect()
    #expect(slow.hasLeft())
    #expect(slow.port.interest == nil)
  }
}
