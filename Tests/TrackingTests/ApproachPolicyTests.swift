import Places
import Core
import Records
import Testing

@testable import Tracking

/// The guards around the equations of Dias 2011, section 4.6.
@Suite struct ApproachPolicyTests {
  private static let at = PlaceExamples.at

  /// Located at second 0 and 60, on the way from 2100 to 1100 m before a place of 100 m.
  private static func approaching(
    _ targets: [PlaceTarget] = [PlaceExamples.place(east: 0, radius: 100)],
    _ settings: ApproachSettings = ApproachSettings(), speed: MetresPerSecond = 10
  ) -> BoxedPolicy<ApproachPolicy> {
    let policy = BoxedPolicy(ApproachPolicy(settings))
    _ = policy.gnssLocation(PlaceExamples.location(east: -2100, speed: speed), at: at(0))
    policy.found(targets, at: at(0))
    _ = policy.gnssLocation(PlaceExamples.location(east: -1100, speed: speed), at: at(60))
    return policy
  }

  private static func until(_ policy: BoxedPolicy<ApproachPolicy>, _ second: Double) -> Double? {
    guard case .off(let until?) = policy.demand(at: at(second))?.mode else { return nil }
    return (until - .zero).value
  }

  @Test("the first location is requested, and a second one to compare it with") func launch() {
    let policy = BoxedPolicy(ApproachPolicy(ApproachSettings()))
    #expect(policy.demand(at: .zero)?.mode == .on)
    _ = policy.gnssLocation(PlaceExamples.location(east: -2100, speed: 10), at: Self.at(5))
    #expect(policy.takePlaceSearch() != nil)
    #expect(policy.takePlaceSearch() == nil)
    #expect(policy.demand(at: Self.at(6))?.mode == .on, "until it is told the alerts")
    policy.found([PlaceExamples.place(east: 0)], at: Self.at(6))
    #expect(policy.demand(at: Self.at(7))?.mode == .on)
    _ = policy.gnssLocation(PlaceExamples.location(east: -2000, speed: 10), at: Self.at(15))
    #expect(Self.until(policy, 15) != nil)
  }

  @Test("it is off for the estimated time") func wait() throws {
    let policy = Self.approaching()
    let until = try #require(Self.until(policy, 61))
    #expect(abs(until - 95) < 0.2, "60 + 35 s")
    #expect(policy.demand(at: Self.at(96))?.mode == .on)
  }

  @Test("the nearest enabled alert decides") func nearest() throws {
    let near = PlaceExamples.place(east: -900, radius: 10, hasAlerts: false)
    let far = PlaceExamples.place(east: 0, radius: 100)
    #expect(abs(try #require(Self.until(Self.approaching([near, far]), 61)) - 95) < 0.2)
    let both = Self.approaching([PlaceExamples.place(east: -900, radius: 10), far])
    #expect(Self.until(both, 61) == nil, "190 m at 10 m/s are a short wait")
  }

  @Test("no alerts: an attempt within the longest pause") func none() {
    let disabled = PlaceExamples.place(east: -1000, hasAlerts: false)
    for targets in [[], [disabled]] {
      #expect(Self.until(Self.approaching(targets), 61) == 1860.0)
    }
    #expect(Self.until(Self.approaching([PlaceExamples.place(east: 90_000)]), 61) == 1860.0)
  }

  @Test("a short wait leaves the receiver on") func short() {
    var settings = ApproachSettings()
    settings.shortWait = 36
    #expect(Self.until(Self.approaching(settings: settings), 61) == nil)
    settings.shortWait = 34
    #expect(Self.until(Self.approaching(settings: settings), 61) != nil)
  }

  private static func approaching(settings: ApproachSettings) -> BoxedPolicy<ApproachPolicy> {
    approaching([PlaceExamples.place(east: 0, radius: 100)], settings)
  }

  @Test("without a location it retries sooner the nearer the alert is") func retries()
    throws
  {
    // 100 s at the present speed, 40 s of which have passed: half of 60.
    let near = Self.approaching()
    near.searchFailed(at: Self.at(100))
    #expect(abs(try #require(Self.until(near, 101)) - 130) < 0.2)
    let far = Self.approaching([PlaceExamples.place(east: 3000, radius: 100)])
    far.searchFailed(at: Self.at(100))
    #expect(abs(try #require(Self.until(far, 101)) - 280) < 0.2)
    // 15 s are left: too short to switch off.
    let there = Self.approaching()
    there.searchFailed(at: Self.at(145))
    #expect(there.demand(at: Self.at(145))?.mode == .on)
    let none = Self.approaching([])
    none.searchFailed(at: Self.at(100))
    #expect(Self.until(none, 101) == 1000.0)
  }

  @Test("retries after failed searches become rarer, until there is a location") func failures() {
    let policy = Self.approaching()
    var now = 200.0
    var pauses: [Double] = []
    for _ in 0..<9 {
      policy.searchFailed(at: Self.at(now))
      let next = Self.until(policy, now) ?? now
      pauses.append(next - now)
      now = next + 60
    }
    #expect(pauses == [0, 30, 60, 120, 240, 480, 960, 1800, 1800])
    _ = policy.gnssLocation(PlaceExamples.location(east: -1000, speed: 10), at: Self.at(now))
    policy.searchFailed(at: Self.at(now + 85))
    #expect(Self.until(policy, now + 85) == nil)
  }

  @Test("a board that was never located keeps searching, ever less often") func neverLocated() {
    let policy = BoxedPolicy(ApproachPolicy(ApproachSettings()))
    policy.searchFailed(at: Self.at(60))
    #expect(policy.demand(at: Self.at(60))?.mode == .on)
    policy.searchFailed(at: Self.at(120))
    #expect(Self.until(policy, 120) == 150)
  }

  @Test("in a place and at its edge it stays on; speed 0 does not cause endless sleep")
  func standing() {
    let within = Self.approaching([PlaceExamples.place(east: -1100, radius: 20)], speed: 0)
    #expect(Self.until(within, 61) == nil)
    let beside = Self.approaching([PlaceExamples.place(east: -1000, radius: 10)], speed: 0)
    #expect(Self.until(beside, 61).map { $0 <= 150 } ?? true)
  }

  @Test("NaN does no harm") func damaged() {
    let policy = Self.approaching(speed: MetresPerSecond(.nan))
    #expect(Self.until(policy, 61) != nil || policy.demand(at: Self.at(61))?.mode == .on)
    _ = policy.gnssLocation(PlaceExamples.nowhere, at: Self.at(70))
    #expect(Self.until(policy, 71) == 1870.0)
    _ = policy.gnssLocation(PlaceExamples.location(east: -900, speed: 10), at: Self.at(80))
    #expect(Self.until(policy, 81).map { $0 < 170 } ?? true)
  }

  @Test("at rest it waits for evidence, or for the longest pause") func rest() {
    var motion = PlaceExamples.rested()
    let policy = Self.approaching([PlaceExamples.place(east: 60, radius: 10)])
    let resting = TrackingContext(nil, motion)
    _ = policy.gnssLocation(PlaceExamples.location(east: 0, speed: 0), at: Self.at(410))
    let wish = policy.demand(at: Self.at(411), in: resting)?.mode
    #expect(wish == .off(until: Self.at(410 + 1800)))
    motion.handle(.motion, at: Self.at(1010))
    motion.handle(.motion, at: Self.at(1020))
    #expect(policy.demand(at: Self.at(1020), in: TrackingContext(nil, motion))?.mode == .on)
  }

  @Test("coarse locations are not used") func coarse() {
    let policy = Self.approaching()
    let before = policy.demand(at: Self.at(61))
    let cell = PlaceExamples.location(east: 0, accuracy: 500, source: .coarse)
    #expect(!policy.coarseLocation(cell, at: Self.at(61)))
    #expect(policy.demand(at: Self.at(61)) == before)
  }
}
