import Core
import Records
import Testing

@testable import Tracking

/// Which of its sources the motion estimator trusts, and how it handles the others.
@Suite struct EvidenceSourcesTests {
  private typealias Bench = MotionEstimatorTests.Bench

  private static func scan(_ names: ClosedRange<Int>, missing: Int? = nil) -> Evidence {
    .accessPoints(
      AccessPointScan(
        names.filter { $0 != missing }
          .map { AccessPointSignal(bssid: "02:00:00:00:00:\($0 + 10)", strength: -60) }))
  }

  private func standing(_ bench: Bench, _ name: String) -> SourceHealth? {
    bench.motion.sourceHealth.first { $0.name == name }
  }

  /// A bench whose motion sensor has detected a journey, at rest since 200 s.
  private func motionBench(_ others: String...) -> Bench {
    var bench = Bench(sources: ["motion"] + others)
    bench.locate(0, east: 0)
    bench.edges(100...200)
    bench.locate(200, east: 500, speed: 5)
    bench.wait(until: 300)
    return bench
  }

  @Test("a source that is repeatedly wrong is used less and less often") func falseAlarms() {
    var alarm = AlarmRecord()
    var heard = 0
    for second in stride(from: 0.0, to: 86_400, by: 10) {
      guard alarm.raise(at: MotionEstimatorTests.at(second)) else { continue }
      heard += 1
      alarm.stayed(at: MotionEstimatorTests.at(second))
    }
    #expect(heard < 60, "\(heard)")
    #expect(!alarm.isTrusted)
    let isHeardLater = alarm.raise(at: MotionEstimatorTests.at(200_000))
    #expect(isHeardLater)
    alarm.moved()
    #expect(!alarm.isTrusted)
    for second in stride(from: 200_001.0, to: 200_010, by: 1) {
      _ = alarm.raise(at: MotionEstimatorTests.at(second))
      alarm.moved()
    }
    #expect(alarm.isTrusted)
  }

  @Test("a sign of any source calls for an attempt, and its reliability survives a restart")
  func signs() {
    let at = MotionEstimatorTests.at
    var sources = EvidenceSources(["steps"])
    func meaning(_ source: String, _ second: Double) -> EvidenceSources.Meaning {
      sources.handle(.sign("steps"), from: source, isResting: true, at: at(second))
    }
    #expect(meaning("steps", 10) == .alarm)
    #expect(meaning("other", 11) == .nothing, "the board has no such source")
    sources.stayed(since: at(0), at: at(20))
    #expect(meaning("steps", 30) == .nothing, "it was wrong just now")
    var next = EvidenceSources(["steps"])
    next.restore(sources.snapshot)
    #expect(next.sourceHealth.map(\.contradictions) == [1])
    #expect(EvidenceSources(["geoclue"]).snapshot == .object([]))
  }

  @Test("lost trust is earned again, and a long record of right reports restores all of it")
  func rehabilitation() {
    var trust = SourceTrust(required: 1)
    trust.confirm()
    trust.contradict()
    trust.confirm()
    #expect(!trust.isTrusted)
    for _ in 0..<30 { trust.confirm() }
    #expect(trust.isTrusted)
    trust.contradict()
    for _ in 0..<3 { trust.confirm() }
    #expect(trust.isTrusted)
    #expect(trust.contradictions == 2)
  }

  @Test("a line that always chatters does not earn trust by journeys") func chatterStaysOut() {
    var bench = motionBench()
    var second = 310.0
    for journey in 1...6 {
      for _ in 0..<4 {
        for _ in 0..<60 {
          bench.hear(.motion, second)
          second += 10
        }
        bench.locate(second, east: 500 * Double(journey))
      }
      bench.locate(second + 1, east: 500 * Double(journey + 1), speed: 5)
    }
    #expect(!bench.motion.isMonitored)
    #expect(standing(bench, "motion")?.contradictions ?? 0 > 0)
  }

  @Test("a sensor that is silent for half a day is not relied on until its next report")
  func silentForLong() {
    var bench = motionBench()
    bench.wait(until: 43_000)
    #expect(bench.motion.isMonitored)
    bench.wait(until: 90_000)
    #expect(!bench.motion.isMonitored)
    bench.hear(.motion, 90_100)
    #expect(bench.motion.isMonitored)
  }

  @Test("repeated movement without displacement within an hour is not trusted")
  func falseStarts() {
    var bench = motionBench()
    for start in 0..<12 {
      let second = 400 + Double(start) * 240
      bench.edges(second...second + 10)
      bench.wait(until: second + 60)
      bench.locate(second + 70, east: 500)
    }
    #expect(!bench.motion.isMonitored)
  }

  @Test("a wrong location contradicts no sensor, and a coarse one moves nothing")
  func outliers() {
    var bench = motionBench()
    bench.locate(310, east: 500)
    bench.locate(2000, east: 620)
    #expect(standing(bench, "motion")?.contradictions == 0)
    bench.wait(until: 2100)
    let before = bench.motion.state
    var coarse = GroundTruth.location(2200, 9000, accuracy: 60)
    coarse.source = .coarse
    bench.motion.located(coarse, at: MotionEstimatorTests.at(2200))
    #expect(bench.motion.state == before)
    #expect(standing(bench, "motion")?.contradictions == 0)
  }

  @Test("an access point that has moved house is learnt at its new place") func movedHouse() {
    var bench = Bench("network")
    func stay(_ start: Double, east: Double) {
      bench.hear(.network("02:00:00:00:00:01"), start)
      for second in stride(from: start + 10, through: start + 600, by: 60) {
        bench.locate(second, east: east)
      }
    }
    stay(0, east: 0)
    #expect(!bench.motion.isMonitored, "that it is left with the place is not known yet")
    bench.hear(.network(nil), 700)
    bench.locate(900, east: 3000)
    stay(1000, east: 0)
    #expect(bench.motion.isMonitored)
    bench.hear(.network(nil), 1700)
    stay(3000, east: 5000)
    #expect(!bench.motion.isMonitored)
    #expect(standing(bench, "network")?.contradictions ?? 0 > 0)
    for day in 1...6 {
      bench.hear(.network(nil), Double(day) * 10_000)
      stay(Double(day) * 10_000 + 1000, east: 5000)
    }
    #expect(bench.motion.isMonitored)
  }

  @Test("a change of serving cell among the same few is no evidence, a new one is") func cells() {
    var bench = Bench("cell")
    bench.hear(.cell("a"), 0)
    for second in stride(from: 10.0, through: 250, by: 60) { bench.locate(second, east: 0) }
    #expect(bench.motion.isResting)
    bench.hear(.cell("b"), 300)
    #expect(bench.motion.lastTrigger == MotionEstimatorTests.at(300))
    bench.locate(305, east: 0)
    for second in stride(from: 1000.0, through: 9000, by: 500) {
      bench.hear(.cell(Int(second) % 1000 == 0 ? "a" : "b"), second)
    }
    #expect(bench.motion.lastTrigger == MotionEstimatorTests.at(300))
    bench.hear(.cell("c"), 9100)
    #expect(bench.motion.lastTrigger == MotionEstimatorTests.at(9100))
    #expect(standing(bench, "cell")?.contradictions == 1)
  }

  /// A bench at rest indoors, with a receiver that does not report its signals.
  private func roofedBench() -> Bench {
    var bench = Bench("wifi")
    bench.locate(0, east: 0, speed: 1)
    for second in stride(from: 30.0, through: 600, by: 90) {
      bench.motion.attemptFailed(nil, at: MotionEstimatorTests.at(second))
    }
    return bench
  }

  @Test("scans show that the board is still here, and that it is not") func scans() {
    var bench = roofedBench()
    #expect(bench.motion.isResting)
    var second = 1200.0
    for scan in 0..<4 {
      let asked = [0.0, 1].map { bench.motion.takeScan(at: MotionEstimatorTests.at(second + $0)) }
      #expect(asked == ["wifi", nil])
      bench.hear(Self.scan(1...6, missing: scan), second + 3)
      bench.motion.attemptFailed(nil, at: MotionEstimatorTests.at(second + 30))
      second += 1000
    }
    #expect(bench.motion.isScanned(at: MotionEstimatorTests.at(second)))
    #expect(
      bench.news.contains(
        .rested(until: MotionEstimatorTests.at(second - 997), isMonitored: false, delay: 60))
    )
    bench.hear(Self.scan(20...26), second)
    #expect(!bench.motion.isResting)
    #expect(bench.motion.lastTrigger == MotionEstimatorTests.at(second))
  }

  @Test("where the receiver reports its signals no scan is worth its energy") func noScans() {
    var bench = Bench("wifi")
    bench.locate(0, east: 0, speed: 1)
    for second in stride(from: 30.0, through: 600, by: 90) { bench.look(second) }
    #expect(bench.motion.isResting)
    let asked = bench.motion.takeScan(at: MotionEstimatorTests.at(5000))
    #expect(asked == nil)
  }

  @Test("unanswered scans are requested once an hour")
  func unanswered() {
    var bench = roofedBench()
    var asked = 0
    for second in stride(from: 4000.0, through: 4000 + 6 * 3600, by: 30) {
      if bench.motion.takeScan(at: MotionEstimatorTests.at(second)) != nil { asked += 1 }
    }
    #expect((1...8).contains(asked), "asked \(asked) times in six hours")
  }

  @Test("a failed network source corroborates nothing")
  func lostNetwork() {
    var watch = NetworkWatch()
    _ = watch.joined("home", isResting: false, at: MotionEstimatorTests.at(0))
    #expect(watch.joined != nil)
    watch.lost()
    #expect(watch.joined == nil)
  }

  @Test("mobile access points give no evidence on the next place") func travelling() {
    var watch = FingerprintWatch()
    _ = watch.scanReceived(Self.signals(1...4), at: MotionEstimatorTests.at(0))
    watch.displaced(by: 5000, at: MotionEstimatorTests.at(600))
    _ = watch.scanReceived(Self.signals(1...8), at: MotionEstimatorTests.at(1200))
    let verdicts = [1...4, 5...8].map {
      watch.scanReceived(Self.signals($0), at: MotionEstimatorTests.at(1500))
    }
    #expect(verdicts == [.unclear, .here])
  }

  private static func signals(_ names: ClosedRange<Int>) -> [AccessPointSignal] {
    guard case .accessPoints(let scan) = scan(names) else { return [] }
    return scan.signals
  }

  @Test("learnt data survives a restart, and a damaged state starts over") func restart() {
    var bench = motionBench("network", "cell", "wifi", "ignition")
    bench.hear(.network("02:00:00:00:00:01"), 320)
    for second in stride(from: 330.0, through: 900, by: 60) { bench.locate(second, east: 500) }
    let snapshot = bench.motion.snapshot
    func fresh() -> Bench { Bench("motion", "network", "cell", "wifi", "ignition") }
    var next = fresh()
    next.motion.restore(snapshot)
    #expect(next.motion.snapshot == snapshot)
    #expect(
      next.motion.sourceHealth.map(\.confirmations)
        == bench.motion.sourceHealth.map(\.confirmations))
    next.hear(.network("02:00:00:00:00:01"), 10)
    #expect(next.motion.isMonitored)
    next.locate(20, east: 502)
    #expect(next.motion.isResting)
    let damaged: [JSONValue] = [
      .null, .number(7), .object([("sources", .array([.null]))]),
      .object([("sources", .object([("motion", .object([("trust", .string("x"))]))]))]),
      .object([("rest", .object([("time", .string("soon"))]))]),
    ]
    for state in damaged {
      var bench = fresh()
      bench.motion.restore(state)
      #expect(bench.motion.sourceHealth.allSatisfy { $0.confirmations == 0 && !$0.isTrusted })
      bench.locate(20, east: 502)
      #expect(!bench.motion.isResting)
    }
  }

  @Test("a state of thousands of networks is kept bounded") func bounded() {
    let trust = JSONValue.object([
      ("confirmed", .number(3)), ("contradicted", .number(0)), ("required", .number(2)),
      ("in_a_row", .number(3)),
    ])
    let known = (0..<5000).map { number in
      JSONValue.object([
        ("name", .string("n\(number)")), ("latitude", .number(47)), ("longitude", .number(15)),
        ("trust", trust),
      ])
    }
    let network = JSONValue.object([("known", .array(known))])
    var bench = Bench("network")
    bench.motion.restore(.object([("sources", .object([("network", network)]))]))
    let kept = bench.motion.snapshot["sources"]?["network"]?["known"]?.array
    #expect(kept?.count == 64)
    #expect(kept?.last?["name"]?.string == "n4999")
  }
}
