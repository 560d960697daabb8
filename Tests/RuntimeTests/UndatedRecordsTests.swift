import Records
import Core
import GNSS
import Testing
import Tracking

@testable import Runtime

@Suite struct UndatedRecordsTests {
  static let boot = UTCInstant(seconds: 1_777_593_600)

  private func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  private func date(_ instant: BootInstant) -> UTCInstant? { Self.boot + (instant - .zero) }

  @Test("sessions and events get their dates later") func sessionsAndEventsGetTheirDatesLater() {
    var undated = UndatedRecords()
    var session = GnssSession(id: 3, on: nil)
    #expect(undated.hold(.session(session), at: at(10)) == true)
    session.duration = 60
    session.outcome = .noFix
    _ = undated.hold(.session(session), at: at(70))
    _ = undated.hold(.event(LogEvent("search-failed", ""), time: nil), at: at(70))
    let records = undated.release(date: date)
    session.on = Self.boot + 10
    session.off = Self.boot + 70
    #expect(
      records == [.session(session), .event(LogEvent("search-failed", ""), time: Self.boot + 70)])
    #expect(undated.isEmpty)
  }

  @Test("without a date sessions are kept and segments are not")
  func withoutADateSessionsAreKeptAndSegmentsAreNot() {
    var undated = UndatedRecords()
    _ = undated.hold(.session(GnssSession(id: 1, on: nil)), at: at(0))
    var meter = EnergyMeter(model: .ubloxM8, at: .zero)
    if let interval = meter.stateChanged(to: .acquiring, at: at(5)) {
      undated.hold(interval, at: at(5))
    }
    #expect(undated.release(date: { _ in nil }) == [.session(GnssSession(id: 1, on: nil))])
  }

  @Test("records that need no date are not held, and the rest is bounded")
  func whatNeedsNoDateIsNotHeldAndTheRestIsBounded() {
    var undated = UndatedRecords()
    #expect(undated.hold(.visitWithdrawn(id: 1), at: at(0)) == false)
    for id in 0..<5000 {
      _ = undated.hold(.session(GnssSession(id: Int64(id), on: nil)), at: at(0))
    }
    let records = undated.release(date: date)
    #expect(records.count <= UndatedRecords.maxCount)
    #expect(records.last == .session(dated(4999)))
    #expect(undated.drainDropped() + records.count == 5000)
    #expect(undated.drainDropped() == 0)
  }

  private func dated(_ id: Int64) -> GnssSession { GnssSession(id: id, on: Self.boot) }

  private func held(isSynchronized: Bool, until second: Double, fixAt: Double?) -> [UTCInstant] {
    let wrong = Self.boot - .days(400)
    let store = MemoryStore()
    let writer = StoreWriter(StoreSource(store), commits: CommitSettings(), log: LogChannel())
    var tracker = Tracker(settings: TrackerSettings())
    let date = SystemDate(date: wrong, read: .zero, isSynchronized: isSynchronized)
    _ = tracker.step(.started(clock: date), at: .zero)
    var meter = EnergyMeter(model: .ubloxM8, at: .zero)
    if let interval = meter.stateChanged(to: .acquiring, at: at(5)) {
      writer.store(interval, tracker.clock, at: at(5))
    }
    if let fixAt {
      var fix = Fix(received: at(fixAt))
      fix.time = Self.boot + Seconds(fixAt)
      fix.mode = .threeD
      fix.position = Coordinate(latitude: 47, longitude: 15)
      _ = tracker.step(.fix(fix), at: at(fixAt))
    }
    writer.dateIfKnown(by: tracker.clock, at: at(second))
    writer.commit(with: tracker, places: nil, at: at(second), evenIfNothingWaits: false)
    return store.transactions.joined().compactMap {
      if case .powerSegment(let segment) = $0 { segment.start } else { nil }
    }
  }

  @Test("an unsynchronized clock dates nothing before the receiver has sent data")
  func wrongClock() {
    #expect(held(isSynchronized: false, until: 30, fixAt: nil) == [], "it waits")
    #expect(held(isSynchronized: false, until: 30, fixAt: 20) == [Self.boot])
    #expect(held(isSynchronized: true, until: 30, fixAt: nil) == [Self.boot - .days(400)])
    #expect(
      held(isSynchronized: false, until: 906, fixAt: nil) == [Self.boot - .days(400)],
      "no longer than any record waits")
  }
}
