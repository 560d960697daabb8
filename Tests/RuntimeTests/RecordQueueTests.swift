import Ports
import StoreStandIns
import Core
import Records
import Testing

@testable import Runtime

/// A store in memory that can be set to fail.
final class MemoryStore: EmptyStore {
  override var name: String { "memory" }
  var transactions: [[Record]] = []
  var failure: PortError?
  var savedState: String?
  var tidied: [UTCInstant] = []

  var records: [Record] { transactions.flatMap { $0 } }

  override func write(_ records: [Record]) throws(PortError) {
    if let failure { throw failure }
    transactions.append(records)
    for case .trackerState(let text) in records { savedState = text }
  }

  override func applyRetention(now: UTCInstant) throws(PortError) -> String? {
    tidied.append(now)
    return nil
  }

  override func trackerState() throws(PortError) -> String? { savedState }
}

@Suite struct RecordQueueTests {
  static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  static func event(_ number: Int) -> Record { .event(LogEvent("n\(number)", ""), time: nil) }

  static let ended: Record = {
    let time = TimeEstimate(exactly: UTCInstant(seconds: 1_700_000_000))
    return .visit(
      Visit(
        id: 1, arrival: time, departure: time, position: Coordinate(latitude: 1, longitude: 2),
        accuracy: 5, confidence: 0.9, locations: 4))
  }()

  @Test("records share a transaction until the interval has passed")
  func recordsShareATransactionUntilTheIntervalHasPassed() {
    var queue = RecordQueue(CommitSettings(interval: 900))
    queue.store(Self.event(1), at: Self.at(10))
    queue.store(Self.event(2), at: Self.at(400))
    #expect(!queue.shouldCommit(at: Self.at(459), isAboutToSleep: true))
    #expect(queue.shouldCommit(at: Self.at(460), isAboutToSleep: true))
    #expect(!queue.shouldCommit(at: Self.at(909), isAboutToSleep: false))
    #expect(queue.shouldCommit(at: Self.at(910), isAboutToSleep: false))
    #expect(queue.due == Self.at(910))
  }

  @Test("records to be sent are committed by their time, and nothing else earlier for them")
  func sending() {
    let delays = UplinkDelays(usual: 60, alert: 0)
    var queue = RecordQueue(CommitSettings { $0.uplink = delays })
    queue.store(Self.event(1), at: Self.at(10))
    #expect(queue.due == Self.at(910))
    queue.store(Self.point, at: Self.at(20))
    queue.store(Self.point, at: Self.at(50))
    #expect(queue.due == Self.at(80))
    #expect(!queue.shouldCommit(at: Self.at(79), isAboutToSleep: false))
    #expect(queue.shouldCommit(at: Self.at(80), isAboutToSleep: false))
    let live = UplinkDelays(usual: 0, alert: 900)
    var other = RecordQueue(CommitSettings { $0.uplink = live })
    other.store(Self.point, at: Self.at(20))
    #expect(other.shouldCommit(at: Self.at(20), isAboutToSleep: false))
  }

  private static let point = Record.trackPoint(
    TrackPoint(
      location: Location(
        time: UTCInstant(seconds: 1_777_593_600),
        position: Coordinate(latitude: 52, longitude: 5), accuracy: 5), reason: .scheduled))

  @Test("a visit that ends is committed at once") func aVisitThatEndsDoesNotWait() {
    var queue = RecordQueue(CommitSettings())
    queue.store(Self.ended, at: Self.at(0))
    #expect(queue.shouldCommit(at: Self.at(0), isAboutToSleep: false))
  }

  @Test("attachments of records are committed at once where required, also alone")
  func hasten() {
    var queue = RecordQueue(CommitSettings())
    queue.makeUrgent(at: Self.at(0))
    #expect(queue.isUrgent && queue.waitingCount == 0)
    #expect(queue.shouldCommit(at: Self.at(0), isAboutToSleep: false))
    let store = MemoryStore()
    queue.commit(to: StoreSource(store), with: [.placeState("{}")], at: Self.at(0))
    #expect(store.records.count == 1 && !queue.isUrgent)
  }

  @Test("of two records with one identity only the later is written")
  func theLaterRecordOfAnIdentityReplacesTheEarlier() {
    let store = MemoryStore()
    var queue = RecordQueue(CommitSettings())
    var session = GnssSession(id: 7, on: nil)
    queue.store(.session(session), at: Self.at(0))
    queue.store(Self.event(1), at: Self.at(1))
    session.outcome = .fixObtained
    queue.store(.session(session), at: Self.at(2))
    queue.commit(to: StoreSource(store), with: [.trackerState("s")], at: Self.at(3))
    #expect(store.transactions == [[Self.event(1), .session(session), .trackerState("s")]])
    #expect(queue.due == nil)
  }

  @Test("records that a store cannot accept wait, and are retried after a pause")
  func aFailureIsNotSpunOn() {
    let store = MemoryStore()
    store.failure = .full("no space")
    var queue = RecordQueue(CommitSettings())
    queue.store(Self.ended, at: Self.at(0))
    queue.commit(to: StoreSource(store), with: [.trackerState("")], at: Self.at(0))
    #expect(queue.failure == "no space")
    #expect(!queue.shouldCommit(at: Self.at(59), isAboutToSleep: true), "a failure is not spun on")
    #expect(queue.shouldCommit(at: Self.at(60), isAboutToSleep: true))
    store.failure = nil
    queue.commit(to: StoreSource(store), with: [.trackerState("")], at: Self.at(60))
    #expect(queue.failure == nil)
    #expect(store.records.contains(Self.ended))
  }

  @Test("the queue is bounded, the newest are kept and the loss is counted")
  func whatWaitsIsBounded() {
    var queue = RecordQueue(CommitSettings { $0.maxWaiting = 100 })
    for number in 0..<1000 { queue.store(Self.event(number), at: Self.at(0)) }
    #expect(queue.waiting.count <= 100)
    #expect(queue.waiting.last == Self.event(999))
    #expect(queue.dropped + queue.waiting.count == 1000)
    var tiny = RecordQueue(CommitSettings { $0.maxWaiting = 1 })
    for number in 0..<10 { tiny.store(Self.event(number), at: Self.at(0)) }
    #expect(tiny.waiting == [Self.event(9)])
  }
}
