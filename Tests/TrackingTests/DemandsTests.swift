import Core
import GNSS
import Records
import Testing

@testable import Tracking

/// Several simultaneous demands for fixes.
@Suite struct DemandsTests {
  private static let on = GnssDemand(.on, reason: "on")

  private static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  private static func off(until seconds: Double?, _ reason: String = "off") -> GnssDemand {
    GnssDemand(.off(until: seconds.map(at)), reason: reason)
  }

  @Test("the earliest demand for a fix counts, in either order of merging")
  func earliest() {
    let demands = [
      Self.off(until: nil), Self.off(until: 300), Self.off(until: 20), Self.on,
    ]
    for later in demands.indices {
      for earlier in demands.indices where earlier < later {
        #expect(demands[earlier].merged(with: demands[later]).mode == demands[later].mode)
        #expect(demands[later].merged(with: demands[earlier]).mode == demands[later].mode)
      }
    }
  }

  @Test("of equal demands the first gives the reason")
  func reason() {
    #expect(Self.on.merged(with: GnssDemand(.on, reason: "too")).reason == "on")
    let never = Self.off(until: nil, "first").merged(with: Self.off(until: nil, "second"))
    #expect(never.reason == "first")
  }

  @Test("a demand that was due by then is immediate")
  func due() {
    #expect(Self.off(until: 60).due(at: Self.at(59)).mode == .off(until: Self.at(60)))
    #expect(Self.off(until: 60).due(at: Self.at(60)).mode == .on)
    #expect(Self.off(until: nil).due(at: Self.at(60)).mode == .off(until: nil))
  }

  private static let byCommand = "switched on by command, until godwit gnss auto"

  private static func demands(_ policy: any Policy, hasReceiver: Bool = true) -> Demands {
    Demands(
      policy, hasReceiver: hasReceiver, external: .evidenceOnly,
      backOff: BackOff(first: 120, maxPause: 1800))
  }

  @Test("a command and a missing receiver override every demand")
  func vetoes() {
    var demands = Self.demands(ContinuousPolicy())
    #expect(demands.demand(at: .zero, in: .unknown).mode == .on)
    demands.demanded(Self.on, by: "a place")
    demands.commanded(PersistentGnssCommand(.off, since: nil))
    #expect(demands.demand(at: .zero, in: .unknown).mode == .off(until: nil))
    demands.commanded(PersistentGnssCommand(.on, since: nil))
    #expect(demands.demand(at: .zero, in: .unknown).reason == Self.byCommand)
    demands.stop()
    #expect(demands.demand(at: .zero, in: .unknown).reason == "the daemon ends")
    var nothing = Self.demands(ContinuousPolicy(), hasReceiver: false)
    nothing.demanded(Self.on, by: "a place")
    #expect(nothing.demand(at: .zero, in: .unknown).mode == .off(until: nil))
  }

  @Test("of equal demands the command's reason counts, then the policy's, then by name")
  func precedence() {
    var demands = Self.demands(OneFixPolicy(accuracy: nil, isDone: true))
    func reason() -> String { demands.demand(at: .zero, in: .unknown).reason }
    #expect(reason() == "done")
    demands.demanded(GnssDemand(.on, reason: "b"), by: "b")
    demands.demanded(GnssDemand(.on, reason: "c"), by: "c")
    #expect(reason() == "b")
    demands.demanded(GnssDemand(.on, reason: "a"), by: "a")
    #expect(reason() == "a", "whoever came first")
    demands.demanded(nil, by: "a")
    #expect(reason() == "b")
    demands.commanded(PersistentGnssCommand(.on, since: nil))
    #expect(reason() == Self.byCommand)
    var policy = Self.demands(OneFixPolicy(accuracy: nil))
    policy.demanded(GnssDemand(.on, reason: "a"), by: "a")
    #expect(policy.demand(at: .zero, in: .unknown).reason == "a location is due")
  }

  @Test("new settings drop no demand") func newSettings() {
    var old = Self.demands(ContinuousPolicy())
    old.demanded(GnssDemand(.on, reason: "a place"), by: "a place")
    var new = Self.demands(OneFixPolicy(accuracy: nil, isDone: true))
    new.inherit(from: old)
    #expect(new.demand(at: .zero, in: .unknown).reason == "a place")
  }
}

/// Requests one location of that accuracy.
private struct OneFixPolicy: Policy {
  static let descriptor = PolicyDescriptor("one fix", doc: "one location.") {
    OneFixPolicy(accuracy: nil)
  }

  static func settings(_ accuracy: Metres?) -> TrackerSettings {
    TrackerSettings(
      policy: PolicySettings(
        PolicyDescriptor("one fix", doc: "one location.") { OneFixPolicy(accuracy: accuracy) }))
  }

  let accuracy: Metres?
  var isDone = false

  func started(at now: BootInstant) {}

  mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    defer { isDone = true }
    return !isDone
  }

  func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { false }

  /// The demand stays.
  func searchFailed(at now: BootInstant) {}

  func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    isDone
      ? GnssDemand(.off(until: nil), reason: "done")
      : GnssDemand(.on, accuracy: accuracy, timeout: 100, reason: "a location is due")
  }
}

/// Demands for fixes of different accuracy, through the tracker.
@Suite struct DemandedAccuracyTests {
  /// The tracker with a policy that requests one location of that accuracy.
  private static func bench(_ accuracy: Metres?) -> TrackerBench {
    let bench = TrackerBench(OneFixPolicy.settings(accuracy))
    bench.send(.started(clock: nil))
    return bench
  }

  private static func run(_ bench: TrackerBench, _ seconds: Int, error: Metres) {
    for _ in 0..<seconds {
      bench.now = bench.now + 1
      bench.send(.fix(bench.fix(at: TrackerBench.position(metresEast: 0), error: error)))
    }
  }

  /// The accuracies of the track points that were stored.
  private static func points(_ bench: TrackerBench) -> [Metres] {
    bench.records().compactMap {
      if case .trackPoint(let point) = $0 { point.location.accuracy } else { nil }
    }
  }

  private static func warnings(_ bench: TrackerBench) -> [String] {
    bench.records().compactMap {
      guard case .event(let logEvent, _) = $0, logEvent.kind == "accuracy-not-reached" else {
        return nil
      }
      return logEvent.reason
    }
  }

  private static let fine = GnssDemand(.on, accuracy: 10, timeout: 60, reason: "a request")

  @Test("an accurate demand gets no other location, and GNSS stays on for it")
  func accuracyThroughTheTracker() {
    let bench = Self.bench(10)
    Self.run(bench, 100, error: 30)
    #expect(bench.isOn)
    #expect(bench.tracker.reason == "a location is due")
    #expect(bench.tracker.counters.fixesAccepted > 90, "they are believed all the same")
    #expect(Self.points(bench).isEmpty)
    Self.run(bench, 100, error: 4)
    #expect(!bench.isOn)
    #expect(Self.points(bench).count == 1)
    #expect(Self.points(bench).allSatisfy { $0 <= 10 })
  }

  @Test("the policy has its fix of 100 m while a request still waits for one of 10 m")
  func coarsePolicyFineRequest() {
    let bench = Self.bench(100)
    bench.send(.demand(from: "request", Self.fine))
    Self.run(bench, 20, error: 50)
    #expect(Self.points(bench) == [50], "the policy's")
    #expect(bench.isOn)
    #expect(bench.tracker.reason == "a request")
    Self.run(bench, 5, error: 5)
    #expect(!bench.isOn)
    #expect(Self.points(bench) == [50], "the board has not moved: the request's is no point")
    #expect(Self.warnings(bench).isEmpty)
  }

  @Test("a request has its fix of 100 m while the policy still waits for one of 10 m")
  func finePolicyCoarseRequest() {
    let bench = Self.bench(10)
    bench.send(
      .demand(from: "request", GnssDemand(.on, accuracy: 100, reason: "a request")))
    Self.run(bench, 20, error: 50)
    #expect(Self.points(bench) == [50], "the request's: the track begins with it")
    #expect(bench.isOn)
    #expect(bench.tracker.reason == "a location is due")
    Self.run(bench, 5, error: 5)
    #expect(!bench.isOn)
  }

  @Test("one fix that is accurate enough for both ends the session, and is stored once")
  func bothAtOnce() {
    let bench = Self.bench(100)
    bench.send(.demand(from: "request", Self.fine))
    Self.run(bench, 5, error: 5)
    #expect(!bench.isOn)
    #expect(Self.points(bench).count == 1)
  }

  @Test("a request whose accuracy is not reached ends with its timeout")
  func requestTimesOut() {
    let bench = Self.bench(100)
    bench.send(.demand(from: "request", Self.fine))
    Self.run(bench, 60, error: 50)
    #expect(bench.isOn)
    Self.run(bench, 5, error: 50)
    #expect(!bench.isOn)
    #expect(
      Self.warnings(bench) == ["request: no fix within 10 m in 60 s; the best was within 50 m"])
    #expect(bench.tracker.nextWake == nil, "it is not tried again")
  }

  @Test("the timeout ends a session without further epochs")
  func deadlineWakes() throws {
    let bench = Self.bench(100)
    bench.send(.demand(from: "request", Self.fine))
    Self.run(bench, 5, error: 50)
    let since = try #require(bench.effects.first { $0.effect.isPoint }?.at)
    while bench.isOn {
      bench.now = try #require(bench.tracker.nextWake)
      bench.send(.woke)
    }
    #expect(bench.now == since + 60)
  }

  @Test("a policy whose accuracy is not reached is bounded, and tried less and less often")
  func policyTimesOut() {
    let bench = Self.bench(10)
    while bench.now < .zero + .hours(6) {
      if bench.isOn {
        Self.run(bench, 1, error: 50)
      } else {
        bench.now = bench.tracker.nextWake ?? .zero + .hours(7)
        bench.send(.woke)
      }
    }
    #expect(Self.points(bench).isEmpty)
    #expect((10...20).contains(Self.warnings(bench).count))
    #expect(bench.onTime < .minutes(40), "on for \(bench.onTime)")
  }

  @Test("a fix by a deadline: GNSS comes on by then, and not at all after an earlier fix")
  func byThen() throws {
    let bench = Self.bench(nil)
    Self.run(bench, 5, error: 4)
    #expect(!bench.isOn)
    func demand(in pause: Seconds) {
      bench.send(
        .demand(from: "request", GnssDemand(.off(until: bench.now + pause), reason: "by then")))
    }
    demand(in: 3600)
    #expect(bench.tracker.nextWake == bench.now + 3600)
    bench.now = try #require(bench.tracker.nextWake)
    bench.send(.woke)
    #expect(bench.isOn)
    demand(in: 3600)
    #expect(!bench.isOn, "the later one replaces it")
    bench.send(.demand(from: "another", Self.fine))
    #expect(bench.isOn)
    Self.run(bench, 5, error: 4)
    #expect(bench.tracker.nextWake == nil, "both have their fix")
  }

  @Test("an impossible accuracy counts as none", arguments: [Double.nan, -1e300, 0, .infinity])
  func impossibleAccuracy(_ metres: Double) {
    #expect(GnssDemand(.on, accuracy: Metres(metres), reason: "").accuracy == nil)
  }

  @Test("a withdrawn demand ends the session that was for it") func withdrawn() {
    let bench = Self.bench(100)
    Self.run(bench, 5, error: 50)
    #expect(!bench.isOn)
    bench.send(.demand(from: "request", Self.fine))
    #expect(bench.isOn)
    bench.send(.demand(from: "request", nil))
    #expect(!bench.isOn)
    let outcomes = bench.effects.compactMap { effect -> GnssSession.Outcome? in
      if case .store(.session(let session)) = effect.effect { session.outcome } else { nil }
    }
    #expect(outcomes.filter { $0 != .open } == [.fixObtained, .stopped], "the second had no fix")
  }

  @Test("after a fix the next demand is read before the receiver is switched off")
  func nextAtOnce() {
    let bench = Self.bench(nil)
    Self.run(bench, 5, error: 4)
    let sessions = bench.sessions().count
    for _ in 0..<3 {
      bench.send(.demand(from: "request", Self.fine))
      bench.now = bench.now + 1
      bench.send(.fix(bench.fix(at: TrackerBench.position(metresEast: 0))))
      #expect(bench.isOn && bench.tracker.awaitsDemands(at: bench.now))
      // Another event at that instant does not switch it off.
      bench.send(.demand(from: "another", nil))
      #expect(bench.isOn)
    }
    bench.send(.woke)
    #expect(!bench.isOn && !bench.tracker.awaitsDemands(at: bench.now))
    #expect(bench.sessions().count == sessions + 1)
  }

  @Test("the timeout of a request continues over sessions") func overSessions() {
    var wait = AccuracyWait()
    let fix = GroundTruth.location(0, 0, accuracy: 50)
    var isEnough = wait.handle(fix, for: Self.fine, at: .zero)
    wait.sessionEnded(at: .zero + 40)
    #expect(wait.deadline(of: Self.fine) == nil)
    isEnough = isEnough || wait.handle(fix, for: Self.fine, at: .zero + 1000)
    #expect(!isEnough)
    #expect(wait.deadline(of: Self.fine) == BootInstant.zero + 1020)
    #expect(wait.shortfall(of: Self.fine, at: .zero + 1019) == nil)
    #expect(
      wait.shortfall(of: Self.fine, at: .zero + 1020)
        == "no fix within 10 m in 60 s; the best was within 50 m")
  }

  @Test("a command ends the wait of a policy whose accuracy was not reached")
  func commandEndsWait() {
    let bench = Self.bench(10)
    while bench.isOn { Self.run(bench, 1, error: 50) }
    bench.send(.woke)
    #expect(!bench.isOn, "it waits")
    bench.send(.command(.gnss(.auto)))
    #expect(bench.isOn)
  }

  @Test("without signal a request waits like everything else, and stays")
  func withoutSky() {
    let bench = Self.bench(nil)
    Self.run(bench, 5, error: 4)
    bench.send(.demand(from: "request", Self.fine))
    bench.run(until: .hours(6)) { _ in nil }
    #expect(bench.onTime < .minutes(45), "on for \(bench.onTime)")
    let sessions = bench.sessions().count
    bench.run(until: .hours(7)) { _ in TrackerBench.position(metresEast: 0) }
    #expect(bench.sessions().count > sessions, "it has been looked for")
    #expect(!bench.isOn, "and found")
  }
}

extension Effect {
  fileprivate var isPoint: Bool {
    if case .store(.trackPoint) = self { true } else { false }
  }
}
