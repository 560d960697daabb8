import Core
import Records
import Testing

@testable import Tracking

@Suite struct MotionEstimatorTests {
  static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// Driven by the test: locations east of a point, edges, fix attempts without a location.
  struct Bench {
    var motion: MotionEstimator
    var news: [MotionEvent] = []
    /// Whether the last location refuted the rest before it.
    var isRefuted = false

    init(_ sources: String...) { self.init(sources: sources) }

    init(sources: [String]) { motion = MotionEstimator(sources: sources, dwell: 300) }

    mutating func locate(_ second: Double, east: Double, speed: Double = 0) {
      var location = GroundTruth.location(second, east, accuracy: 5)
      location.speed = MetresPerSecond(speed)
      isRefuted = motion.isRefuted(by: location, at: MotionEstimatorTests.at(second))
      motion.located(location, at: MotionEstimatorTests.at(second))
      news += motion.takeEvents()
    }

    mutating func look(_ second: Double, _ sky: SignalQuality = .noSignal) {
      motion.attemptFailed(sky, at: MotionEstimatorTests.at(second))
      news += motion.takeEvents()
    }

    mutating func hear(_ evidence: Evidence, _ second: Double) {
      motion.handle(evidence, at: MotionEstimatorTests.at(second))
      news += motion.takeEvents()
    }

    /// Edges as a source gives them while the board moves.
    mutating func edges(_ seconds: ClosedRange<Double>) {
      for second in stride(from: seconds.lowerBound, through: seconds.upperBound, by: 10) {
        hear(.motion, second)
      }
    }

    mutating func wait(until second: Double) {
      motion.timePassed(at: MotionEstimatorTests.at(second))
      news += motion.takeEvents()
    }
  }

  @Test("a single edge is reported, but is no movement yet") func stirs() {
    var bench = Bench("motion")
    for second in stride(from: 0.0, through: 240, by: 60) { bench.locate(second, east: 3) }
    bench.hear(.motion, 300)
    #expect(bench.motion.lastMotionEdge == Self.at(300))
    #expect(bench.motion.state == .resting(since: Self.at(0)))
  }

  @Test("locations in one place for minutes are rest, one elsewhere is movement")
  func locations() {
    var bench = Bench()
    for second in stride(from: 0.0, through: 240, by: 60) { bench.locate(second, east: 3) }
    #expect(bench.motion.state == .resting(since: Self.at(0)))
    bench.locate(300, east: 400)
    #expect(bench.motion.state == .moving(since: Self.at(300)))
  }

  @Test("lasting loss of signal is rest, a tunnel is not")
  func darkness() {
    var bench = Bench()
    bench.locate(0, east: 0, speed: 5)
    bench.locate(60, east: 300, speed: 5)
    bench.look(90)
    bench.look(180)
    #expect(!bench.motion.isResting)
    bench.look(300)
    #expect(bench.motion.isResting)
    #expect(bench.news.contains(.rested(until: Self.at(300), isMonitored: false, delay: 60)))
  }

  @Test("a location farther away than reachable refutes the rest")
  func doubt() {
    var bench = Bench()
    bench.locate(0, east: 0, speed: 12)
    bench.locate(60, east: 700, speed: 12)
    for second in stride(from: 90.0, through: 900, by: 90) { bench.look(second) }
    #expect(bench.motion.isResting)
    bench.locate(960, east: 12_000, speed: 12)
    #expect(bench.isRefuted)
    #expect(!bench.motion.isResting)
  }

  @Test("a motion sensor is trusted once its edges have come with a change of place")
  func motionIsEarned() {
    var bench = Bench("motion")
    bench.locate(0, east: 0)
    #expect(!bench.motion.isMonitored)
    bench.edges(100...200)
    bench.locate(200, east: 500, speed: 5)
    #expect(bench.motion.isMonitored)
    bench.wait(until: 300)
    #expect(bench.motion.state == .resting(since: Self.at(200)))
  }

  @Test("a motion sensor without edges on a journey is not trusted any more")
  func brokenWire() {
    var bench = Bench("motion")
    bench.locate(0, east: 0)
    bench.edges(100...200)
    bench.locate(200, east: 500, speed: 5)
    bench.wait(until: 300)
    bench.locate(320, east: 500)
    bench.locate(2000, east: 5000)
    #expect(!bench.motion.isMonitored)
  }

  @Test("a line that chatters for hours at one place is not trusted any more")
  func chatter() {
    var bench = Bench("motion")
    bench.locate(0, east: 0)
    bench.edges(100...200)
    bench.locate(200, east: 500, speed: 5)
    bench.edges(210...4000)
    for second in stride(from: 300.0, through: 4000, by: 60) { bench.locate(second, east: 500) }
    #expect(!bench.motion.isMonitored)
  }

  @Test("a slow walk with edges all the way is no chatter")
  func slowWay() {
    var bench = Bench("motion")
    bench.locate(0, east: 0)
    bench.edges(100...4000)
    for second in stride(from: 200.0, through: 4000, by: 60) {
      bench.locate(second, east: second * 0.5, speed: 0.5)
    }
    bench.wait(until: 4100)
    #expect(bench.motion.isResting && bench.motion.isMonitored)
  }

  @Test("a sensor with repeated false starts is not trusted, with or without signal")
  func falseBeginnings() {
    for isDark in [false, true] {
      var bench = Bench("motion")
      bench.locate(0, east: 0)
      bench.edges(100...200)
      bench.locate(200, east: 500, speed: 5)
      bench.wait(until: 300)
      for second in stride(from: 1000.0, through: 4000, by: 120) {
        bench.edges(second...second + 10)
        if isDark { bench.look(second + 12) } else { bench.locate(second + 12, east: 500) }
        bench.wait(until: second + 50)
      }
      #expect(!bench.motion.isMonitored)
    }
  }

  @Test("a night without signal is no ride because of a location some way off in the morning")
  func longDarkRest() {
    func isDoubted(rest: Double, east: Double, after pause: Double = 240) -> Bool {
      var bench = Bench()
      for second in stride(from: 0.0, through: 60, by: 10) { bench.locate(second, east: 0) }
      for second in stride(from: 90.0, through: 90 + rest, by: 60) { bench.look(second) }
      bench.locate(90 + rest + pause, east: east, speed: 10)
      return bench.isRefuted
    }
    #expect(!isDoubted(rest: 30_000, east: 2800))
    #expect(isDoubted(rest: 600, east: 4000), "so long a ride in a tunnel is likelier")
    #expect(!isDoubted(rest: 600, east: 800))
    #expect(isDoubted(rest: 30_000, east: 1500, after: 30), "looked at all the time: an error")
    #expect(!isDoubted(rest: 3300, east: 400, after: 30), "into a hall at speed, and out again")
    #expect(isDoubted(rest: 600, east: 400, after: 30), "a train that crawls through a tunnel")
  }

  @Test("detected rests and departures are reported, located there or not")
  func placed() {
    func places(isLocated: Bool) -> [MotionEvent] {
      var bench = Bench("motion")
      bench.locate(0, east: 0)
      bench.edges(100...200)
      bench.locate(190, east: 500, speed: 5)
      bench.locate(200, east: 550, speed: 5)
      bench.wait(until: 240)
      if isLocated { bench.locate(240, east: 560) }
      bench.wait(until: 3000)
      bench.edges(3000...3100)
      bench.locate(3060, east: 1200, speed: 10)
      bench.locate(3080, east: 1400, speed: 10)
      return bench.news.filter { if case .placed = $0 { true } else { false } }
    }
    let seen = places(isLocated: true)
    #expect(seen.count == 2)
    guard seen.count == 2, case .placed(let came, let arrival) = seen[0],
      case .placed(let went, let departure) = seen[1]
    else { return }
    #expect(arrival == Self.at(200) && departure == Self.at(3000))
    #expect(came.position == went.position)
    let unseen = places(isLocated: false)
    guard unseen.count == 1, case .placed(let place, let left) = unseen[0] else {
      Issue.record("\(unseen)")
      return
    }
    #expect(left == Self.at(3000))
    #expect(place.accuracy >= 30, "it may have gone on since it was located")
  }

  @Test("a lone edge at rest changes nothing, two do")
  func falseEdge() {
    var bench = Bench("motion")
    bench.locate(0, east: 0)
    bench.edges(100...200)
    bench.locate(200, east: 500, speed: 5)
    bench.wait(until: 300)
    bench.hear(.motion, 1000)
    #expect(bench.motion.isResting)
    bench.edges(2000...2020)
    #expect(bench.motion.state == .moving(since: Self.at(2000)))
    #expect(
      bench.news.contains(
        .rested(until: Self.at(2000), isMonitored: true, delay: MotionWatch.delay)))
  }

  @Test("an unproven sensor may cause attempts, but not for ever")
  func unproven() {
    var bench = Bench("motion")
    for second in stride(from: 0.0, through: 240, by: 60) { bench.locate(second, east: 0) }
    var looks = 0
    for hour in 1...40 {
      let before = bench.motion.lastTrigger
      bench.edges(Double(hour) * 3600...Double(hour) * 3600 + 30)
      #expect(bench.motion.isResting)
      if bench.motion.lastTrigger != before { looks += 1 }
    }
    #expect(looks == 20)
  }

  @Test("the ignition adds nothing to a motion sensor")
  func ignition() {
    var blind = Bench("ignition")
    blind.locate(0, east: 0)
    blind.hear(.ignition(isOn: true), 1000)
    #expect(blind.motion.lastTrigger == Self.at(1000))
    var bench = Bench("motion", "ignition")
    bench.locate(0, east: 0)
    bench.edges(100...200)
    bench.locate(200, east: 500, speed: 5)
    bench.wait(until: 300)
    bench.hear(.ignition(isOn: true), 1000)
    #expect(bench.motion.lastTrigger != Self.at(1000))
  }

  @Test("leaving a stationary network calls for an attempt, leaving a bus's does not")
  func network() {
    var bench = Bench("network")
    bench.hear(.network("02:00:00:00:00:01"), 0)
    for second in stride(from: 10.0, through: 610, by: 60) { bench.locate(second, east: 2) }
    bench.hear(.network(nil), 700)
    #expect(bench.motion.lastTrigger != Self.at(700), "it may be the vehicle's own")
    bench.locate(800, east: 2000)
    bench.hear(.network("02:00:00:00:00:01"), 1000)
    for second in stride(from: 1010.0, through: 1610, by: 60) { bench.locate(second, east: 2) }
    #expect(bench.motion.isMonitored)
    bench.hear(.network(nil), 1700)
    #expect(bench.motion.lastTrigger == Self.at(1700))

    var bus = Bench("network")
    bus.hear(.network("02:00:00:00:00:02"), 0)
    for second in stride(from: 10.0, through: 610, by: 60) {
      bus.locate(second, east: second * 8, speed: 8)
    }
    #expect(!bus.motion.isMonitored)
  }

  @Test("no order of reports traps or counts backwards")
  func anyOrder() {
    for seed in UInt64(0)..<200 {
      var dice = Dice(seed: seed)
      var bench = Bench("motion", "network")
      var second = 0.0
      for _ in 0..<300 {
        second += dice.uniform * 400
        switch Int(dice.uniform * 6) {
        case 0: bench.locate(second, east: dice.uniform * 3000)
        case 1: bench.look(second, dice.uniform < 0.5 ? .noSignal : .weak)
        case 2: bench.hear(.motion, second)
        case 3: bench.hear(.network(dice.uniform < 0.5 ? nil : "a"), second)
        case 4: bench.hear(.ignition(isOn: dice.uniform < 0.5), second)
        default: bench.wait(until: second)
        }
        if case .resting(let since) = bench.motion.state { #expect(since <= Self.at(second)) }
      }
      for case .rested(let until, _, _) in bench.news { #expect(until <= Self.at(second)) }
    }
  }
}
