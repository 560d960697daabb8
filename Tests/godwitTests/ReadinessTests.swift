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

  @Test("a receiver that was heard, or that there is not, is ready") func ready() {
    #expect(Readiness(Self.status(bytes: 1)).obstacle == nil)
    #expect(Readiness(Self.status(receiver: nil)).obstacle == nil)
  }

  @Test("one that should speak and does not is in the way") func silent() {
    #expect(Readiness(Self.status()).obstacle == "the receiver has sent nothing")
    #expect(
      Readiness(Self.status(order: "on")).obstacle == "the receiver has sent nothing")
    #expect(
      Readiness(Self.status(failure: "no such device")).obstacle
        == "the receiver cannot be read: no such device")
  }

  @Test("one that nobody wants to hear now is not") func unwanted() {
    #expect(Readiness(Self.status(order: "off")).obstacle == nil)
    #expect(Readiness(Self.status(isSpent: true)).obstacle == nil)
  }

  @Test("a store that cannot be written is in the way, whatever was heard") func store() {
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
