import Records
import Core
import GNSS
import Testing
import Tracking

/// A tracker with a clock and a simple receiver around it, for tests: while it is powered, one fix
/// a second after `timeToFirstFix`, at wherever `position` says.
final class TrackerBench {
  static let epoch = UTCInstant(seconds: 1_770_000_000)
  var tracker: Tracker
  var now = BootInstant.zero
  var effects: [(at: BootInstant, effect: Effect)] = []
  var isOn = false
  var onSince = BootInstant.zero
  var onTime = Seconds.zero
  var wake: BootInstant?
  private let canCut: Bool
  /// The state that the power sequencer will report, because it was requested.
  private var asked: ReceiverPowerState?

  init(_ settings: TrackerSettings = TrackerSettings()) {
    tracker = Tracker(settings: settings)
    canCut = settings.power.canCut
  }

  func utc(_ instant: BootInstant) -> UTCInstant { Self.epoch + (instant - .zero) }

  func send(_ event: Event) {
    for effect in tracker.step(event, at: now) {
      effects.append((now, effect))
      switch effect {
      case .power(let state, _): powered(state)
      case .wake(let instant): wake = instant
      default: break
      }
    }
    guard let told = asked else { return }
    asked = nil
    send(.receiver(told))
  }

  /// A line could not be set, or a command not be sent: the last request was not carried out.
  func refuse() {
    send(.receiver(.on))
    send(.receiver(.unknown))
  }

  private func powered(_ state: PowerState) {
    if isOn { onTime += now - onSince }
    isOn = state == .on
    onSince = now
    asked =
      switch state {
      case .on: .on
      case .sleep: .fallingAsleep
      case .off: canCut ? .off : .ignored
      }
  }

  static func position(metresEast: Double, north: Double = 0) -> Coordinate {
    LocalPlane(origin: Coordinate(latitude: 52, longitude: 5))
      .coordinate(.init(east: Metres(metresEast), north: Metres(north)))
  }

  func fix(at position: Coordinate?, error: Metres = 4) -> Fix {
    var fix = Fix(received: now)
    fix.time = utc(now)
    fix.mode = position == nil ? .none : .threeD
    fix.position = position
    fix.horizontalError = error
    fix.speed = nil
    fix.satellitesUsed = 9
    fix.satellitesInView = position == nil ? 0 : 12
    return fix
  }

  /// Lets time pass until `end`, second by second while GNSS is on, jumping while it is off.
  func run(until end: Seconds, timeToFirstFix: Seconds = 3, position: (Seconds) -> Coordinate?) {
    let end = BootInstant.zero + end
    while now < end {
      if isOn {
        now = now + 1
        let here = now - onSince >= timeToFirstFix ? position(now - .zero) : nil
        send(.fix(fix(at: here)))
        if let wake, wake <= now { send(.woke) }
      } else {
        now = min(wake ?? end, end)
        if now < end { send(.woke) }
      }
    }
  }

  func records() -> [Record] {
    effects.compactMap { if case .store(let record) = $0.effect { record } else { nil } }
  }

  func sessions() -> [GnssSession] {
    var byID: [Int64: GnssSession] = [:]
    for case .session(let session) in records() { byID[session.id] = session }
    return byID.values.sorted { $0.id < $1.id }
  }
}

@Suite struct TrackerTests {
  @Test("on a day at one place GNSS is on for less than half an hour")
  func aStationaryHybridDayIsMostlyOff() {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.run(until: .days(1)) { _ in TrackerBench.position(metresEast: 0) }
    #expect(bench.onTime < .minutes(30), "on for \(bench.onTime)")
    #expect(bench.sessions().count > 100)
    #expect(bench.tracker.openVisit != nil)
  }

  @Test("a day without signal costs about an hour of searching, with retries")
  func aHopelessSkyIsBackedOffFrom() {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.run(until: .days(1)) { _ in nil }
    #expect(bench.sessions().dropLast().allSatisfy { $0.outcome == .noFix })
    #expect(bench.onTime < .hours(1.1), "on for \(bench.onTime)")
    #expect(bench.sessions().count >= 40, "the cap on the back-off keeps it trying")
  }

  /// A cell a kilometre wide, received shortly after GNSS located the board to some metres, bends
  /// the trajectory and adds nothing, unless the board must have left.
  @Test(
    "a coarse location enters the track only where it adds something",
    arguments: [
      (after: Seconds(30), metresEast: 600.0, points: 0),
      (after: Seconds(30), metresEast: 1500.0, points: 1),
      (after: Seconds(400), metresEast: 600.0, points: 1),
    ])
  func aCoarseLocationMustAddSomething(after: Seconds, metresEast: Double, points: Int) {
    var settings = TrackerSettings()
    settings.coarseSources = [CoarseSource("wifi")]
    let bench = TrackerBench(settings)
    bench.send(.started(clock: nil))
    while !bench.isOn || bench.tracker.counters.fixesAccepted == 0 {
      bench.run(until: bench.now - .zero + 1) { _ in TrackerBench.position(metresEast: 0) }
    }
    while bench.isOn {
      bench.run(until: bench.now - .zero + 1) { _ in TrackerBench.position(metresEast: 0) }
    }
    bench.now = bench.now + after
    bench.send(
      .coarse(
        CoarseObservation(
          received: bench.now, time: bench.utc(bench.now),
          position: TrackerBench.position(metresEast: metresEast), accuracy: 900, source: "cell"),
        from: "wifi"))
    let coarse = bench.records().count {
      if case .trackPoint(let point) = $0 { point.reason == .coarse } else { false }
    }
    #expect(coarse == points)
    #expect(bench.tracker.counters.coarseAccepted == 1, "the visits hear of it all the same")
  }

  @Test("after a cold start it stays on long enough for the ephemeris") func ephemerisIsGathered() {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.run(until: .minutes(2), timeToFirstFix: 40) { _ in TrackerBench.position(metresEast: 0) }
    #expect(bench.onTime >= 70)
    #expect(bench.onTime < 80)
  }

  @Test("why fixes were rejected is stored once a session")
  func whyFixesWereRejectedIsStoredOnceASession() {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    for error in [900.0, 5000, 3000, 4] {
      bench.now = bench.now + 1
      bench.send(.fix(bench.fix(at: TrackerBench.position(metresEast: 0), error: Metres(error))))
    }
    let reasons = bench.records().compactMap { record -> String? in
      guard case .event(let logEvent, _) = record, logEvent.kind == "fixes-rejected" else {
        return nil
      }
      return logEvent.reason
    }
    #expect(reasons == ["large-error 2, settling 1"])
  }

  @Test("commands override the policy until it is re-enabled")
  func commandsOverruleThePolicy() {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.send(.command(.gnss(.off)))
    #expect(!bench.isOn)
    bench.run(until: .hours(2)) { _ in TrackerBench.position(metresEast: 0) }
    #expect(bench.sessions().count == 1)
    bench.send(.command(.gnss(.on)))
    bench.run(until: .hours(2.5)) { _ in nil }
    #expect(bench.isOn, "a command is not given up on")
    bench.send(.command(.gnss(.auto)))
    bench.run(until: .hours(3)) { _ in TrackerBench.position(metresEast: 0) }
    #expect(!bench.isOn)
  }

  @Test("stopping switches off and closes the session")
  func stoppingSwitchesOffAndClosesTheSession() {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    #expect(bench.isOn)
    bench.send(.stopping)
    #expect(!bench.isOn)
    #expect(bench.sessions().map(\.outcome) == [.stopped])
    #expect(bench.tracker.nextWake == nil)
  }

  @Test("a failing switch is not retried rapidly") func aFailedSwitchIsNotHammered() {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    var attempts = 0
    for _ in 0..<200 where bench.now < .zero + .hours(2) {
      if bench.isOn {
        attempts += 1
        bench.send(.powerFailed(reason: "line busy"))
      }
      #expect(!bench.isOn)
      bench.now = bench.tracker.nextWake ?? bench.now + .hours(3)
      bench.send(.woke)
    }
    #expect((3...12).contains(attempts), "\(attempts) attempts in two hours")
    #expect(bench.sessions().allSatisfy { $0.outcome == .failed || $0.outcome == .open })
  }

  /// The switch switches off, but never on: a command does not cause rapid retries, either.
  @Test("a command is tried at once, and a failed one not retried rapidly")
  func aSwitchThatOnlyFailsToSwitchOnIsNotHammered() {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.send(.powerFailed(reason: "line busy"))
    bench.send(.powerReached)
    bench.send(.command(.gnss(.on)))
    #expect(bench.isOn, "a command is tried at once")
    bench.send(.powerFailed(reason: "line busy"))
    bench.send(.powerReached)
    #expect(!bench.isOn)
    #expect(bench.tracker.nextWake == bench.now + 20)
  }

  @Test("a receiver that cannot be switched off counts as powered and is tried again")
  func whatCannotBeSwitchedOffIsTriedAgain() throws {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.send(.command(.gnss(.off)))
    var pauses: [Seconds] = []
    for _ in 0..<3 {
      bench.refuse()
      bench.send(.powerFailed(reason: "line busy"))
      #expect(bench.tracker.activity.positioningState == .acquiring, "it is still powered")
      let before = bench.effects.count
      pauses.append(try #require(bench.tracker.nextWake) - bench.now)
      bench.now = try #require(bench.tracker.nextWake)
      bench.send(.woke)
      #expect(bench.effects[before...].contains { $0.effect.powerState == .off })
    }
    #expect(pauses == [10, 20, 40])
    bench.send(.powerReached)
    #expect(bench.tracker.activity.positioningState == .off)
    #expect(bench.tracker.nextWake == nil)
  }

  /// After a cold start the receiver stays on until the next location is due, and then a tunnel
  /// comes.
  @Test("a lost fix is not waited for for ever")
  func aFixThatIsLostIsNotWaitedForForEver() {
    var settings = TrackerSettings()
    settings.policy = .periodic(PeriodicSettings(interval: 20))
    let bench = TrackerBench(settings)
    bench.send(.started(clock: nil))
    bench.run(until: .hours(3), timeToFirstFix: 40) {
      $0 < 55 ? TrackerBench.position(metresEast: 0) : nil
    }
    #expect(bench.onTime < .minutes(30), "on for \(bench.onTime)")
    #expect(bench.tracker.counters.searchesFailed > 3)
  }

  @Test("an interrupted session keeps its data")
  func anInterruptedSessionKeepsWhatWasKnownOfIt() throws {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.send(.command(.gnss(.on)))
    bench.run(until: 20) { _ in TrackerBench.position(metresEast: 0) }
    let again = TrackerBench()
    let restored = again.tracker.restore(
      bench.tracker.snapshot(at: bench.now).text, at: again.now)
    let closed = restored.first { if case .store(.session) = $0 { true } else { false } }
    guard case .store(.session(let session))? = closed else {
      Issue.record("the running session must be closed: \(restored)")
      return
    }
    #expect(session.timeToFirstFix == 3)
    #expect(session.fixesAccepted == bench.tracker.counters.fixesAccepted)
    #expect(session.fixesAccepted > 0)
  }

  @Test("a snapshot carries known access points over to new settings")
  func knownAccessPointsGoOverToNewSettings() {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.run(until: .minutes(10)) { _ in TrackerBench.position(metresEast: 0) }
    func isKnown(_ tracker: Tracker) -> Bool {
      var tracker = tracker
      let far = CoarseObservation(
        received: bench.now, time: bench.utc(bench.now),
        position: TrackerBench.position(metresEast: 5000), accuracy: 50, accessPoint: "ap",
        source: "wifi"
      )
      _ = tracker.step(.coarse(far, from: "wifi"), at: bench.now)
      return tracker.counters.coarseDiscarded > 0
    }
    #expect(!isKnown(bench.tracker))
    let near = CoarseObservation(
      received: bench.now, time: bench.utc(bench.now),
      position: TrackerBench.position(metresEast: 5),
      accuracy: 50, accessPoint: "ap", source: "wifi")
    bench.send(.coarse(near, from: "wifi"))
    bench.send(.command(.gnss(.on)))
    bench.run(until: .minutes(12)) { _ in TrackerBench.position(metresEast: 0) }
    #expect(isKnown(bench.tracker))
    // They are kept with everything else that was learnt, as across a restart.
    var again = bench.tracker.reconfigured(TrackerSettings())
    #expect(!isKnown(again))
    _ = again.restore(bench.tracker.snapshot(at: bench.now).text, at: bench.now)
    #expect(isKnown(again))
  }

  @Test("a restart continues the visit and closes the running session")
  func aRestartGoesOnWithVisitPredictionAndSession() throws {
    let bench = TrackerBench()
    bench.send(.started(clock: nil))
    bench.run(until: .hours(1)) { _ in TrackerBench.position(metresEast: 0) }
    let visit = try #require(bench.tracker.openVisit)
    while !bench.isOn {
      bench.now = try #require(bench.wake)
      bench.send(.woke)
    }
    let saved = bench.tracker.snapshot(at: bench.now).text

    let again = TrackerBench()
    again.now = bench.now + 60
    let restored = again.tracker.restore(saved, at: again.now)
    guard case .store(.session(let session))? = restored.first else {
      Issue.record("the running session must be closed honestly: \(restored)")
      return
    }
    #expect(session.outcome == .interrupted)
    #expect(session.id == bench.sessions().last?.id)
    again.send(.started(clock: nil))
    again.run(until: .hours(2)) { _ in TrackerBench.position(metresEast: 3) }
    #expect(again.tracker.openVisit?.id == visit.id)
    #expect(again.tracker.openVisit?.arrival.earliest == visit.arrival.earliest)
    #expect(again.sessions().allSatisfy { $0.id > session.id })
  }

  @Test(
    "an invalid state does no harm",
    arguments: ["", "{}", "null", "{\"version\":99}", "{\"version\":1,\"acquisition\":7}"])
  func aSenselessStateIsSurvived(text: String) {
    let bench = TrackerBench()
    _ = bench.tracker.restore(text, at: bench.now)
    bench.send(.started(clock: nil))
    bench.run(until: .hours(1)) { _ in TrackerBench.position(metresEast: 0) }
    #expect(bench.tracker.counters.fixesAccepted > 0)
  }
}
