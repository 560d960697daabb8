import Core
import GNSS
import Records
import Testing

@testable import Tracking

/// Several coarse sources side by side.
@Suite struct CoarseTrackingTests {
  private static func step(_ seconds: Double) -> TrackerStep {
    var clock = UTCClock()
    clock.receiverTime(UTCInstant(seconds: 1_780_000_000), at: .zero)
    return TrackerStep(at: .zero + Seconds(seconds), clock: clock)
  }

  private static func answer(at seconds: Double) -> CoarseObservation {
    CoarseObservation(
      received: .zero + Seconds(seconds), time: nil,
      position: Coordinate(latitude: 52, longitude: 5), accuracy: 50, source: "wifi")
  }

  @Test("each source is queried by name, and again after its own answer or failure")
  func byName() {
    var coarse = CoarseTracking(
      CoarseSettings(), sources: [CoarseSource("wifi"), CoarseSource("cell")])
    var step = Self.step(10)
    coarse.request(&step)
    #expect(step.effects == [.scan(source: "wifi"), .scan(source: "cell")])
    #expect(coarse.isQueryPending)

    step = Self.step(11)
    coarse.failed("cell", at: step.now)
    coarse.request(&step)
    #expect(step.effects == [], "one is waited for, the other has failed")
    #expect(coarse.hear(Self.answer(at: 11), from: "wifi", &step) != nil)
    coarse.request(&step)
    #expect(step.effects == [.scan(source: "wifi")])

    step = Self.step(11 + CoarseSettings().retryAfter.value)
    coarse.request(&step)
    #expect(step.effects == [.scan(source: "cell")])
  }

  @Test("the learnt position of an access point survives a restart")
  func restart() {
    let settings = TrackerSettings(coarseSources: [CoarseSource("wifi")])
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
    var step = Self.step(1)
    var coarse = CoarseTracking(CoarseSettings(), sources: [CoarseSource("wifi")])
    var answer = Self.answer(at: 1)
    answer.accessPoint = "home"
    let believed = coarse.hear(answer, from: "wifi", &step)
    var gnss = try #require(believed?.location)
    gnss.source = .gnss
    var others = CoarseTracking(CoarseSettings(), sources: [CoarseSource("wifi")])
    others.located(by: gnss, &step)
    #expect(others.snapshot == nil)
    others.inherit(from: coarse)
    others.located(by: gnss, &step)
    #expect(others.snapshot != nil)
  }

  @Test("an answer of an unknown source is handled all the same")
  func unknownSource() {
    var coarse = CoarseTracking(CoarseSettings(), sources: [])
    var step = Self.step(1)
    coarse.failed("wifi", at: step.now)
    #expect(coarse.hear(Self.answer(at: 1), from: "wifi", &step) != nil)
    #expect(coarse.nextAsking == nil)
  }
}

extension CoarseTracking {
  /// Handles an answer as the tracker does, without any GNSS location.
  mutating func hear(
    _ answer: CoarseObservation, from name: String, _ step: inout TrackerStep
  ) -> Accepted? {
    guard admits(answer, from: name, at: step.now) else { return nil }
    return take(answer, gnss: nil, &step)
  }
}
