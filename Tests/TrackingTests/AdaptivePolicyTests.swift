import Core
import Records
import Testing

@testable import Tracking

@Suite struct AdaptivePolicyTests {
  static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// When the policy tries again after an attempt at `second`, with this motion estimate.
  static func pause(
    after second: Double, _ bench: MotionEstimatorTests.Bench,
    _ settings: AdaptiveSettings = AdaptiveSettings()
  ) -> Double {
    var policy = AdaptivePolicy(settings)
    policy.started(at: .zero)
    policy.searchFailed(at: at(second))
    let demand = policy.demand(at: at(second), in: TrackingContext(nil, bench.motion))
    guard case .off(let next?) = demand?.mode else { return 0 }
    return (next - at(second)).value
  }

  static func resting(_ sources: [String] = []) -> MotionEstimatorTests.Bench {
    var bench = MotionEstimatorTests.Bench(sources: sources)
    bench.locate(0, east: 0)
    if sources.contains("motion") {
      bench.edges(100...200)
      bench.locate(200, east: 500, speed: 5)
      bench.wait(until: 300)
    }
    for second in stride(from: 320.0, through: 800, by: 60) {
      bench.locate(second, east: sources.contains("motion") ? 500 : 0)
    }
    return bench
  }

  @Test("the first location is requested at once")
  func first() {
    var policy = AdaptivePolicy(AdaptiveSettings())
    policy.started(at: .zero)
    #expect(policy.demand(at: .zero, in: .unknown)?.mode == .on)
  }

  @Test("at rest the pause is the default, and longer with a motion sensor")
  func atRest() {
    #expect(Self.pause(after: 4000, Self.resting()) == 240)
    var settings = AdaptiveSettings()
    settings.timing = 600
    #expect(Self.pause(after: 4000, Self.resting(), settings) == 600)
    #expect(Self.pause(after: 1000, Self.resting(["motion"])) == 3600)
    #expect(Self.pause(after: 40_000, Self.resting(["motion"])) == 14_400)
  }

  @Test("a short rest is checked soon, a longer one later")
  func shortRests() {
    #expect(Self.pause(after: 160, Self.resting()) == 60)
    #expect(Self.pause(after: 400, Self.resting()) == 100)
    #expect(Self.pause(after: 800, Self.resting()) == 200)
    var settings = AdaptiveSettings()
    settings.timing = 30
    #expect(Self.pause(after: 400, Self.resting(), settings) == 30)
  }

  @Test("under way the pause is shorter the faster the board is, but more than a second")
  func underWay() {
    func pause(speed: Double) -> Double {
      var bench = MotionEstimatorTests.Bench()
      for second in stride(from: 0.0, through: 120, by: 30) {
        bench.locate(second, east: second * speed, speed: speed)
      }
      return Self.pause(after: 120, bench)
    }
    #expect(pause(speed: 1.4) == 60)
    #expect(pause(speed: 20) == 20)
    #expect(pause(speed: 300) == 8)
  }

  @Test("a location requested under way is kept, whatever its speed") func halt() {
    var bench = MotionEstimatorTests.Bench()
    var policy = AdaptivePolicy(AdaptiveSettings())
    policy.started(at: .zero)
    func take(_ second: Double, east: Double, speed: Double) -> Bool {
      bench.locate(second, east: east, speed: speed)
      return policy.gnssLocation(
        GroundTruth.location(second, east), at: Self.at(second),
        in: TrackingContext(nil, bench.motion))
    }
    var kept = [take(0, east: 0, speed: 20)]
    kept.append(take(20, east: 400, speed: 20))
    kept.append(take(40, east: 800, speed: 0))
    #expect(kept == [true, true, true], "the last at a traffic light")
    #expect(!take(41, east: 800, speed: 0), "nobody asked for it")
  }

  @Test("the trajectory has one location of each rest") func oneOfRest() {
    var bench = MotionEstimatorTests.Bench()
    var policy = AdaptivePolicy(AdaptiveSettings())
    policy.started(at: .zero)
    var kept: [Bool] = []
    for second in stride(from: 0.0, through: 3600, by: 240) {
      bench.locate(second, east: 0)
      kept.append(
        policy.gnssLocation(
          GroundTruth.location(second, 0), at: Self.at(second),
          in: TrackingContext(nil, bench.motion)))
    }
    #expect(kept.count { $0 } == 2, "the first, when nothing was known yet, and one at rest")
  }

  @Test("a detected departure is followed at once")
  func departure() {
    var bench = Self.resting(["motion"])
    bench.edges(1000...1010)
    var policy = AdaptivePolicy(AdaptiveSettings())
    policy.started(at: .zero)
    policy.searchFailed(at: Self.at(800))
    let demand = policy.demand(at: Self.at(1010), in: TrackingContext(nil, bench.motion))
    #expect(demand?.mode == .on)
  }
}
