import Energy
import Quantities
import Testing

@testable import Tracking

/// What the receiver turned out to be able to do.
@Suite struct LearntMeansTests {
  /// Saving its orbits fails after the cut was asked for: the next start is a cold one after all.
  @Test func orbitsThatCouldNotBeKeptAreForgotten() {
    let bench = TrackerIdleTests.slow(interval: 40)
    bench.run(until: 27, lockTime: 25) { _ in TrackerIdleTests.home }
    #expect(bench.tracker.gnssState == .off)
    let cold = bench.tracker.acquisition.prediction.predicted(afterPause: nil)
    func next() -> Seconds {
      bench.tracker.acquisition.forecast(pause: 10, hasBackup: true, at: bench.now).afterSleep
    }
    #expect(next() != cold)
    bench.send(.learnt(PowerMeans(hasBackup: false)))
    #expect(next() == cold)
  }
}
