import Delivery
import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Uplink

/// From the store into the outbox, without omissions and duplicates.
@Suite struct OutboxFillerTests {
  private let store = LoggedStore()
  private let outbox = ListedOutbox()
  private static let start = UTCInstant(seconds: 1_777_593_600)

  private func gather(_ name: String = "s1") throws -> OutboxFiller.Result {
    var gatherer = OutboxFiller(
      from: store, into: outbox,
      try UplinkSettingsText.read(
        """
        [uplink.mqtt]
        brokers = ["mqtt://broker"]
        collector = true
        """), UplinkBoard("bike", of: "ann", version: "1"))
    return try gatherer.gather(streamName: name, at: Self.start)
  }

  private func point(_ number: Int64) -> TrackPoint {
    TrackPoint(
      location: Location(
        time: Self.start + Seconds(Double(number)),
        position: Coordinate(latitude: 52, longitude: 5), accuracy: 5, speed: nil, track: nil,
        altitude: nil, source: .gnss), reason: .scheduled)
  }

  private func add(_ numbers: ClosedRange<Int64>) {
    for number in numbers { store.add(point(number), number, "track_points") }
  }

  private func numbers(_ recipient: Recipient) -> [Int64] {
    outbox.items.filter { $0.recipient == recipient }.map(\.record)
  }

  @Test("a store with a new writer is opened again, but not for ever")
  func disturbed() throws {
    let settings = try UplinkSettingsText.read("uplink.mqtt.brokers = [\"mqtt://broker\"]")
    let gathering = Gathering(
      UplinkRun.Parts(store: store, outbox: outbox), settings,
      UplinkBoard("bike", of: "ann", version: "1")
    ) { _ in }
    add(1...3)
    store.disturbances = 2
    try gathering.update(isComplete: false)
    #expect(numbers(.owntracks) == [1, 2, 3])
    #expect(store.openingCount == 3)
    store.disturbances = .max
    #expect(throws: PortError.busy("a store was changed")) {
      try gathering.update(isComplete: false)
    }
  }

  @Test("each change is a message to each recipient, once, also after an interruption")
  func once() throws {
    add(1...1200)
    #expect(try gather().queued == 2400)
    #expect(numbers(.owntracks) == Array(1...1200))
    #expect(numbers(.collector) == Array(1...1200))
    #expect(
      outbox.items.compactMap(\.sequence)
        == (1...1200).map { StreamNumber(stream: "s1", number: $0) })
    #expect(try gather("s2").queued == 0)
    add(1201...1201)
    outbox.failure = PortError("no room")
    #expect(throws: PortError("no room")) { try gather() }
    outbox.failure = nil
    #expect(try gather("s3").queued == 2)
    #expect(outbox.items.last?.sequence == StreamNumber(stream: "s1", number: 1201))
  }

  @Test("a store without a log is reported, and nothing is queued") func noLog() throws {
    add(1...3)
    store.log = nil
    let result = try gather()
    #expect(result.queued == 0)
    #expect(result.remarks.first?.contains("restart the daemon") == true)
    #expect(outbox.kept == nil)
  }

  @Test("a restored store starts another stream; others get newer records")
  func restored() throws {
    add(1...10)
    _ = try gather()
    // An older copy, and the changes since.
    store.changes.removeLast(5)
    store.openings = [9]
    store.add(point(20), 20, "track_points")
    outbox.items = []
    let result = try gather("s2")
    #expect(result.remarks.first?.contains("was replaced") == true)
    #expect(numbers(.owntracks) == [20])
    #expect(numbers(.collector) == [1, 2, 3, 4, 5, 20])
    #expect(outbox.items.compactMap(\.sequence?.stream) == Array(repeating: "s2", count: 6))
    #expect(try gather("s3").queued == 0)
  }

  @Test(
    "an unreadable record is left out, and reported; withdrawn ones go to the collector")
  func leftOut() throws {
    add(1...3)
    store.damaged = [2]
    store.changes.append(
      RecordChange(number: 4, layer: "visits", record: 77, isWithdrawal: true))
    let result = try gather()
    #expect(result.remarks.count == 1 && result.remarks[0].contains("id 2"))
    #expect(numbers(.owntracks) == [1, 3])
    #expect(numbers(.collector) == [1, 3, 77])
    #expect(
      outbox.items.last?.payload
        == Array(#"{"seq":3,"layer":"visits","id":77,"withdrawn":true}"#.utf8))
  }

  @Test("private records are queued for no recipient, and take no collector's number")
  func privacy() throws {
    let pause = UplinkPause(from: Self.start + 3, to: Self.start + 5)
    let privacy = PrivacyFilter(PrivacySettings(), areas: [], zone: .utc, pauses: [pause])
    add(1...6)
    var gatherer = OutboxFiller(
      from: store, into: outbox,
      try UplinkSettingsText.read(
        "[uplink.mqtt]\nbrokers = [\"mqtt://broker\"]\ncollector = true\n"),
      UplinkBoard("bike", of: "ann", version: "1"), privacy)
    _ = try gatherer.gather(streamName: "s", at: Self.start)
    #expect(numbers(.owntracks) == [1, 2, 5, 6])
    #expect(numbers(.collector) == [1, 2, 5, 6])
    #expect(outbox.items.compactMap(\.sequence?.number) == [1, 2, 3, 4])
  }

  @Test("records from before the log are queued for all but a collector") func backlog() throws {
    add(1...3)
    _ = try gather()
    let gatherer = OutboxFiller(
      from: store, into: outbox,
      try UplinkSettingsText.read(
        "[uplink.mqtt]\nbrokers = [\"mqtt://broker\"]\ncollector = true\n"),
      UplinkBoard("bike", of: "ann", version: "1"))
    #expect(try gatherer.queue([point(-5), point(-4)], at: Self.start) == 2)
    #expect(outbox.items.suffix(2).map(\.recipient) == [.owntracks, .owntracks])
    #expect(try gather().queued == 0, "the log goes on where it was")
    let fresh = OutboxFiller(
      from: store, into: ListedOutbox(), try UplinkSettingsText.read(""),
      UplinkBoard("bike", of: "ann", version: "1"))
    #expect(throws: PortError("the outbox is new: run godwit uplink once before")) {
      try fresh.queue([point(1)], at: Self.start)
    }
    store.log = nil
    let error = thrown(PortError.self) { try fresh.queue([point(1)], at: Self.start) }
    #expect(error?.message.contains("logs no changes yet: restart the daemon") == true)
  }
}
