import Delivery
import Core
import Records
import TestSupport
import Testing

@testable import Store

/// What is sent to a collector again, and when.
@Suite struct CollectorReceiptsTests {
  private let folder: ScratchFolder
  private let outbox: OutboxFile
  private static let start = UTCInstant(seconds: 1_777_593_600)

  init() throws {
    folder = try ScratchFolder()
    outbox = try OutboxFile(path: folder.file("uplink.db"))
    let items = (1...4).map { number in
      OutboxItem(
        to: .collector, layer: "visits", record: number,
        sequence: StreamNumber(stream: "s1", number: number), topic: "a/b",
        payload: Array("{\"id\":\(number)}".utf8))
    }
    try outbox.queue(
      items,
      state: OutboxState(
        position: ChangeLogPosition(log: "1a", opening: 7, change: 4),
        stream: RecordStream(name: "s1", last: 4)), at: Self.start)
    try handOver(after: 0)
  }

  private func handOver(after seconds: Seconds) throws {
    let items = try outbox.waiting(for: .collector, after: 0, atMost: 9)
    try outbox.confirm(
      items.map { DeliveryResult($0.number, .handedOver) }, at: Self.start + seconds)
  }

  private func receive(_ through: Int64, after seconds: Seconds) throws {
    _ = try outbox.collected(
      CollectorReceipt(stream: "s1", through: through), at: Self.start + seconds)
  }

  private func resend(after seconds: Seconds) throws -> Resending {
    try outbox.resend(after: 100, at: Self.start + seconds)
  }

  @Test("an unacknowledged message is sent again at growing intervals until it is acknowledged")
  func longer() throws {
    var times: [Int] = []
    for second in 1...3000 where try resend(after: Seconds(Double(second))).count > 0 {
      times.append(second)
      try handOver(after: Seconds(Double(second)))
    }
    #expect(times == [101, 302, 703, 1504])
    try receive(2, after: 3001)
    #expect(try resend(after: 3002) == Resending(count: 2, attempts: 1))
  }

  @Test("messages handed over while the date was ahead are sent again") func ahead() throws {
    try outbox.database.execute("UPDATE outbox SET settled_s = settled_s + 315360000")
    #expect(try resend(after: 1) == Resending(count: 4, attempts: 1))
  }

  @Test("a recipient that acknowledges less than before, repeatedly, gets everything anew, once")
  func lost() throws {
    try receive(2, after: 10)
    try receive(0, after: 20)
    #expect(try resend(after: 120) == Resending(count: 2, attempts: 1))
    #expect(try outbox.state()?.position?.log == "1a")
    try handOver(after: 120)
    try receive(0, after: 121)
    #expect(try resend(after: 122) == Resending(hasLostRecords: true))
    #expect(try outbox.state()?.position?.log != "1a", "no store goes on from there")
    #expect(try outbox.waiting(for: .collector, after: 0, atMost: 9).isEmpty)
    #expect(try outbox.summaries().map(\.waiting) == [0], "nothing is left that is never reached")
    #expect(try resend(after: 10_000) == Resending())
  }

  @Test("an old receipt that arrives late changes nothing") func late() throws {
    try receive(4, after: 10)
    try receive(1, after: 11)
    try receive(4, after: 12)
    #expect(try resend(after: 1000) == Resending())
    #expect(try outbox.state()?.position?.log == "1a")
  }
}
