import Records
import Core
import GNSS
import Testing
import Tracking

/// Restarts commanded by a user: when they happen, and how they are evaluated.
@Suite struct OrderedStartTests {
  /// A receiver that is kept on, and has had a fix for two minutes.
  static func tracking() -> TrackerBench {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.send(.command(.gnss(.on)))
    bench.run(until: 120) { _ in TrackerIdleTests.home }
    return bench
  }

  /// One epoch after this pause.
  private func epoch(_ bench: TrackerBench, after pause: Seconds = 1, hasFix: Bool) {
    bench.now = bench.now + pause
    bench.send(.fix(bench.fix(at: hasFix ? TrackerIdleTests.home : nil)))
  }

  private func failures(_ bench: TrackerBench) -> [String] {
    bench.effects.compactMap {
      if case .log(let event) = $0.effect, event.kind == "restart-failed" {
        event.reason
      } else {
        nil
      }
    }
  }

  @Test(
    "a commanded start ends the session and begins one that counts from the command",
    arguments: RestartKind.allCases)
  func session(kind: RestartKind) throws {
    let bench = Self.tracking()
    let told = bench.effects.count
    bench.send(.command(.restart(kind)))
    let effects = bench.effects[told...].map(\.effect)
    #expect(effects.contains(.restart(kind)))
    #expect(effects.allSatisfy { $0.powerState == nil }, "its supply stays on")
    #expect(bench.tracker.activity.positioningState == .acquiring)
    for _ in 0..<20 { epoch(bench, hasFix: false) }
    epoch(bench, hasFix: true)
    bench.now = bench.now + 40
    bench.send(.command(.gnss(.off)))
    let sessions = bench.sessions()
    #expect(sessions.map(\.restart?.rawValue) == [nil, kind.rawValue])
    #expect(sessions.map(\.outcome) == [.stopped, .stopped])
    #expect(sessions[0].timeToFirstFix == 3 && sessions[1].timeToFirstFix == 21)
    #expect(sessions[1].on == sessions[0].off && sessions[1].duration == 61)
    #expect(failures(bench).isEmpty)
  }

  /// The reported result in each state of the receiver, and whether a command is sent.
  @Test("no restart is commanded while the receiver is not needed")
  func refused() {
    func told(_ bench: TrackerBench) -> Bool {
      let objection = bench.tracker.objectionToRestart(at: bench.now)
      bench.send(.command(.restart(.warm)))
      let isTold = bench.effects.contains { $0.effect == .restart(.warm) }
      #expect(isTold == (objection == nil))
      return isTold
    }
    #expect(!told(TrackerBench()), "not started")
    let off = Self.tracking()
    off.send(.command(.gnss(.off)))
    #expect(!told(off))
    #expect(off.tracker.objectionToRestart(at: off.now)?.contains("off by command") == true)
    let searching = TrackerBench()
    searching.send(.started(clock: nil))
    #expect(told(searching), "wanted by the policy")
    let scheduled = TrackerIdleTests.bench(PowerCapabilities())
    scheduled.run(until: 600) { _ in TrackerIdleTests.home }
    while scheduled.isOn {
      scheduled.run(until: scheduled.now - .zero + 1) { _ in TrackerIdleTests.home }
    }
    #expect(!told(scheduled), "off by schedule")
    var settings = TrackerSettings()
    settings.hasReceiver = false
    let none = TrackerBench(settings)
    none.send(.started(clock: nil))
    none.send(.command(.gnss(.on)))
    #expect(!told(none))
    let ending = Self.tracking()
    ending.send(.stopping)
    #expect(!told(ending))
    #expect(told(Self.tracking()))
  }

  @Test("a fix computed before the command is no fix of the new search") func onTheWay() {
    let bench = Self.tracking()
    let late = bench.tracker.counters.fixesLate
    bench.send(.command(.restart(.cold)))
    epoch(bench, after: 0.4, hasFix: true)
    epoch(bench, hasFix: true)
    #expect(bench.tracker.counters.fixesLate == late + 2)
    #expect(bench.tracker.activity.positioningState == .acquiring)
    epoch(bench, hasFix: false)
    epoch(bench, after: 27, hasFix: true)
    #expect(bench.sessions().last?.restart == .cold && failures(bench).isEmpty)
    bench.send(.command(.gnss(.off)))
    let time: Seconds = bench.sessions().last?.timeToFirstFix ?? 0
    #expect((time - 29.4).magnitude < 1e-6)
  }

  @Test("after an epoch without a fix the next one counts at once") func promptHotStart() {
    let bench = Self.tracking()
    bench.send(.command(.restart(.hot)))
    epoch(bench, after: 0.2, hasFix: false)
    epoch(bench, hasFix: true)
    bench.send(.command(.gnss(.off)))
    #expect(bench.sessions().last?.timeToFirstFix == 1.2)
  }

  @Test(
    "a receiver with continuous fixes has not started cold or warm",
    arguments: RestartKind.allCases)
  func disobedient(kind: RestartKind) {
    let bench = Self.tracking()
    bench.send(.command(.restart(kind)))
    for _ in 0..<5 { epoch(bench, hasFix: true) }
    bench.send(.command(.gnss(.off)))
    let session = bench.sessions().last
    if kind == .hot {
      #expect(session?.restart == .hot && session?.timeToFirstFix == 2, "the first that counts")
      #expect(failures(bench).isEmpty)
    } else {
      #expect(session?.restart == nil && session?.timeToFirstFix == nil)
      #expect(session?.fixesAccepted == 4 && failures(bench).count == 1)
    }
  }

  @Test(
    "a refusal reverts the stored start, unless the receiver's data contradicts it",
    arguments: [false, true])
  func refusal(hasShown: Bool) {
    let bench = Self.tracking()
    bench.send(.command(.restart(.hot)))
    if hasShown { epoch(bench, hasFix: false) }
    epoch(bench, after: 2, hasFix: true)
    bench.send(.restartFailed(reason: "PAIR001 unsupported"))
    epoch(bench, hasFix: true)
    bench.send(.command(.gnss(.off)))
    let session = bench.sessions().last
    #expect(session?.restart == (hasShown ? .hot : nil))
    #expect(session?.timeToFirstFix == (hasShown ? 3 : nil))
    #expect(failures(bench) == (hasShown ? [] : ["PAIR001 unsupported"]))
  }

  @Test("a refusal without a command changes nothing") func stray() {
    let bench = Self.tracking()
    let before = bench.tracker.snapshot(at: bench.now)
    bench.send(.restartFailed(reason: "x"))
    #expect(bench.tracker.snapshot(at: bench.now) == before && failures(bench).isEmpty)
  }

  @Test("an interrupted session keeps the command") func interrupted() {
    let bench = Self.tracking()
    bench.send(.command(.restart(.warm)))
    let next = TrackerBench()
    let effects = next.tracker.restore(bench.tracker.snapshot(at: bench.now).text, at: next.now)
    let sessions = effects.compactMap {
      if case .store(.session(let session)) = $0 { session } else { nil }
    }
    #expect(sessions.map(\.restart) == [.warm] && sessions.first?.outcome == .interrupted)
  }

  // MARK: What is known of the receiver

  private static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// Started cold in 26 s, and has had a fix since.
  private static func acquisition() -> Acquisition {
    var acquisition = AcquisitionTests.fresh()
    acquisition.switchedOn(at: at(0))
    _ = acquisition.fixAccepted(at: at(26))
    return acquisition
  }

  @Test("commanded starts teach nothing on others", arguments: RestartKind.allCases)
  func learning(kind: RestartKind) {
    var acquisition = Self.acquisition()
    let before = acquisition.prediction
    for start in [100.0, 200, 300] {
      acquisition.restarted(kind, at: Self.at(start))
      #expect(acquisition.fixAccepted(at: Self.at(start + 60)) == 60)
    }
    acquisition.restarted(kind, at: Self.at(400))
    _ = acquisition.gaveUp(at: Self.at(600))
    #expect(acquisition.prediction == before)
    acquisition.switchedOff(at: Self.at(601))
    acquisition.switchedOn(at: Self.at(700))
    _ = acquisition.fixAccepted(at: Self.at(705))
    #expect(acquisition.prediction != before, "one that nobody ordered does")
  }

  @Test(
    "after a cold or warm command the next start is as long as one after a long pause",
    arguments: RestartKind.allCases)
  func knowledge(kind: RestartKind) {
    var acquisition = Self.acquisition()
    func forecast() -> Seconds {
      acquisition.forecast(pause: 60, hasBackup: true, at: Self.at(120)).afterSleep
    }
    let hot = forecast()
    acquisition.restarted(kind, at: Self.at(100))
    let long = acquisition.prediction.predicted(afterPause: nil)
    #expect(forecast() == (kind == .hot ? hot : long))
    // The time limit, too: three times the expected duration of such a start.
    let limit: Seconds = kind == .hot ? 45 : long * 3
    #expect(acquisition.deadline == Self.at(100) + limit)
    // It is cut before it has a fix.
    acquisition.switchedOff(at: Self.at(110))
    #expect(forecast() == (kind == .hot ? hot : long))
    acquisition.switchedOn(at: Self.at(111))
    _ = acquisition.fixAccepted(at: Self.at(115))
    #expect(forecast() < long, "by now it knows again")
  }
}
