import Places
import Core
import Records
import Testing

@testable import Tracking

/// Landsmann 2013, section 4.5, on a road with places.
@Suite struct ProximityPolicyTests {
  private static let at = PlaceExamples.at

  /// Has been located at second 10, at the road's start, and has these places.
  private static func started(
    _ targets: [PlaceTarget], hasCoarse: Bool = false,
    rule: ProximityLevel.Rule = .corrected, accuracy: Metres = 5, speed: MetresPerSecond? = nil
  ) -> BoxedPolicy<ProximityPolicy> {
    let policy = BoxedPolicy(
      ProximityPolicy(ProximitySettings(rule: rule), hasCoarseSource: hasCoarse))
    _ = policy.gnssLocation(
      PlaceExamples.location(east: 0, accuracy: accuracy, speed: speed), at: at(10))
    policy.found(targets, at: at(10))
    return policy
  }

  private static func pause(_ policy: BoxedPolicy<ProximityPolicy>, from seconds: Double)
    -> Seconds?
  {
    guard case .off(let until?) = policy.demand(at: at(seconds))?.mode else { return nil }
    return until - at(seconds)
  }

  @Test("it starts FAR, with a fix") func first() {
    let policy = BoxedPolicy(ProximityPolicy(ProximitySettings(), hasCoarseSource: true))
    #expect(policy.policy.level == .far)
    #expect(policy.demand(at: .zero)?.mode == .on)
    #expect(policy.coarseDue() == nil)
    policy.searchFailed(at: Self.at(100))
    #expect(policy.demand(at: Self.at(100))?.mode == .off(until: Self.at(280)))
    #expect(policy.demand(at: Self.at(280))?.mode == .on)
  }

  @Test("with no place near it relies on an unsolicited coarse source, if there is one")
  func far() {
    for targets in [[], [PlaceExamples.place(east: 3500)]] {
      let told = Self.started(targets, hasCoarse: true)
      #expect(told.policy.level == .far)
      #expect(told.demand(at: Self.at(11))?.mode == .off(until: nil))
      #expect(told.coarseDue() == nil)
      let alone = Self.started(targets)
      #expect(alone.demand(at: Self.at(11))?.mode == .off(until: Self.at(190)))
      #expect(alone.coarseDue() == Self.at(190 - 15))
      // 990 m at 33 m/s.
      #expect(Self.pause(Self.started(targets, speed: 33), from: 10) == 30)
    }
  }

  @Test("within 3 km it requests locations of 100 m, each after a third of the way")
  func medium() {
    let policy = Self.started([PlaceExamples.place(east: 1001)], hasCoarse: true, speed: 11)
    #expect(policy.policy.level == .medium)
    let demand = policy.demand(at: Self.at(11))
    #expect(demand?.accuracy == 100)
    #expect(abs((Self.pause(policy, from: 10) ?? 0).value - 30) < 0.1)
    #expect(policy.demand(at: Self.at(41))?.mode == .on)
    #expect(policy.demand(at: Self.at(41))?.accuracy == 100)
  }

  @Test("within 100 m the receiver stays on, and every location counts")
  func close() {
    let policy = Self.started([PlaceExamples.place(east: 90)])
    #expect(policy.policy.level == .close)
    for second in [11.0, 100, 100_000] {
      let demand = policy.demand(at: Self.at(second))
      #expect(demand?.mode == .on)
      #expect(demand?.accuracy == nil, "a limit would withhold what there is under a bad sky")
    }
  }

  @Test("a location counts once the board has moved by the filter") func filter() {
    let policy = Self.started([PlaceExamples.place(east: 291)])
    // 290 m: the filter is 96 m, and at 200 m the level would still be MEDIUM.
    #expect(!policy.gnssLocation(PlaceExamples.location(east: 90), at: Self.at(30)))
    #expect(policy.policy.level == .medium)
    // 97 m done, 193 m left: now the filter is 64 m.
    #expect(policy.gnssLocation(PlaceExamples.location(east: 97), at: Self.at(31)))
    #expect(!policy.gnssLocation(PlaceExamples.location(east: 160), at: Self.at(40)))
    #expect(policy.gnssLocation(PlaceExamples.location(east: 195), at: Self.at(50)))
    #expect(policy.policy.level == .close)
  }

  @Test("the rest of the filter distance is waited for, at walking speed at least") func remainder()
  {
    let policy = Self.started([PlaceExamples.place(east: 1001)])
    #expect(
      abs((Self.pause(policy, from: 10) ?? 0).value - 180) < 0.1, "330 m at 1.4 m/s are 236 s")
    _ = policy.gnssLocation(PlaceExamples.location(east: 190), at: Self.at(190))
    #expect(abs((Self.pause(policy, from: 190) ?? 0).value - 100) < 0.3, "140 m are left")
  }

  @Test("published, a finer level waits for a bad location; corrected, it does not")
  func rules() {
    let places = [PlaceExamples.place(east: 91)]
    #expect(Self.started(places, rule: .published, accuracy: 65).policy.level == .medium)
    #expect(Self.started(places, rule: .corrected, accuracy: 65).policy.level == .close)
    #expect(Self.started(places, rule: .published, accuracy: 85).policy.level == .close)
  }

  @Test("a good coarse location replaces a fix") func coarseInstead() {
    let policy = Self.started([PlaceExamples.place(east: 1001)])
    let wifi = PlaceExamples.location(east: 20, accuracy: 65, source: .coarse)
    #expect(!policy.coarseLocation(wifi, at: Self.at(180)))
    #expect(Self.pause(policy, from: 180) != nil)
    // A cell's location does not, and one within the errors changes nothing.
    let cell = PlaceExamples.location(east: 400, accuracy: 800, source: .coarse)
    let before = policy.demand(at: Self.at(200))
    #expect(!policy.coarseLocation(cell, at: Self.at(200)))
    #expect(policy.demand(at: Self.at(200)) == before)
  }

  @Test("a cell's location elsewhere demands a fix") func coarseElsewhere() {
    let policy = Self.started([PlaceExamples.place(east: 8000)], hasCoarse: true)
    #expect(policy.policy.level == .far)
    let near = PlaceExamples.location(east: 6000, accuracy: 800, source: .coarse)
    #expect(policy.coarseLocation(near, at: Self.at(500)))
    #expect(policy.policy.level == .medium)
    #expect(policy.demand(at: Self.at(500))?.mode == .on, "800 m do not do for MEDIUM")
    // Back to FAR by a cell alone, where GNSS has no fix.
    let away = PlaceExamples.location(east: 0, accuracy: 800, source: .coarse)
    #expect(policy.coarseLocation(away, at: Self.at(900)))
    #expect(policy.demand(at: Self.at(900))?.mode == .off(until: nil))
  }

  @Test("new places count from the board's known position") func places() {
    let policy = Self.started([])
    #expect(policy.policy.level == .far)
    policy.found([PlaceExamples.place(east: 60)], at: Self.at(20))
    #expect(policy.policy.level == .close)
    policy.found([], at: Self.at(30))
    #expect(policy.policy.level == .far)
    let unlocated = BoxedPolicy(ProximityPolicy(ProximitySettings(), hasCoarseSource: false))
    unlocated.found([PlaceExamples.place(east: 60)], at: Self.at(1))
    #expect(unlocated.policy.level == .far)
  }

  @Test("from within a place its edge counts") func inside() {
    #expect(Self.started([PlaceExamples.place(east: 0, radius: 50)]).policy.level == .close)
    #expect(Self.started([PlaceExamples.place(east: 0, radius: 800)]).policy.level == .medium)
    #expect(Self.started([PlaceExamples.place(east: 0, radius: 9000)]).policy.level == .far)
  }

  @Test("NaN does no harm") func damaged() {
    let policy = Self.started([PlaceExamples.place(east: 1001)], speed: MetresPerSecond(.nan))
    #expect(abs((Self.pause(policy, from: 10) ?? 0).value - 180) < 0.1)
    _ = policy.gnssLocation(
      PlaceExamples.location(east: 400, accuracy: Metres(.nan)), at: Self.at(100))
    #expect(policy.policy.level == .close, "who knows how near it is")
    _ = policy.gnssLocation(PlaceExamples.nowhere, at: Self.at(101))
    _ = policy.demand(at: Self.at(102))
    _ = policy.gnssLocation(PlaceExamples.location(east: 0), at: Self.at(200))
    #expect(policy.policy.level == .medium)
  }

  @Test("at rest with a trusted sensor it tries every half hour, and at once afterwards")
  func rest() {
    var motion = PlaceExamples.rested()
    let resting = TrackingContext(nil, motion)
    let policy = Self.started([PlaceExamples.place(east: 60)])
    #expect(policy.demand(at: Self.at(400), in: resting)?.mode == .on, "not located there yet")
    _ = policy.gnssLocation(PlaceExamples.location(east: 0), at: Self.at(410), in: resting)
    let wish = policy.demand(at: Self.at(411), in: resting)?.mode
    #expect(wish == .off(until: Self.at(410 + 1800)))
    #expect(policy.coarseDue(in: resting) == nil)
    motion.handle(.motion, at: Self.at(5010))
    motion.handle(.motion, at: Self.at(5020))
    #expect(policy.demand(at: Self.at(5020), in: TrackingContext(nil, motion))?.mode == .on)
    let unwatched = TrackingContext(nil, PlaceExamples.rested(isFelt: false))
    #expect(policy.demand(at: Self.at(411), in: unwatched)?.mode == .on)
  }

  @Test("a search that fails is tried again after the pause") func failure() {
    let policy = Self.started([PlaceExamples.place(east: 1001)])
    policy.searchFailed(at: Self.at(300))
    #expect(Self.pause(policy, from: 300) == 180)
    #expect(policy.demand(at: Self.at(480))?.mode == .on)
  }

  @Test("a board that stays at a place stores no track there") func trajectory() {
    let policy = Self.started([PlaceExamples.place(east: 0, radius: 1)])
    let points = (0..<60).count { second in
      policy.gnssLocation(
        PlaceExamples.location(east: Double(second % 3)), at: Self.at(20 + Double(second)))
    }
    #expect(points == 0)
  }
}
