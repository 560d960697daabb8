import Core
import TestSupport
import Testing

@testable import godwit

/// `godwit image ready`: the conditions that accept a new system, and those that do not reject it.
@Suite struct ReadinessTests {
  private static func status(
    store: String? = nil, receiver: String? = "/dev/ttyAMA0", failure: String? = nil,
    bytes: Int = 0, order: String? = nil, isSpent: Bool = false
  ) -> JSONValue {
    .object([
      ("gnss_order", order.map { .object([("gnss", .string($0))]) } ?? .null),
      ("store", .object([("failure", .text(store))])),
      (
        "receiver",
        .object([
          ("name", .text(receiver)), ("failure", .text(failure)), ("bytes", .count(bytes)),
        ])
      ),
      ("budget", .object([("is_spent", .bool(isSpent))])),
    ])
  }

  @Test("with a received or absent receiver the system is ready") func ready() {
    #expect(Readiness(Self.status(bytes: 1)).obstacle == nil)
    #expect(Readiness(Self.status(receiver: nil)).obstacle == nil)
  }

  @Test("a receiver that should send and does not prevents readiness") func silent() {
    #expect(Readiness(Self.status()).obstacle == "the receiver has sent nothing")
    #expect(
      Readiness(Self.status(order: "on")).obstacle == "the receiver has sent nothing")
    #expect(
      Readiness(Self.status(failure: "no such device")).obstacle
        == "the receiver cannot be read: no such device")
  }

  @Test("a receiver that is not needed now does not") func unwanted() {
    #expect(Readiness(Self.status(order: "off")).obstacle == nil)
    #expect(Readiness(Self.status(isSpent: true)).obstacle == nil)
  }

  @Test("a store that cannot be written prevents readiness, despite reception") func store() {
    #expect(
      Readiness(Self.status(store: "disk full", bytes: 900)).obstacle
        == "the store cannot be written: disk full")
  }

  @Test("without a daemon the answer is no, with the reason") func noDaemon() throws {
    let folder = try ScratchFolder()
    let ended = try Program.run(
      "image", "ready", "--socket", folder.file("none.sock"), "--config", "/dev/null")
    #expect(ended.exitCode == 1)
    #expect(ended.messages.contains("none.sock"))
  }
}
