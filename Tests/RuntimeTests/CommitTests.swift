import Records
import Ports
import GNSS
import Core
import Testing
import Tracking

@testable import Runtime

/// When records reach the store, driven as by the daemon: from one due time to the next.
@Suite struct CommitTests {
  let store = MemoryStore()
  let runtime: TrackerRuntime
  let date = UTCInstant(seconds: 1_780_000_000)

  init() {
    runtime = TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings(policy: .continuous)),
      decoder: ReceiverDecoder(options: DecoderOptions()),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(interval: 900),
      wiring: PowerWiring(),
      devices: Devices(store: store))
    let date = date
    runtime.systemDate = { SystemDate(date: date, read: .zero, isSynchronized: false) }
  }

  /// Returns the number of wakes.
  func pass(until end: BootInstant) -> Int {
    var wakes = 0
    while let due = runtime.nextDue, due <= end, wakes < 10_000 {
      runtime.timePassed(at: due)
      wakes += 1
    }
    return wakes
  }

  @Test("records reach the store by the end of the interval")
  func aPowerCutCostsAtMostTheInterval() {
    runtime.start(restoring: nil, at: .zero)
    #expect(runtime.storeHealth.waiting > 0)
    #expect(runtime.nextDue == .zero + Seconds(900))
    #expect(pass(until: .zero + Seconds(899)) == 0)
    #expect(store.transactions.isEmpty)
    #expect(pass(until: .zero + Seconds(900)) == 1)
    #expect(runtime.storeHealth.waiting == 0)
    #expect(store.transactions.count == 1)
    #expect(runtime.nextDue == nil, "nothing waits, so nothing wakes")
  }

  @Test("a store that fails for a day is reported once and tried seldom")
  func aStoreThatFailsForADayIsToldOnceAndTriedSeldom() {
    var logEvents: [String] = []
    runtime.onLog = { logEvent, _ in
      if logEvent.kind.hasPrefix("store") { logEvents.append(logEvent.kind) }
    }
    store.failure = .full("no space")
    runtime.storeFailed(.full("no space"), at: .zero)
    #expect(runtime.storeHealth.failure == "no space", "known before the first record waits")
    runtime.start(restoring: nil, at: .zero)
    #expect((90...110).contains(pass(until: .zero + Seconds(86_400))))
    #expect(logEvents == ["store-failed"])
    store.failure = nil
    _ = pass(until: .zero + Seconds(90_000))
    #expect(logEvents == ["store-failed", "store-recovered"])
    #expect(store.transactions.count == 1)
  }

  @Test("records dropped while they waited for a date are counted like the others")
  func undatedRecordsAreCounted() {
    runtime.systemDate = { nil }
    runtime.start(restoring: nil, at: .zero)
    runtime.commit(at: .zero)
    func hold(_ count: Int) {
      for _ in 0..<count { runtime.command(.gnss(.auto), at: .zero + 1) }
    }
    hold(UndatedRecords.maxCount)
    let before = runtime.storeHealth.dropped
    hold(UndatedRecords.maxCount)
    #expect(runtime.storeHealth.dropped - before == UndatedRecords.maxCount)
    let status = StatusReport(runtime, at: .zero + 2, started: .zero).json
    #expect(status["store"]?["dropped_records"]?.integer == runtime.storeHealth.dropped)
    runtime.stop(at: .zero + 3)
    #expect(runtime.storeHealth.dropped >= before + UndatedRecords.maxCount)
  }

  @Test("a failing store is not tried again before a minute, even without an interval")
  func aFailingStoreIsNotSpunOnWhenNothingMayWait() {
    var queue = RecordQueue(CommitSettings(interval: 0))
    store.failure = .full("no space")
    queue.store(.event(LogEvent("a", "b"), time: nil), at: .zero)
    queue.commit(to: StoreSource(store), with: [.trackerState("")], at: .zero)
    #expect(queue.due == .zero + Seconds(60))
  }

  @Test("another program's lock is retried soon, then less often")
  func aBusyStoreIsTriedSoon() {
    var queue = RecordQueue(CommitSettings())
    store.failure = .busy("locked")
    queue.store(.event(LogEvent("a", "b"), time: nil), at: .zero)
    var dues: [Double] = []
    for _ in 0..<5 {
      let now = dues.last.map { .zero + Seconds($0) } ?? BootInstant.zero
      queue.commit(to: StoreSource(store), with: [.trackerState("")], at: now)
      dues.append(((queue.due ?? .zero) - .zero).value)
    }
    #expect(dues == [5, 15, 35, 75, 155])
  }

  @Test("at the end a released lock costs no record")
  func theEndIsTriedAgain() {
    runtime.start(restoring: nil, at: .zero)
    store.failure = .busy("locked")
    runtime.stop(at: .zero + 1)
    #expect(runtime.storeHealth.waiting > 0)
    runtime.commitAtLast(at: .zero + 1)
    #expect(runtime.storeHealth.waiting > 0)
    store.failure = nil
    runtime.commitAtLast(at: .zero + 1)
    #expect(runtime.storeHealth.waiting == 0 && runtime.storeHealth.failure == nil)
    #expect(store.transactions.count == 1)
  }
}
