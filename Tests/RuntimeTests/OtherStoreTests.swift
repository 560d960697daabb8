import Records
import StoreStandIns
import Ports
import GNSS
import Core
import Testing
import Tracking

@testable import Runtime

/// What the loop does when it opens a different store.
@Suite struct OtherStoreTests {
  /// A store whose opening the test controls.
  final class OpeningStore: EmptyStore {
    let inner = MemoryStore()
    override var name: String { "opening" }
    var next: [Result<StoreOpening, PortError>] = []
    /// The state that an earlier run left.
    var left: String?

    override func ensureOpen() throws(PortError) -> StoreOpening? {
      next.isEmpty ? nil : try next.removeFirst().get()
    }
    override func write(_ records: [Record]) throws(PortError) { try inner.write(records) }
    override func trackerState() throws(PortError) -> String? { left }
  }

  let store = OpeningStore()
  let runtime: TrackerRuntime
  let destination = Destination(
    id: 3, position: Coordinate(latitude: 53, longitude: 6), radius: 5, visits: 1, totalDwell: 60)

  init() throws {
    runtime = TrackerRuntime(
      tracker: Tracker(
        settings: TrackerSettings(policy: .continuous), lastSessionID: 6,
        destinations: [destination]),
      decoder: ReceiverDecoder(options: DecoderOptions()),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(interval: 900),
      wiring: PowerWiring(), devices: Devices(store: store))
    try runtime.checkStore(StoreLineageTests.opening([1], 2, ids: 6), at: .zero)
    let date = UTCInstant(seconds: 1_780_000_000)
    runtime.systemDate = { SystemDate(date: date, read: .zero, isSynchronized: false) }
    runtime.start(restoring: nil, at: .zero)
    runtime.commit(at: .zero)
  }

  /// Ids of the sessions and destinations in the last transaction.
  var written: (sessions: [Int64], destinations: [Int64]) {
    let records = store.inner.transactions.last ?? []
    return (
      records.compactMap { if case .session(let session) = $0 { session.id } else { nil } },
      records.compactMap { if case .destination(let position) = $0 { position.id } else { nil } }
    )
  }

  @Test("if the store disappears, a new one is opened at once and gets the referenced records")
  func kin() {
    #expect(written == ([7], []))
    var logEvents: [String] = []
    runtime.onLog = { logEvent, _ in logEvents.append(logEvent.kind) }
    store.next = [
      .failure(.moved("the store was deleted")), .success(StoreLineageTests.opening([], 3)),
    ]
    runtime.commit(at: .zero + Seconds(1))
    #expect(written == ([7], [3]))
    #expect(logEvents == ["store-failed", "store-recovered"])
    #expect(runtime.storeHealth.failure == nil && runtime.storeHealth.waiting == 0)
  }

  @Test("a foreign store gets ids above its own, in every record and from then on")
  func stranger() {
    store.next = [
      .failure(.moved("replaced")), .success(StoreLineageTests.opening([9], 3, ids: 100)),
    ]
    runtime.commit(at: .zero + Seconds(1))
    #expect(written == ([107], [103]))
    runtime.stop(at: .zero + Seconds(2))
    #expect(written.sessions == [107], "the session ends under its new id")
    guard case .trackerState(let text)? = store.inner.transactions.last?.last else {
      Issue.record("no state was stored")
      return
    }
    #expect(!text.contains(#""session":"#), "\(text)")
  }

  @Test("a store that cannot be opened is retried later, and nothing is lost")
  func notYet() {
    let before = store.inner.transactions.count
    store.next = [.failure(.moved("deleted")), .failure(.busy("half a copy"))]
    runtime.command(.gnss(.on), at: .zero + Seconds(1))
    let waiting = runtime.storeHealth.waiting
    #expect(waiting > 0)
    #expect(runtime.storeHealth.failure == "half a copy")
    #expect(runtime.storeHealth.waiting == waiting)
    #expect(store.inner.transactions.count == before)
    store.next = [.success(StoreLineageTests.opening([], 4))]
    runtime.commit(at: .zero + Seconds(61))
    #expect(runtime.storeHealth.failure == nil && runtime.storeHealth.waiting == 0)
    #expect(written == ([7], [3]))
  }

  @Test("ids out of range do not stop the daemon")
  func wildIdentifiers() {
    store.next = [
      .failure(.moved("replaced")), .success(StoreLineageTests.opening([9], 3, ids: .max)),
    ]
    runtime.commit(at: .zero + Seconds(1))
    #expect(runtime.storeHealth.failure?.contains("out of range") == true)
    let before = store.inner.transactions.count
    runtime.commit(at: .zero + Seconds(61))
    #expect(runtime.storeHealth.failure?.contains("out of range") == true, "still the same")
    #expect(store.inner.transactions.count == before, "nothing is written over its rows")
    store.next = [
      .failure(.moved("replaced")), .success(StoreLineageTests.opening([9], 4, ids: 100)),
    ]
    runtime.commit(at: .zero + Seconds(121))
    #expect(runtime.storeHealth.failure == nil && written == ([107], [103]))
  }
}
