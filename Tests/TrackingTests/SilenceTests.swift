import Tracking
import Records
import Core
import Testing

/// A receiver or a source that no longer sends anything.
@Suite struct SilenceTests {
  @Test("a silent receiver does not count as tracking") func aSilentReceiverDoesNotTrack() throws {
    let bench = TrackerIdleTests.bench(PowerCapabilities(), policy: .continuous)
    bench.run(until: .minutes(1)) { _ in TrackerIdleTests.home }
    #expect(bench.tracker.activity.positioningState == .tracking)
    let silent = bench.now
    var wakes = 0
    while bench.tracker.activity.positioningState == .tracking {
      bench.now = try #require(bench.tracker.nextWake)
      bench.send(.woke)
      wakes += 1
    }
    #expect(bench.now == silent + 10)
    #expect(wakes <= 2)
    #expect(bench.tracker.nextWake == nil, "nothing more to wait for")
    bench.run(until: .minutes(2)) { _ in TrackerIdleTests.home }
    #expect(bench.tracker.activity.positioningState == .tracking)
  }

  /// While epochs arrive, detecting silence costs no wake and few timer changes.
  @Test("detecting silence costs no wake while fixes come") func watchingForSilenceIsFree() {
    let bench = TrackerIdleTests.bench(PowerCapabilities(), policy: .continuous)
    var due = 0
    for _ in 0..<600 {
      bench.now = bench.now + 1
      if let wake = bench.wake, wake <= bench.now { due += 1 }
      bench.send(.fix(bench.fix(at: TrackerIdleTests.home)))
    }
    #expect(due == 0)
    let changes = bench.effects.count { if case .wake = $0.effect { true } else { false } }
    #expect(changes <= 121, "\(changes) changes in 600 s")
  }

  @Test("a slow receiver does not count as silent")
  func aSlowReceiverIsNotTakenForASilentOne() {
    let bench = TrackerIdleTests.bench(PowerCapabilities(), policy: .continuous)
    for second in 1...2000 {
      bench.now = bench.now + 1
      if let wake = bench.wake, wake <= bench.now { bench.send(.woke) }
      if second % 8 == 0 { bench.send(.fix(bench.fix(at: TrackerIdleTests.home))) }
      if second > 100 { #expect(bench.tracker.activity.positioningState == .tracking) }
    }
  }

  @Test("a coarse source that never answers is queried again each hour")
  func aCoarseSourceThatNeverAnswersIsAskedAgain() {
    let bench = TrackerIdleTests.bench(PowerCapabilities()) {
      $0.coarseSources = [CoarseSource("wifi")]
    }
    bench.run(until: .hours(5)) { _ in TrackerIdleTests.home }
    let scans = bench.effects.filter { $0.effect == .scan(source: "wifi") }.map(\.at)
    #expect(scans.count == 5)
    for (one, next) in zip(scans, scans.dropFirst()) {
      #expect(next - one >= .hours(1) && next - one < .hours(1.1))
    }
  }

  @Test("an answered query is not repeated") func anAnswerIsNotAskedForTwice() {
    let bench = TrackerIdleTests.bench(PowerCapabilities()) {
      $0.coarseSources = [CoarseSource("wifi")]
    }
    bench.run(until: .minutes(30)) { _ in TrackerIdleTests.home }
    let before = bench.effects.count { $0.effect == .scan(source: "wifi") }
    bench.send(
      .coarse(
        CoarseObservation(
          received: bench.now, time: bench.utc(bench.now), position: TrackerIdleTests.home,
          accuracy: 50, source: "wifi"), from: "wifi"))
    #expect(
      bench.effects.count { $0.effect == .scan(source: "wifi") } == before + 1, "the next question")
    let asked = bench.now
    bench.run(until: asked - .zero + .hours(1) - 1) { _ in TrackerIdleTests.home }
    #expect(bench.effects.count { $0.effect == .scan(source: "wifi") } == before + 1)
  }
}
