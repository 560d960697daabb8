import Core
import Records
import Testing

@testable import Tracking

/// "Until further notice" persists across restarts.
@Suite struct PersistentGnssCommandTests {
  private static let noon = UTCInstant(seconds: 1_777_636_800)

  private func bench() -> TrackerBench {
    let bench = TrackerBench(TrackerSettings())
    bench.send(
      .started(clock: SystemDate(date: Self.noon, read: .zero, isSynchronized: true)))
    return bench
  }

  private func restarted(_ bench: TrackerBench) -> Tracker {
    var next = Tracker(settings: TrackerSettings())
    _ = next.restore(bench.tracker.snapshot(at: bench.now).text, at: .zero)
    _ = next.step(.started(clock: nil), at: .zero)
    return next
  }

  @Test(
    "the user's command applies after a restart, with its date",
    arguments: [GnssOverride.off, .on])
  func survives(wanted: GnssOverride) {
    let bench = bench()
    bench.send(.command(.gnss(wanted)))
    let next = restarted(bench)
    #expect(next.command == PersistentGnssCommand(wanted, since: Self.noon))
    #expect(
      next.reason
        == "switched \(wanted.rawValue) by command since 2026-05-01T12:00:00Z, until godwit gnss "
        + "auto")
    #expect(next.isListening == (wanted == .on))
  }

  @Test("a cancelled command is deleted") func takenBack() {
    let bench = bench()
    bench.send(.command(.gnss(.off)))
    bench.send(.command(.gnss(.auto)))
    #expect(bench.tracker.snapshot(at: bench.now)["order"] == nil)
    #expect(restarted(bench).command == .none)
  }

  @Test("a command of this run overrides one found in the store later")
  func newerOrder() {
    let bench = bench()
    bench.send(.command(.gnss(.off)))
    var next = Tracker(settings: TrackerSettings())
    _ = next.step(.started(clock: nil), at: .zero)
    _ = next.step(.command(.gnss(.on)), at: .zero)
    let state = bench.tracker.snapshot(at: bench.now).text
    _ = next.step(.recalled(state: state, destinations: []), at: .zero)
    #expect(next.command.wanted == .on)
    _ = next.step(.command(.gnss(.auto)), at: .zero)
    _ = next.step(.recalled(state: state, destinations: []), at: .zero)
    #expect(next.command == .none, "auto is an order, too")
  }

  @Test(
    "an unreadable command is ignored",
    arguments: [#"{"gnss":"sideways"}"#, #"{"gnss":1}"#, "[]", #"{"since":"2026"}"#])
  func damaged(text: String) throws {
    #expect(PersistentGnssCommand(try JSONValue(parsing: text)) == nil)
  }
}
