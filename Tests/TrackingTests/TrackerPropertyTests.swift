import Core
import GNSS
import Records
import TestSupport
import Testing
import Tracking

/// Random events at random times, in any order: the invariants that must always hold.
@Suite struct TrackerPropertyTests {
  static func event(_ random: inout SplitMix, _ bench: TrackerBench) -> Event {
    switch Int.random(in: 0..<13, using: &random) {
    case 12:
      let accuracy = Metres(.random(in: 1...100, using: &random))
      return .demand(
        from: Bool.random(using: &random) ? "a" : "b",
        Bool.random(using: &random) ? GnssDemand(.on, accuracy: accuracy, reason: "x") : nil)
    case 0: return .woke
    case 1:
      return Bool.random(using: &random)
        ? .powerFailed(reason: "x") : .scanFailed(source: "wifi", reason: "x")
    case 2: return .powerReached
    case 3: return command(&random)
    case 4:
      return .coarse(
        CoarseObservation(
          received: bench.now, time: Bool.random(using: &random) ? bench.utc(bench.now) : nil,
          position: TrackerBench.position(metresEast: .random(in: -5000...5000, using: &random)),
          accuracy: Metres(.random(in: -1...4000, using: &random)), accessPoint: "ap",
          source: "wifi"), from: "wifi")
    default:
      var fix = bench.fix(
        at: Bool.random(using: &random)
          ? TrackerBench.position(metresEast: .random(in: -2000...2000, using: &random)) : nil,
        error: Metres(.random(in: 0...200, using: &random)))
      if Int.random(in: 0..<6, using: &random) == 0 {
        fix.time = fix.time.map { $0 + Seconds(.random(in: -1e9...1e9, using: &random)) }
      }
      if Int.random(in: 0..<6, using: &random) == 0 { fix.time = nil }
      return .fix(fix)
    }
  }

  private static func command(_ random: inout SplitMix) -> Event {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .command(.restart(RestartKind.allCases.randomElement(using: &random)!))
    case 1: .restartFailed(reason: "x")
    default: .command(.gnss(GnssOverride.allCases.randomElement(using: &random)!))
    }
  }

  @Test(
    "for any events, wakes are in the future, and state, sessions and visits are valid",
    arguments: 0..<60)
  func whateverHappensTheRulesHold(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var settings = TrackerSettings()
    settings.policy = [
      .continuous, .periodic(PeriodicSettings()), .hybrid(HybridSettings()),
    ].randomElement(using: &random)!
    settings.coarseSources = Bool.random(using: &random) ? [CoarseSource("wifi")] : []
    let bench = TrackerBench(settings)
    bench.send(.started(clock: nil))
    var switchedOn = false
    var mayBeOn = false
    var lastSession: Int64 = 0
    var checked = 0
    for _ in 0..<1500 {
      bench.now = bench.now + Seconds(.random(in: 0...200, using: &random))
      let event = Self.event(&random, bench)
      bench.send(event)
      switch event {
      case .powerFailed: mayBeOn = true
      case .powerReached where !switchedOn: mayBeOn = false
      default: break
      }
      var stored: [Record] = []
      for (at, effect) in bench.effects[checked...] {
        switch effect {
        case .power(let state, _):
          // Off is requested again when it may not have been done.
          #expect((state == .on) != switchedOn || (state == .off && mayBeOn))
          switchedOn = state == .on
        case .wake(let instant?): #expect(instant > at, "a wake in the past would spin")
        case .store(let record):
          stored.append(record)
          if case .session(let session) = record, session.outcome == .open {
            #expect(session.id > lastSession)
            lastSession = session.id
          }
        default: break
        }
      }
      checked = bench.effects.count
      #expect(
        (bench.tracker.activity.positioningState == .off) == !switchedOn || (mayBeOn && !switchedOn)
      )
      for case .visit(let visit) in stored { check(visit) }
    }
  }

  private func check(_ visit: Visit) {
    for time in [visit.arrival, visit.departure].compactMap({ $0 }) {
      #expect(time.earliest <= time.estimate && time.estimate <= time.latest)
    }
    if let departure = visit.departure { #expect(visit.arrival.estimate <= departure.estimate) }
    #expect((0...1).contains(visit.confidence))
  }

  @Test("the same events give the same effects") func theSameEventsGiveTheSameEffects() {
    func run() -> [Effect] {
      var random = SplitMix(seed: 99)
      let bench = TrackerBench()
      bench.send(.started(clock: nil))
      for _ in 0..<1000 {
        bench.now = bench.now + Seconds(.random(in: 0...200, using: &random))
        bench.send(Self.event(&random, bench))
      }
      return bench.effects.map(\.effect)
    }
    #expect(run() == run())
  }
}
