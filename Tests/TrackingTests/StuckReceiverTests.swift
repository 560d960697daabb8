import Records
import Core
import GNSS
import Testing

@Suite struct StuckReceiverTests {
  /// Searches without success with this many satellites in view.
  static func search(_ bench: TrackerBench, until end: Seconds, satellites: Int?) {
    while bench.now < .zero + end {
      guard bench.isOn else {
        bench.now = bench.tracker.nextWake ?? .zero + end
        bench.send(.woke)
        continue
      }
      bench.now = bench.now + 1
      var fix = bench.fix(at: nil)
      fix.satellitesInView = satellites
      bench.send(.fix(fix))
    }
  }

  static func resets(_ bench: TrackerBench) -> Int {
    bench.effects.count { $0.effect == .restart(.cold) }
  }

  @Test("three failed searches with satellites in view cause one cold start")
  func aColdStartFollowsThreeSearchesWithSatellitesInView() throws {
    let bench = TrackerIdleTests.bench(PowerCapabilities())
    Self.search(bench, until: .hours(6), satellites: 12)
    #expect(bench.tracker.counters.searchesFailed > 5)
    #expect(Self.resets(bench) == 1, "once, however long it goes on")
    let index = try #require(bench.effects.firstIndex { $0.effect == .restart(.cold) })
    #expect(bench.effects[index - 1].effect.powerState == .on)
    let before = bench.effects[..<index].count { $0.effect.powerState == .on }
    #expect(before == 4, "three searches failed before the one that starts cold")
    // A fix, and then the same failure again.
    let end = bench.now - .zero
    bench.run(until: end + .hours(1)) { _ in TrackerIdleTests.home }
    #expect(bench.tracker.counters.fixesAccepted > 0)
    Self.search(bench, until: end + .hours(6), satellites: 12)
    #expect(Self.resets(bench) == 2)
  }

  @Test("with poor reception there is no cold start", arguments: [3, 0, nil] as [Int?])
  func aBadSkyIsNoStuckReceiver(satellites: Int?) {
    let bench = TrackerIdleTests.bench(PowerCapabilities())
    Self.search(bench, until: .hours(6), satellites: satellites)
    #expect(bench.tracker.counters.searchesFailed > 5)
    #expect(Self.resets(bench) == 0)
  }

  @Test("without a limit there is never a cold start") func noLimitMeansNever() {
    let bench = TrackerIdleTests.bench(PowerCapabilities()) { $0.acquisition.coldResetAfter = nil }
    Self.search(bench, until: .hours(6), satellites: 12)
    #expect(Self.resets(bench) == 0)
  }

  @Test("one search without signal restarts the count")
  func oneSearchWithoutSkyBeginsTheCountAnew() {
    let bench = TrackerIdleTests.bench(PowerCapabilities())
    for satellites in [12, 12, 2, 12, 12, 2, 12, 12] {
      let failed = bench.tracker.counters.searchesFailed
      while bench.tracker.counters.searchesFailed == failed {
        Self.search(bench, until: bench.now - .zero + 1, satellites: satellites)
      }
    }
    #expect(bench.tracker.counters.searchesFailed == 8)
    #expect(Self.resets(bench) == 0)
  }

  @Test("a restart of the daemon keeps the count and the steps taken")
  func aRestartOfTheDaemonKeepsTheCount() {
    let bench = TrackerIdleTests.bench(PowerCapabilities())
    while bench.tracker.counters.searchesFailed < 3 {
      Self.search(bench, until: bench.now - .zero + 1, satellites: 9)
    }
    let saved = bench.tracker.snapshot(at: bench.now).text
    let again = TrackerBench()
    _ = again.tracker.restore(saved, at: again.now)
    again.send(.started(clock: nil))
    #expect(Self.resets(again) == 1)
    // A step that was already taken is not repeated, either.
    let third = TrackerBench()
    _ = third.tracker.restore(again.tracker.snapshot(at: again.now).text, at: third.now)
    third.send(.started(clock: nil))
    #expect(Self.resets(third) == 0)
  }
}
