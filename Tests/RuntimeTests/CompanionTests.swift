import Records
import Ports
import GNSS
import Core
import Testing
import Tracking

@testable import Runtime

/// Answers every record with one of its own.
private final class Listener: RecordListener {
  private(set) var heard: [Record] = []

  func received(_ record: Record, at now: BootInstant) -> [Record] {
    heard.append(record)
    return [.event(LogEvent("listener", "heard record \(heard.count)"), time: nil)]
  }
}

/// Commands GNSS on at an instant of its own.
private final class RemoteControl: Endpoint {
  let kind = "remote"
  let interest: Interest? = nil
  let fruitlessLimit = 20
  private(set) var due: BootInstant? = .zero + 60

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    due = nil
    return Served([.tracker(.command(.gnss(.on)))], isFruitful: true)
  }
}

@Suite struct CompanionTests {
  private let store = MemoryStore()
  private let listener = Listener()
  private let runtime: TrackerRuntime

  init() {
    var devices = Devices(store: store)
    devices.listeners = [listener]
    devices.endpoints = [RemoteControl()]
    runtime = TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(mechanism: .lines, lines: [.supply], settle: 0), devices: devices)
    runtime.start(restoring: nil, at: .zero)
  }

  private func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  @Test("the state of a store that opens late is handled like every event")
  func lateStore() {
    func started(_ devices: Devices, lastSessionID: Int64, at now: BootInstant) -> TrackerRuntime {
      let runtime = TrackerRuntime(
        tracker: Tracker(settings: TrackerSettings(), lastSessionID: lastSessionID),
        decoder: ReceiverDecoder(), meter: EnergyMeter(model: .ubloxM8, at: .zero),
        commits: CommitSettings(), wiring: PowerWiring(), devices: devices)
      let date = UTCInstant(seconds: 1_780_000_000)
      runtime.systemDate = { SystemDate(date: date, read: .zero, isSynchronized: true) }
      runtime.start(restoring: nil, at: now)
      return runtime
    }
    let first = started(Devices(), lastSessionID: 0, at: at(0))
    let late = OtherStoreTests.OpeningStore()
    late.left = first.tracker.snapshot(at: at(1)).text
    late.next = [.success(StoreLineageTests.opening([1], 2, ids: 6))]
    let listener = Listener()
    var devices = Devices()
    devices.listeners = [listener]
    let second = started(devices, lastSessionID: 1 << 40, at: at(2))
    second.attach(StoreSource(late))
    second.commit(at: at(3))
    func interrupted(_ records: [Record]) -> Int {
      records.count {
        if case .session(let session) = $0 { session.outcome == .interrupted } else { false }
      }
    }
    #expect(interrupted(listener.heard) == 1, "listeners hear of it")
    #expect(late.inner.transactions.count == 1)
    #expect(interrupted(late.inner.records) == 1, "it is stored with the first state")
  }

  @Test("a listener's records are stored with those it received, and not returned to it")
  func listening() throws {
    runtime.command(.gnss(.off), at: at(10))
    runtime.stop(at: at(20))
    #expect(!listener.heard.isEmpty)
    let kinds = store.records.compactMap { record -> String? in
      if case .event(let logEvent, _) = record { logEvent.kind } else { nil }
    }
    #expect(kinds.count { $0 == "listener" } == listener.heard.count)
    #expect(
      listener.heard.allSatisfy {
        if case .event(let logEvent, _) = $0 { logEvent.kind != "listener" } else { true }
      })
  }

  @Test("an endpoint that is no device is served when due, and its commands are executed")
  func remoteControl() {
    #expect(runtime.nextDue == at(60))
    runtime.timePassed(at: at(60))
    let orders = listener.heard.compactMap { record -> String? in
      if case .event(let logEvent, _) = record, logEvent.kind == "command" {
        logEvent.reason
      } else {
        nil
      }
    }
    #expect(orders == ["gnss on"])
    #expect(runtime.nextDue != at(60))
  }
}
