import Records
import Core
import Places
import GNSS
import TestSupport
import Testing
import Tracking

/// The tracker's support for policies that follow places, and for no others.
@Suite struct PlacesInTrackerTests {
  private static let cap = SphericalCap(
    centre: Coordinate(latitude: 52, longitude: 5), radius: 100_000)
  private static let followers: [PolicySettings] = [
    .proximity(ProximitySettings()), .proximity(ProximitySettings(rule: .published)),
    .approach(ApproachSettings()),
  ]
  private static let others: [PolicySettings] = [
    .adaptive(AdaptiveSettings()), .hybrid(HybridSettings()), .periodic(PeriodicSettings()),
    .continuous,
  ]

  private static func target(metresEast: Double, radius: Metres = 20) -> PlaceTarget {
    PlaceTarget(
      PlaceRegion(.circle(radius: radius), around: TrackerBench.position(metresEast: metresEast)),
      hasAlerts: true)
  }

  private static func bench(
    _ policy: PolicySettings, change: (inout TrackerSettings) -> Void = { _ in }
  ) -> TrackerBench {
    var settings = TrackerSettings(policy: policy)
    change(&settings)
    let bench = TrackerBench(settings)
    bench.send(.started(clock: nil))
    return bench
  }

  private static func searches(_ bench: TrackerBench) -> [BootInstant] {
    bench.effects.compactMap { if case .findPlaces = $0.effect { $0.at } else { nil } }
  }

  @Test("the places around the board are requested, ten minutes apart", arguments: followers)
  func asks(policy: PolicySettings) {
    let bench = Self.bench(policy)
    bench.run(until: .hours(2)) { TrackerBench.position(metresEast: $0.value * 10) }
    let searches = Self.searches(bench)
    #expect((2...12).contains(searches.count), "\(searches.count)")
    #expect(zip(searches, searches.dropFirst()).allSatisfy { $1 - $0 >= 600 })
  }

  @Test("other policies request none", arguments: others)
  func indifferent(policy: PolicySettings) {
    func effects(isTold: Bool) -> [Effect] {
      let bench = Self.bench(policy)
      for part in 1...20 {
        bench.run(until: .minutes(Double(part))) {
          TrackerBench.position(metresEast: $0.value * 2)
        }
        if isTold { bench.send(.places([Self.target(metresEast: 0)], within: Self.cap)) }
      }
      return bench.effects.map(\.effect)
    }
    let silent = effects(isTold: false)
    #expect(silent == effects(isTold: true))
    #expect(!silent.contains { if case .findPlaces = $0 { true } else { false } })
  }

  @Test("proximity leaves the receiver on at a place, and rarely tries far from one")
  func proximity() {
    let near = Self.bench(.proximity(ProximitySettings()))
    near.run(until: 20) { _ in TrackerBench.position(metresEast: 0) }
    near.send(.places([Self.target(metresEast: 60)], within: Self.cap))
    near.run(until: .minutes(10)) { _ in TrackerBench.position(metresEast: 0) }
    #expect(near.isOn && near.sessions().count <= 2)
    let far = Self.bench(.proximity(ProximitySettings()))
    far.run(until: 5) { _ in TrackerBench.position(metresEast: 0) }
    far.send(.places([Self.target(metresEast: 9000)], within: Self.cap))
    far.run(until: .hours(1)) { _ in TrackerBench.position(metresEast: 0) }
    #expect((15...21).contains(far.sessions().count))
    #expect(far.onTime < .minutes(3), "\(far.onTime)")
  }

  @Test("approach sleeps on the way to an alert, and is on when the board arrives")
  func approach() throws {
    let bench = Self.bench(.approach(ApproachSettings()))
    bench.run(until: 5) { TrackerBench.position(metresEast: $0.value * 10) }
    bench.send(.places([Self.target(metresEast: 12_000)], within: Self.cap))
    // It arrives at the edge after 1198 s.
    bench.run(until: 1198) { TrackerBench.position(metresEast: $0.value * 10) }
    #expect(bench.isOn, "it would be there now")
    #expect(bench.onTime < 120, "\(bench.onTime)")
    #expect(bench.sessions().count > 3)
  }

  @Test("without signal approach retries, and keeps the last place with its time")
  func lastKnown() throws {
    let bench = Self.bench(.approach(ApproachSettings()))
    bench.run(until: 30) { TrackerBench.position(metresEast: $0.value * 10) }
    bench.send(.places([Self.target(metresEast: 3000)], within: Self.cap))
    bench.run(until: 60) { TrackerBench.position(metresEast: $0.value * 10) }
    let known = try #require(bench.tracker.lastGnss)
    bench.run(until: .minutes(30)) { _ in nil }
    #expect(bench.sessions().contains { $0.outcome == .noFix })
    #expect(bench.tracker.lastGnss == known)
    let tries = bench.sessions().compactMap(\.on).count { $0 < bench.utc(.zero + .minutes(10)) }
    #expect(tries >= 3, "sooner than the usual back-off, as the alert is near: \(tries)")
  }

  @Test(
    "without an answer the receiver is off after ten seconds all the same", arguments: followers)
  func untold(policy: PolicySettings) {
    let bench = Self.bench(policy)
    bench.run(until: 60) { _ in TrackerBench.position(metresEast: 0) }
    #expect(!bench.isOn)
    #expect(bench.onTime < 20)
  }

  @Test("pending requests do not delay the end", arguments: followers)
  func ending(policy: PolicySettings) {
    let bench = Self.bench(policy)
    bench.send(.stopping)
    bench.send(.fix(bench.fix(at: TrackerBench.position(metresEast: 0))))
    #expect(Self.searches(bench).isEmpty)
    bench.send(.places([Self.target(metresEast: 0)], within: Self.cap))
    #expect(!bench.isOn)
  }

  /// Random events in any order and state.
  @Test("for any events, wakes are in the future and boxes are valid", arguments: 0..<40)
  func anything(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let policy = Self.followers.randomElement(using: &random)!
    let bench = Self.bench(policy) {
      $0.coarseSources =
        [[], [CoarseSource("wifi")], [CoarseSource("wifi", .onRequest)]].randomElement(
          using: &random)!
    }
    var asked = Self.searches(bench).count
    for _ in 0..<1000 {
      bench.now = bench.now + Seconds(.random(in: 0...120, using: &random))
      if Int.random(in: 0..<8, using: &random) == 0 {
        let targets = (0..<Int.random(in: 0...5, using: &random)).map { _ in
          Self.target(
            metresEast: .random(in: -4000...4000, using: &random),
            radius: Metres(.random(in: 1...500, using: &random)))
        }
        bench.send(.places(targets, within: Self.cap))
      } else {
        bench.send(TrackerPropertyTests.event(&random, bench))
      }
      if let wake = bench.wake { #expect(wake > bench.now || bench.effects.isEmpty) }
      for case .findPlaces(let cap) in bench.effects.map(\.effect).suffix(5) {
        let box = cap.box
        #expect(box.south < box.north && (-90...90).contains(box.north.value))
      }
      #expect(bench.tracker.isListening == bench.isOn)
    }
    asked = Self.searches(bench).count - asked
    #expect(asked <= 1 + Int((bench.now - .zero).value / 600))
  }
}
