import Core
import Testing

@testable import Tracking

@Suite struct AdaptiveBudgetTests {
  /// A policy with a budget of which this much is spent at once, and without learnt search
  /// energies.
  static func policy(spent: Double, daily: Double = 60) -> AdaptivePolicy {
    var settings = AdaptiveSettings()
    settings.budget.energy = Joules(daily)
    var policy = AdaptivePolicy(settings)
    policy.started(at: .zero)
    for total in [0, spent] {
      policy.drawn(
        EnergyDraw(total: Joules(total), resting: 0, searching: 0.1), at: .zero + 1, in: .unknown)
    }
    return policy
  }

  /// When the policy tries again after an attempt at `second`.
  static func pause(
    after second: Double, _ bench: MotionEstimatorTests.Bench, spent: Double
  ) -> Double {
    var policy = policy(spent: spent)
    let now = AdaptivePolicyTests.at(second)
    policy.searchFailed(at: now)
    let demand = policy.demand(at: now, in: TrackingContext(nil, bench.motion))
    guard case .off(let next?) = demand?.mode else { return 0 }
    return (next - now).value
  }

  static func underWay() -> MotionEstimatorTests.Bench {
    var bench = MotionEstimatorTests.Bench()
    for second in stride(from: 0.0, through: 120, by: 30) {
      bench.locate(second, east: second * 10, speed: 10)
    }
    return bench
  }

  @Test("with a short budget attempts at rest become fewest, those under way are bounded")
  func order() {
    let resting = AdaptivePolicyTests.resting()
    let shares = [0.0, 5, 10, 20, 30, 53]
    let atRest = shares.map { Self.pause(after: 4000, resting, spent: $0) }
    let onWay = shares.map { Self.pause(after: 120, Self.underWay(), spent: $0) }
    #expect(atRest == atRest.sorted() && onWay == onWay.sorted())
    #expect(atRest[0] < 480 && atRest[5] == 240 * 32)
    #expect(onWay[0] < 80 && onWay[3] == 80 && onWay[5] == 40 * 8)
  }

  @Test("with an empty budget it makes no attempt, and states until when")
  func exhausted() throws {
    let policy = Self.policy(spent: 60)
    let demand = try #require(policy.demand(at: .zero + 2, in: .unknown))
    #expect(demand.mode == .off(until: .zero + 1 + .minutes(30)))
    #expect(demand.reason == "the energy budget is spent")
  }

  @Test("the reason states the budget's effect")
  func reason() throws {
    var policy = Self.policy(spent: 53)
    policy.searchFailed(at: AdaptivePolicyTests.at(800))
    let context = TrackingContext(nil, AdaptivePolicyTests.resting().motion)
    let demand = try #require(policy.demand(at: AdaptivePolicyTests.at(801), in: context))
    #expect(
      demand.reason
        == "at rest, by the last locations; the budget makes the pause 32.0 times as long")
  }

  @Test("the effect of the budget is reported in the user's terms")
  func purchase() throws {
    let context = TrackingContext(nil, AdaptivePolicyTests.resting().motion)
    let least = try #require(Self.policy(spent: 60).affordable(in: context))
    #expect(least.restPause == 7680 && least.trajectoryError == 800 && least.bracket == 480)
    #expect(AdaptivePolicy(AdaptiveSettings()).affordable(in: context) == nil)
  }

  @Test("a sufficient budget changes no pause")
  func plenty() {
    var policy = Self.policy(spent: 0, daily: 1e6)
    var now = AdaptivePolicyTests.at(800)
    let context = TrackingContext(nil, AdaptivePolicyTests.resting().motion)
    for look in 1...5000 {
      policy.searchFailed(at: now)
      let demand = policy.demand(at: now, in: context)
      if look > 500 { #expect(demand?.mode == .off(until: now + 240)) }
      now = now + 240
      policy.drawn(
        EnergyDraw(total: Joules(Double(look) * 0.5), resting: 0, searching: 0.1), at: now,
        in: context)
    }
  }

  @Test("joules or charge, a day or several: one budget")
  func settings() {
    var settings = BudgetSettings()
    #expect(settings.daily == nil)
    settings.charge = Coulombs(milliampereHours: 2000)
    settings.period = .days(100)
    #expect(abs(settings.daily!.value - 2 * 3600 * 3.7 / 100) < 1e-9)
    settings.charge = nil
    settings.energy = 700
    settings.period = .days(7)
    #expect(settings.daily == 100)
  }
}
