import Core
import Records
import Testing

@testable import Tracking

/// Sources that answer queries: when they are queried, which answers become significant-change
/// locations, and what happens where they know no place.
@Suite struct AskedCoarseTests {
  private static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  private static func location(east metres: Double, accuracy: Metres) -> Location {
    Location(
      time: UTCInstant(seconds: 1_780_000_000),
      position: Sphere.destination(
        from: HybridPolicyTests.home, bearing: 90, distance: Metres(metres)),
      accuracy: accuracy)
  }

  /// A reference to a policy, so that mutating calls work inside expectations.
  private final class Boxed {
    var policy = AskedCoarseTests.arrived()

    func takes(_ location: Location, at seconds: Double) -> Bool {
      policy.coarseLocation(location, at: AskedCoarseTests.at(seconds), in: .unknown)
    }

    func wants(_ seconds: Double) -> Bool { AskedCoarseTests.wants(policy, seconds) }
  }

  /// Has arrived at home: two GNSS locations without travel, the last at 100 s.
  private static func arrived() -> HybridPolicy {
    var policy = HybridPolicy(HybridSettings(), hasCoarseSource: false)
    policy.started(at: .zero)
    _ = policy.gnssLocation(location(east: 0, accuracy: 5), at: at(10), in: .unknown)
    _ = policy.gnssLocation(location(east: 0, accuracy: 5), at: at(100), in: .unknown)
    return policy
  }

  private static func wants(_ policy: HybridPolicy, _ seconds: Double) -> Bool {
    policy.demand(at: at(seconds), in: .unknown)?.mode == .on
  }

  @Test("sources are queried shortly before a burst would be due") func asked() throws {
    let policy = Self.arrived()
    let due = try #require(policy.coarseDue(in: .unknown))
    #expect(due == Self.at(100 + 300 - 15))
    #expect(!Self.wants(policy, 399) && Self.wants(policy, 400))
    #expect(HybridPolicy(HybridSettings(), hasCoarseSource: false).coarseDue(in: .unknown) == nil)
  }

  @Test("an unchanged answer is no location, and delays the burst")
  func unmoved() {
    let box = Boxed()
    let answer = Self.location(east: 30, accuracy: 40)
    #expect(!box.takes(answer, at: 386))
    #expect(!box.wants(400))
    #expect(box.policy.coarseDue(in: .unknown) == Self.at(386 + 450 - 15), "less and less often")
  }

  @Test("one no better than a cell's area delays nothing") func rough() {
    let box = Boxed()
    let answer = Self.location(east: 300, accuracy: 1500)
    #expect(!box.takes(answer, at: 386))
    #expect(box.wants(400))
  }

  @Test("one in 300 s after movement, and at once after 500 m") func significant() {
    let box = Boxed()
    let near = Self.location(east: 120, accuracy: 40)
    #expect(box.takes(near, at: 110), "the first")
    let farther = Self.location(east: 240, accuracy: 40)
    #expect(!box.takes(farther, at: 130))
    let far = Self.location(east: 640, accuracy: 40)
    #expect(box.takes(far, at: 140))
    let more = Self.location(east: 760, accuracy: 40)
    #expect(!box.takes(more, at: 439))
    #expect(box.takes(more, at: 440))
  }

  @Test("a change within the error is no movement") func errors() {
    let box = Boxed()
    let answer = Self.location(east: 700, accuracy: 400)
    #expect(!box.takes(answer, at: 386))
  }

  @Test("a trusted motion sensor without edges holds the timer") func watched() {
    var motion = MotionEstimator(sources: ["motion"], dwell: 300)
    let home = Self.location(east: 0, accuracy: 5)
    for second in stride(from: 0.0, through: 200, by: 10) {
      motion.located(home, at: Self.at(second))
    }
    for second in [300.0, 310, 320] { motion.handle(.motion, at: Self.at(second)) }
    motion.located(Self.location(east: 800, accuracy: 5), at: Self.at(330))
    motion.timePassed(at: Self.at(400))
    let policy = Self.arrived()
    let watched = TrackingContext(nil, motion)
    #expect(watched.motion.isResting && watched.motion.isMonitored)
    #expect(policy.demand(at: Self.at(5000), in: watched)?.mode == .off(until: nil))
    #expect(policy.coarseDue(in: watched) == nil)
    motion.handle(.motion, at: Self.at(5010))
    motion.handle(.motion, at: Self.at(5020))
    let moving = TrackingContext(nil, motion)
    #expect(policy.demand(at: Self.at(5020), in: moving)?.mode == .on)
  }

  /// Evidence showed a move of 800 m, and rest since second 320.
  private static func rested() -> MotionEstimator {
    var motion = MotionEstimator(sources: ["motion"], dwell: 300)
    for second in stride(from: 0.0, through: 200, by: 10) {
      motion.located(location(east: 0, accuracy: 5), at: at(second))
    }
    for second in [300.0, 310, 320] { motion.handle(.motion, at: at(second)) }
    motion.located(location(east: 800, accuracy: 5), at: at(330))
    motion.timePassed(at: at(400))
    return motion
  }

  @Test("at rest without reception there is one search") func dark() {
    var motion = Self.rested()
    let resting = TrackingContext(nil, motion)
    var policy = HybridPolicy(HybridSettings(), hasCoarseSource: false)
    policy.started(at: .zero)
    let home = Self.location(east: 0, accuracy: 5)
    let isFirst = policy.gnssLocation(home, at: Self.at(315), in: .unknown)
    #expect(isFirst)
    #expect(policy.demand(at: Self.at(401), in: resting)?.mode == .on)
    policy.searchFailed(at: Self.at(405))
    #expect(policy.demand(at: Self.at(9000), in: resting)?.mode == .off(until: nil))
    for second in [9010.0, 9020] { motion.handle(.motion, at: Self.at(second)) }
    let moving = TrackingContext(nil, motion)
    #expect(policy.demand(at: Self.at(9020), in: moving)?.mode == .on)
  }

  @Test("a departure detected soon after the arrival is followed at once") func soon() {
    var motion = Self.rested()
    var policy = HybridPolicy(HybridSettings(), hasCoarseSource: false)
    policy.started(at: .zero)
    for second in [330.0, 395] {
      let here = Self.location(east: 800, accuracy: 5)
      let isSaved = policy.gnssLocation(here, at: Self.at(second), in: .unknown)
      #expect(isSaved)
    }
    for second in [420.0, 430] { motion.handle(.motion, at: Self.at(second)) }
    let moving = TrackingContext(nil, motion)
    #expect(policy.demand(at: Self.at(430), in: moving)?.mode == .off(until: Self.at(455)))
    #expect(policy.demand(at: Self.at(455), in: moving)?.mode == .on)
  }

  private static func answer(at seconds: Double) -> CoarseObservation {
    CoarseObservation(
      received: at(seconds), time: UTCInstant(seconds: 1_780_000_000) + Seconds(seconds),
      position: HybridPolicyTests.home, accuracy: 40, source: "wifi")
  }

  @Test("sources are queried only when needed, and once a minute at most") func asking() {
    var coarse = CoarseTracking(
      CoarseSettings(), sources: [CoarseSource("wifi", .onRequest)])
    func asks(_ seconds: Double, due: Double?) -> Bool {
      var step = TrackerStep(at: Self.at(seconds), clock: UTCClock(), counters: TrackerCounters())
      coarse.request(&step, answersDue: due.map(Self.at))
      return step.effects == [.scan(source: "wifi")]
    }
    #expect(!asks(10, due: nil) && coarse.nextAsking == nil)
    #expect(!asks(10, due: 50) && coarse.nextAsking == Self.at(50))
    #expect(asks(50, due: 50))
    #expect(coarse.nextAsking == Self.at(110), "whether it answers or not")
    var step = TrackerStep(at: Self.at(53), clock: UTCClock(), counters: TrackerCounters())
    #expect(coarse.hear(Self.answer(at: 53), from: "wifi", &step) != nil)
    #expect(!asks(54, due: 54) && coarse.nextAsking == Self.at(113))
    #expect(asks(113, due: 54) && coarse.isQueryPending)
    coarse.answered("wifi", at: Self.at(114))
    #expect(!coarse.isQueryPending && coarse.nextAsking == Self.at(174), "it knows no place")
    coarse.failed("wifi", at: Self.at(174))
    #expect(coarse.nextAsking == Self.at(474))
  }

  @Test("unsolicited reports count once in 300 s, and at once after 500 m") func unasked() {
    var coarse = CoarseTracking(
      CoarseSettings(),
      sources: [CoarseSource("wifi", .onRequest), CoarseSource("geoclue", .occasional)])
    func admits(_ seconds: Double, _ name: String, east: Double = 0) -> Bool {
      var answer = Self.answer(at: seconds)
      answer.position = Self.location(east: east, accuracy: 40).position
      return coarse.admits(answer, from: name, at: Self.at(seconds))
    }
    #expect(admits(0, "wifi"))
    #expect(!admits(60, "wifi") && !admits(299, "geoclue"), "it is one board")
    #expect(admits(300, "geoclue"))
    #expect(!admits(310, "wifi", east: 450))
    #expect(admits(320, "wifi", east: 550))
    var step = TrackerStep(at: Self.at(380), clock: UTCClock(), counters: TrackerCounters())
    coarse.request(&step, answersDue: Self.at(380))
    #expect(admits(383, "wifi", east: 550), "somebody waits for it")
    #expect(!admits(384, "wifi", east: 550))
  }

  @Test("a source of significant changes is used directly") func significantSource() {
    var coarse = CoarseTracking(CoarseSettings(), sources: [CoarseSource("virtual")])
    for second in 0..<5 {
      let answer = Self.answer(at: Double(second))
      let isAdmitted = coarse.admits(answer, from: "virtual", at: Self.at(Double(second)))
      #expect(isAdmitted)
    }
  }

  @Test("where GNSS has a location, an answer is learnt once, if answers are needed")
  func survey() {
    var coarse = CoarseTracking(
      CoarseSettings(), sources: [CoarseSource("wifi", .onRequest), CoarseSource("virtual")])
    func scans(
      _ seconds: Double, east: Double, accuracy: Metres = 5, speed: MetresPerSecond? = nil
    ) -> Bool {
      var step = TrackerStep(at: Self.at(seconds), clock: UTCClock(), counters: TrackerCounters())
      var gnss = Self.location(east: east, accuracy: accuracy)
      gnss.source = .gnss
      gnss.speed = speed
      coarse.located(by: gnss, &step)
      return step.effects == [.scan(source: "wifi")]
    }
    #expect(!scans(10, east: 0), "nobody wants answers")
    var step = TrackerStep(at: Self.at(11), clock: UTCClock(), counters: TrackerCounters())
    coarse.request(&step, answersDue: Self.at(1000))
    #expect(!scans(12, east: 0, accuracy: 60) && !scans(13, east: 0, speed: 14))
    #expect(scans(14, east: 0))
    #expect(!scans(15, east: 0) && !scans(600, east: 900), "a quarter of an hour between them")
    #expect(!scans(914, east: 60), "access points reach so far")
    #expect(scans(915, east: 900))
    #expect(!scans(6 * 3600 + 13, east: 0) && scans(6 * 3600 + 15, east: 0))
  }
}
