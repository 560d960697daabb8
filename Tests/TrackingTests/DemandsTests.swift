import Quantities
import ReceiverProtocols
import Records
import Testing

@testable import Tracking

/// Several things that want fixes at once.
@Suite struct DemandsTests {
  private static let on = GnssDemand(.on, reason: "on")

  private static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  private static func off(until seconds: Double?, _ reason: String = "off") -> GnssDemand {
    GnssDemand(.off(until: seconds.map(at)), reason: reason)
  }

  @Test("the earliest wish for a fix counts, whichever way round they are merged")
  func earliest() {
    let demands = [
      Self.off(until: nil), Self.off(until: 300), Self.off(until: 20), Self.on,
    ]
    for later in demands.indices {
      for earlier in demands.indices where earlier < later {
        #expect(demands[earlier].merged(with: demands[later]).wish == demands[later].wish)
        #expect(demands[later].merged(with: demands[earlier]).wish == demands[later].wish)
      }
    }
  }

  @Test("of equal wishes the first gives the reason")
  func reason() {
    #expect(Self.on.merged(with: GnssDemand(.on, reason: "too")).reason == "on")
    let never = Self.off(until: nil, "first").merged(with: Self.off(until: nil, "second"))
    #expect(never.reason == "first")
  }

  @Test("the strictest accuracy counts, of those that want a fix at the same time")
  func accuracy() {
    let coarse = GnssDemand(.on, accuracy: 100, reason: "a place")
    let fine = GnssDemand(.on, accuracy: 10, reason: "a request")
    #expect(coarse.merged(with: fine).accuracy == 10)
    #expect(fine.merged(with: Self.on).accuracy == 10)
    var later = Self.off(until: 60)
    later.accuracy = 1
    #expect(coarse.merged(with: later).accuracy == 100)
  }

  /// Wants one location of 10 m or better.
  private struct ExactPolicy: Policy {
    static let descriptor = PolicyDescriptor("exact", doc: "one exact location.") { ExactPolicy() }
    private var isDone = false

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

    func searchFailed(at now: BootInstant) {}

    func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
      isDone
        ? GnssDemand(.off(until: nil), reason: "done")
        : GnssDemand(.on, accuracy: 10, reason: "an exact location is due")
    }
  }

  @Test("what wants an accurate location is given no other, and GNSS stays on for it")
  func accuracyThroughTheTracker() {
    let bench = TrackerBench(TrackerSettings(policy: PolicySettings(ExactPolicy.descriptor)))
    func points() -> [TrackPoint] {
      bench.records().compactMap { if case .trackPoint(let point) = $0 { point } else { nil } }
    }
    func run(_ seconds: Int, error: Metres) {
      for _ in 0..<seconds {
        bench.now = bench.now + 1
        bench.send(.fix(bench.fix(at: TrackerBench.position(metresEast: 0), error: error)))
      }
    }
    bench.send(.started(clock: nil))
    run(100, error: 30)
    #expect(bench.isOn)
    #expect(bench.tracker.reason == "an exact location is due")
    #expect(bench.tracker.counters.fixesAccepted > 90, "they are believed all the same")
    #expect(points().isEmpty)
    run(100, error: 4)
    #expect(!bench.isOn)
    #expect(points().count == 1)
    #expect(points().allSatisfy { $0.location.accuracy <= 10 })
  }

  @Test("a command and a missing receiver stand above every wish")
  func vetoes() {
    var demands = Demands(ContinuousPolicy(), hasReceiver: true)
    #expect(demands.demand(at: .zero, in: .unknown).wish == .on)
    demands.ordered(.off)
    #expect(demands.demand(at: .zero, in: .unknown).wish == .off(until: nil))
    demands.ordered(.on)
    #expect(demands.demand(at: .zero, in: .unknown).reason == "switched on by command")
    demands.stop()
    #expect(demands.demand(at: .zero, in: .unknown).reason == "the daemon ends")
    let nothing = Demands(ContinuousPolicy(), hasReceiver: false)
    #expect(nothing.demand(at: .zero, in: .unknown).wish == .off(until: nil))
  }
}

/// Several coarse sources side by side.
@Suite struct CoarseTrackingTests {
  private static func turn(_ seconds: Double) -> Turn {
    var clock = UTCClock()
    clock.receiverTime(UTCInstant(seconds: 1_780_000_000), at: .zero)
    return Turn(at: .zero + Seconds(seconds), clock: clock)
  }

  private static func answer(at seconds: Double) -> CoarseObservation {
    CoarseObservation(
      received: .zero + Seconds(seconds), time: nil,
      position: Coordinate(latitude: 52, longitude: 5), accuracy: 50, source: "wifi")
  }

  @Test("each source is asked by its name, and asked again by its own answer or failure")
  func byName() {
    var coarse = CoarseTracking(CoarseSettings(), sources: ["wifi", "cell"])
    var turn = Self.turn(10)
    coarse.ask(&turn)
    #expect(turn.effects == [.scan(source: "wifi"), .scan(source: "cell")])
    #expect(coarse.isAsking)

    turn = Self.turn(11)
    coarse.failed("cell", at: turn.now)
    coarse.ask(&turn)
    #expect(turn.effects == [], "one is waited for, the other has failed")
    #expect(coarse.take(Self.answer(at: 11), from: "wifi", gnss: nil, &turn) != nil)
    coarse.ask(&turn)
    #expect(turn.effects == [.scan(source: "wifi")])

    turn = Self.turn(11 + CoarseSettings().retryAfter.value)
    coarse.ask(&turn)
    #expect(turn.effects == [.scan(source: "cell")])
  }

  @Test("what was learnt of an access point outlives a restart")
  func restart() {
    let settings = TrackerSettings(coarseSources: ["wifi"])
    var tracker = Tracker(settings: settings)
    _ = tracker.step(.started(clock: nil), at: .zero)
    #expect(tracker.snapshot(at: .zero)["coarse"] == nil)
    var answer = Self.answer(at: 0)
    answer.accessPoint = "home"
    _ = tracker.step(.coarse(answer, from: "wifi"), at: .zero)
    var fix = Fix(received: .zero + 1)
    fix.time = UTCInstant(seconds: 1_780_000_000)
    fix.mode = .threeD
    fix.position = answer.position
    fix.horizontalError = 4
    for second in 1...5 {
      fix.received = .zero + Seconds(Double(second))
      fix.time = fix.time.map { $0 + 1 }
      _ = tracker.step(.fix(fix), at: fix.received)
    }
    let learnt = tracker.snapshot(at: .zero + 9)
    #expect(learnt["coarse"] != nil)
    var next = Tracker(settings: settings)
    _ = next.restore(learnt.text, at: .zero)
    #expect(next.snapshot(at: .zero)["coarse"] == learnt["coarse"])
  }

  @Test("new settings do not cut the connection to an access point")
  func newSettings() throws {
    var turn = Self.turn(1)
    var coarse = CoarseTracking(CoarseSettings(), sources: ["wifi"])
    var answer = Self.answer(at: 1)
    answer.accessPoint = "home"
    let believed = coarse.take(answer, from: "wifi", gnss: nil, &turn)
    var gnss = try #require(believed?.location)
    gnss.source = .gnss
    var others = CoarseTracking(CoarseSettings(), sources: ["wifi"])
    others.located(by: gnss, &turn)
    #expect(others.snapshot == nil)
    others.inherit(from: coarse)
    others.located(by: gnss, &turn)
    #expect(others.snapshot != nil)
  }

  @Test("an answer from a source that nobody knows is heard all the same")
  func unknownSource() {
    var coarse = CoarseTracking(CoarseSettings(), sources: [])
    var turn = Self.turn(1)
    coarse.failed("wifi", at: turn.now)
    #expect(coarse.take(Self.answer(at: 1), from: "wifi", gnss: nil, &turn) != nil)
    #expect(coarse.nextAsking == nil)
  }
}
