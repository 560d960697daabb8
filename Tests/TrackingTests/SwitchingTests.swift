import Records
import Core
import GNSS
import TestSupport
import Testing
import Tracking

/// Every state of the switch with every possible event.
@Suite struct SwitchingTests {
  enum Situation: String, CaseIterable {
    case wanted, leftOn, off, asleep, asleepWithoutCut, restless, unswitchable, offFailed

    var bench: TrackerBench {
      switch self {
      case .wanted: return TrackerIdleTests.bench(PowerCapabilities(canSleep: true))
      case .leftOn:
        let bench = TrackerIdleTests.slow(interval: 20, PowerCapabilities(canSleep: true))
        bench.run(until: 27, timeToFirstFix: 25) { _ in TrackerIdleTests.home }
        return bench
      case .off: return rested(PowerCapabilities())
      case .asleep: return rested(PowerCapabilities(canSleep: true))
      case .asleepWithoutCut: return rested(PowerCapabilities(canSleep: true, canCut: false))
      case .restless:
        let bench = rested(PowerCapabilities(canSleep: true, canCut: false))
        bench.refuse()
        bench.send(.powerFailed(reason: "it went on talking"))
        return bench
      case .unswitchable: return rested(PowerCapabilities(canCut: false))
      case .offFailed:
        let bench = rested(PowerCapabilities())
        bench.refuse()
        bench.send(.powerFailed(reason: "line busy"))
        return bench
      }
    }

    /// The power sequencer's state before that event.
    func tell(_ event: Event, _ bench: TrackerBench) {
      switch (event, self) {
      case (.powerFailed, _): bench.refuse()
      case (.powerReached, .restless): bench.send(.receiver(.asleep))
      case (.powerReached, .offFailed): bench.send(.receiver(.off))
      case (.sleepUnavailable, .asleepWithoutCut), (.sleepUnavailable, .restless):
        bench.send(.receiver(.ignored))
      default: break
      }
    }

    private func rested(_ power: PowerCapabilities) -> TrackerBench {
      let bench = TrackerIdleTests.bench(power)
      bench.run(until: 5) { _ in TrackerIdleTests.home }
      return bench
    }
  }

  static func events(_ bench: TrackerBench) -> [(name: String, event: Event)] {
    [
      ("woke", .woke), ("finished", .powerReached),
      ("failed", .powerFailed(reason: "x")), ("sleepless", .sleepUnavailable(reason: "x")),
      ("measured", .measured(.ubloxM8)), ("on", .command(.gnss(.on))),
      ("off", .command(.gnss(.off))), ("auto", .command(.gnss(.auto))),
      ("fix", .fix(bench.fix(at: TrackerIdleTests.home))), ("epoch", .fix(bench.fix(at: nil))),
      ("stopping", .stopping),
    ]
  }

  /// The requested power state, then the GNSS state and the idle mode.
  static func row(_ situation: Situation, _ index: Int) -> String {
    let bench = situation.bench
    let (name, event) = events(bench)[index]
    situation.tell(event, bench)
    let before = bench.effects.count
    bench.send(event)
    let asked = bench.effects[before...].compactMap {
      $0.effect.powerState?.rawValue
    }
    let idle = bench.tracker.lowPowerPlan?.choice.rawValue ?? "-"
    return "\(situation.rawValue) \(name): \(asked.joined(separator: " ")) > "
      + "\(bench.tracker.activity.energyState.rawValue) \(idle)"
  }

  @Test("every event in every situation has the effect in the table", arguments: Situation.allCases)
  func everyEventDoesWhatTheTableSays(situation: Situation) {
    let rows = Self.events(situation.bench).indices.map { Self.row(situation, $0) }
    let expected = Self.table.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(situation.rawValue + " ") }
    #expect(rows == expected)
  }

  static let table = """
    wanted woke:  > acquiring -
    wanted finished:  > acquiring -
    wanted failed: off > off cut
    wanted sleepless:  > acquiring -
    wanted measured:  > acquiring -
    wanted on:  > acquiring -
    wanted off: sleep > sleeping sleep
    wanted auto:  > acquiring -
    wanted fix: sleep > sleeping sleep
    wanted epoch:  > acquiring -
    wanted stopping: sleep > sleeping sleep
    leftOn woke:  > tracking leaveOn
    leftOn finished:  > tracking leaveOn
    leftOn failed: off > off cut
    leftOn sleepless:  > tracking leaveOn
    leftOn measured:  > tracking leaveOn
    leftOn on:  > tracking -
    leftOn off: sleep > sleeping sleep
    leftOn auto:  > tracking leaveOn
    leftOn fix:  > tracking leaveOn
    leftOn epoch:  > acquiring leaveOn
    leftOn stopping: sleep > sleeping sleep
    off woke:  > off cut
    off finished:  > off cut
    off failed:  > acquiring cut
    off sleepless:  > off cut
    off measured:  > off cut
    off on: on > acquiring -
    off off:  > off cut
    off auto:  > off cut
    off fix:  > off cut
    off epoch:  > off cut
    off stopping:  > off cut
    asleep woke:  > sleeping sleep
    asleep finished:  > sleeping sleep
    asleep failed: off > off cut
    asleep sleepless: off > off cut
    asleep measured:  > sleeping sleep
    asleep on: on > acquiring -
    asleep off:  > sleeping sleep
    asleep auto:  > sleeping sleep
    asleep fix:  > sleeping sleep
    asleep epoch:  > sleeping sleep
    asleep stopping:  > sleeping sleep
    asleepWithoutCut woke:  > sleeping sleep
    asleepWithoutCut finished:  > sleeping sleep
    asleepWithoutCut failed:  > acquiring sleep
    asleepWithoutCut sleepless: on > acquiring -
    asleepWithoutCut measured:  > sleeping sleep
    asleepWithoutCut on: on > acquiring -
    asleepWithoutCut off:  > sleeping sleep
    asleepWithoutCut auto:  > sleeping sleep
    asleepWithoutCut fix:  > sleeping sleep
    asleepWithoutCut epoch:  > sleeping sleep
    asleepWithoutCut stopping:  > sleeping sleep
    restless woke:  > acquiring sleep
    restless finished:  > sleeping sleep
    restless failed:  > acquiring sleep
    restless sleepless: on > acquiring -
    restless measured:  > acquiring sleep
    restless on: on > acquiring -
    restless off:  > acquiring sleep
    restless auto:  > acquiring sleep
    restless fix:  > acquiring sleep
    restless epoch:  > acquiring sleep
    restless stopping:  > acquiring sleep
    unswitchable woke:  > tracking -
    unswitchable finished:  > tracking -
    unswitchable failed: off > tracking leaveOn
    unswitchable sleepless:  > tracking -
    unswitchable measured:  > tracking -
    unswitchable on:  > tracking -
    unswitchable off: off > tracking leaveOn
    unswitchable auto:  > tracking -
    unswitchable fix:  > tracking -
    unswitchable epoch:  > acquiring -
    unswitchable stopping: off > tracking leaveOn
    offFailed woke:  > acquiring cut
    offFailed finished:  > off cut
    offFailed failed:  > acquiring cut
    offFailed sleepless:  > acquiring cut
    offFailed measured:  > acquiring cut
    offFailed on: on > acquiring -
    offFailed off:  > acquiring cut
    offFailed auto:  > acquiring cut
    offFailed fix:  > acquiring cut
    offFailed epoch:  > acquiring cut
    offFailed stopping:  > acquiring cut
    """

  /// Switching may take seconds: a new demand is reported at once, the last one counts, and the
  /// tracker handles the answer in its current state.
  @Test("a demand during a transition to sleep is reported at once, and the last one counts")
  func aWishInTheMiddleOfASleepIsSaidAtOnce() {
    let bench = Situation.asleep.bench
    let before = bench.effects.count
    bench.send(.command(.gnss(.on)))
    bench.send(.command(.gnss(.off)))
    bench.send(.command(.gnss(.on)))
    #expect(SleepCircuitBreakerTests.powers(bench, from: before) == [.on, .sleep, .on])
    bench.send(.powerReached)
    #expect(bench.tracker.activity.positioningState == .acquiring)
    #expect(bench.tracker.isListening)
  }

  @Test("a receiver that does not wake is cut off and tried again")
  func aReceiverThatDoesNotWakeIsCutOff() {
    let bench = Situation.asleep.bench
    bench.send(.command(.gnss(.on)))
    let before = bench.effects.count
    bench.send(.powerFailed(reason: "it stays silent"))
    #expect(SleepCircuitBreakerTests.powers(bench, from: before) == [.off])
    #expect(bench.sessions().last?.outcome == .failed)
    #expect(bench.tracker.nextWake == bench.now + 10)
  }

  static func event(_ random: inout SplitMix, _ bench: TrackerBench) -> Event {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: return .sleepUnavailable(reason: "x")
    case 1...6:
      var model = ReceiverEnergyModel.ubloxM8
      model.tracking = Amperes(.random(in: -0.01...0.1, using: &random))
      model.sleeping = Amperes(.random(in: 0...0.02, using: &random))
      return .measured(model)
    default: return TrackerPropertyTests.event(&random, bench)
    }
  }

  /// For random events: nothing impossible is requested, within one pause the power only decreases,
  /// and the reported state fits the requested one.
  @Test("for any events, nothing impossible is requested", arguments: 0..<60)
  func nothingImpossibleIsAskedFor(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var settings = TrackerSettings()
    settings.power = PowerCapabilities(
      canSleep: .random(using: &random), canCut: .random(using: &random),
      hasBackup: .random(using: &random))
    settings.receiver.hotStart = Seconds(.random(in: 1...200, using: &random))
    settings.policy = [
      .continuous, .periodic(PeriodicSettings(interval: 30)), .hybrid(HybridSettings()),
    ].randomElement(using: &random)!
    settings.coarseSources = Bool.random(using: &random) ? [CoarseSource("wifi")] : []
    let bench = TrackerBench(settings)
    bench.send(.started(clock: nil))
    var isSleepGone = false
    var last = PowerState.off
    var checked = 0
    for _ in 0..<1000 {
      bench.now = bench.now + Seconds(.random(in: 0...60, using: &random))
      let event = Self.event(&random, bench)
      bench.send(event)
      for (at, effect) in bench.effects[checked...] {
        switch effect {
        case .power(.sleep, _):
          #expect(settings.power.canSleep && !isSleepGone)
          #expect(last != .off, "nothing that is cut off can be sent to sleep")
          last = .sleep
        case .power(let state, _):
          #expect(state != .on || last != .on)
          last = state
        case .wake(let instant?): #expect(instant > at, "a wake in the past would spin")
        default: break
        }
      }
      if case .sleepUnavailable = event { isSleepGone = true }
      checked = bench.effects.count
      check(bench.tracker, last)
    }
  }

  private func check(_ tracker: Tracker, _ last: PowerState) {
    #expect(tracker.isListening == (last == .on))
    if last == .on {
      #expect(
        tracker.activity.positioningState == .tracking
          || tracker.activity.positioningState == .acquiring)
    }
    if tracker.activity.positioningState == .sleeping { #expect(last == .sleep) }
    if tracker.isListening, let idle = tracker.lowPowerPlan {
      #expect(idle.choice == .leaveOn)
      #expect(tracker.reason == idle.reason)
    }
    if !tracker.isListening {
      #expect(tracker.lowPowerPlan != nil, "it rests, and nobody knows how")
    }
  }
}
