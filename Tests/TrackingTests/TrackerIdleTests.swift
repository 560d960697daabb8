import Records
import Core
import GNSS
import Testing
import Tracking

/// On, asleep, or cut off: the state of a receiver that is not needed for a while.
@Suite struct TrackerIdleTests {
  static let home = TrackerBench.position(metresEast: 0)

  static func bench(
    _ power: PowerCapabilities, policy: PolicySettings = .hybrid(HybridSettings()),
    change: (inout TrackerSettings) -> Void = { _ in }
  ) -> TrackerBench {
    var settings = TrackerSettings(policy: policy, power: power)
    change(&settings)
    let bench = TrackerBench(settings)
    bench.send(.started(clock: nil))
    return bench
  }

  /// A receiver that starts slowly even when hot: 25 s at 32 mA are 27.6 s at 29 mA.
  static func slow(interval: Seconds, _ power: PowerCapabilities = PowerCapabilities())
    -> TrackerBench
  {
    bench(power, policy: .periodic(PeriodicSettings(interval: interval))) {
      $0.receiver.hotStart = 25
      $0.acquisition.holdAfterColdStart = 0
    }
  }

  @Test("for a short pause the receiver is left on, and locations keep their interval")
  func aShortPauseIsNotWorthASearch() throws {
    let bench = Self.slow(interval: 20)
    bench.run(until: .minutes(5), timeToFirstFix: 25) { _ in Self.home }
    #expect(bench.sessions().count == 1)
    #expect(bench.isOn)
    #expect(bench.onTime == 0, "it was never switched again")
    #expect(bench.tracker.activity.positioningState == .tracking)
    let points = bench.records().count { if case .trackPoint = $0 { true } else { false } }
    #expect((13...15).contains(points), "\(points) locations, one every 20 s")
    // Between two locations it states why it is on, and switches back in time by itself.
    while bench.tracker.lowPowerPlan == nil {
      bench.run(until: bench.now - .zero + 1, timeToFirstFix: 25) { _ in Self.home }
    }
    let idle = try #require(bench.tracker.lowPowerPlan)
    #expect(idle.choice == .leaveOn)
    #expect(bench.tracker.reason == idle.reason)
    #expect(idle.reason.hasPrefix("left on for 20.0 s"), "\(idle.reason)")
    let (wake, until) = (try #require(bench.tracker.nextWake), try #require(idle.until))
    #expect(wake <= until)
  }

  @Test("a longer pause is worth switching off")
  func longPause() throws {
    let bench = Self.slow(interval: 40)
    bench.run(until: 27, timeToFirstFix: 25) { _ in Self.home }
    #expect(bench.tracker.activity.positioningState == .off)
    #expect(bench.tracker.lowPowerPlan?.choice == .cut)
  }

  @Test("a command to switch off overrules leaving on") func aCommandOverrulesLeavingOn() {
    let bench = Self.slow(interval: 20)
    bench.run(until: 27, timeToFirstFix: 25) { _ in Self.home }
    #expect(bench.tracker.lowPowerPlan?.choice == .leaveOn)
    bench.send(.command(.gnss(.off)))
    #expect(!bench.isOn)
    #expect(bench.tracker.lowPowerPlan?.choice == .cut)
    #expect(bench.sessions().map(\.outcome) == [.stopped])
  }

  @Test("a receiver that can sleeps between bursts")
  func aReceiverThatCanSleepsBetweenBursts() throws {
    let bench = Self.bench(PowerCapabilities(canSleep: true))
    bench.run(until: .hours(1)) { _ in Self.home }
    #expect(!bench.isOn)
    #expect(bench.tracker.activity.positioningState == .sleeping)
    let asked = bench.effects.compactMap { $0.effect.powerState }
    #expect(Set(asked) == [.on, .sleep])
    let idle = try #require(bench.tracker.lowPowerPlan)
    #expect(idle.choice == .sleep)
    #expect(idle.until == bench.tracker.nextWake)
  }

  /// Without a backup supply every start after a cut is a cold one. Asleep it takes 15 mW, so a cut
  /// pays only after (26 - 1) s × 105.6 mW / 15 mW = 176 s.
  @Test("a sleep that lasts becomes a cut, and stays one")
  func aSleepThatLastsBecomesACut() throws {
    var settings = TrackerSettings(power: PowerCapabilities(canSleep: true, hasBackup: false))
    settings.receiver.sleeping = 0.004_56
    settings.coarseSources = [CoarseSource("wifi")]
    let bench = TrackerBench(settings)
    bench.send(.started(clock: nil))
    bench.run(until: 5) { _ in Self.home }
    #expect(bench.tracker.lowPowerPlan?.choice == .sleep)
    #expect(bench.tracker.activity.positioningState == .sleeping)
    let asked = bench.effects.count
    bench.send(.command(.gnss(.off)))
    #expect(bench.tracker.activity.positioningState == .off)
    #expect(bench.tracker.lowPowerPlan?.choice == .cut)
    #expect(bench.effects[asked...].contains { $0.effect.powerState == .off })
    // A shorter pause does not return to sleep: that would require a start.
    bench.send(.command(.gnss(.auto)))
    #expect(bench.tracker.activity.positioningState == .off)
    #expect(
      bench.effects[asked...].count { if case .power = $0.effect { true } else { false } } == 1)
  }

  @Test("a pause without an end is estimated, and marked as an estimate")
  func withoutADateThePauseIsAGuess() throws {
    let bench = Self.bench(PowerCapabilities(canSleep: true))
    bench.send(.command(.gnss(.off)))
    let idle = try #require(bench.tracker.lowPowerPlan)
    #expect(idle.until == nil)
    #expect(idle.pause == .hours(8))
    #expect(idle.reason.hasSuffix("the pause is an estimate, its end is unknown"))
  }

  /// It draws the same current whether its data is used or not.
  @Test(
    "a receiver without a switch is always read, and its line stored",
    arguments: ["adaptive", "hybrid", "periodic"])
  func whatNothingCanSwitchIsListenedTo(policy: String) throws {
    let bench = Self.bench(
      PowerCapabilities(canCut: false), policy: PolicySettings(PolicyCatalogue.named(policy)!))
    bench.run(until: .hours(1)) { second in
      second < 3000 ? GroundTruth.position(max(0, second.value - 600) * 1.4, 0) : nil
    }
    #expect(bench.sessions().count == 1, "a lost sky ends no session")
    #expect(bench.tracker.isListening)
    #expect(bench.tracker.lowPowerPlan == nil)
    #expect(bench.tracker.reason.contains("nothing can switch the receiver"))
    let points = bench.records().count { if case .trackPoint = $0 { true } else { false } }
    #expect((3...60).contains(points), "sparse: \(points) points of a straight way")
    bench.send(.command(.gnss(.off)))
    #expect(!bench.tracker.isListening, "who says off does not want to be heard")
    #expect(bench.sessions().allSatisfy { $0.outcome == .stopped }, "it had fixes")
    // After a restart nothing reads it, but it draws its current all the same.
    var next = Tracker(settings: TrackerSettings(power: PowerCapabilities(canCut: false)))
    _ = next.restore(bench.tracker.snapshot(at: bench.now).text, at: .zero)
    _ = next.step(.started(clock: nil), at: .zero)
    #expect(!next.isListening)
    #expect(next.activity.positioningState == .off && next.activity.energyState == .acquiring)
  }

  /// Without reception, leaving it on would mean searching on.
  @Test("a failed search is never left on", arguments: [true, false])
  func aFailedSearchIsNeverLeftOn(canSleep: Bool) {
    let bench = Self.bench(PowerCapabilities(canSleep: canSleep)) { $0.receiver.hotStart = 3600 }
    bench.run(until: .hours(6)) { _ in nil }
    #expect(bench.onTime < .minutes(30), "on for \(bench.onTime)")
    #expect(bench.tracker.activity.positioningState == (canSleep ? .sleeping : .off))
    #expect(bench.tracker.counters.searchesFailed > 5)
  }

  /// The fix that was cheap to keep is lost while no location is requested.
  @Test("a fix lost while left on is no failed search")
  func aFixLostWhileLeftOnIsNoFailedSearch() {
    let bench = Self.bench(PowerCapabilities(), policy: .periodic(PeriodicSettings(interval: 400)))
    {
      $0.receiver.hotStart = 900
      $0.receiver.coldStart = 900
      $0.acquisition.holdAfterColdStart = 0
    }
    bench.run(until: 390) { $0 < 10 ? Self.home : nil }
    #expect(bench.sessions().map(\.outcome) == [.fixObtained])
    #expect(bench.tracker.counters.searchesFailed == 0)
    #expect(!bench.isOn)
  }

  @Test("measured currents decide, implausible ones do not") func measuredCurrentsDecide() {
    func choice(_ measured: ReceiverEnergyModel?) -> LowPowerDecision.Choice? {
      let bench = Self.slow(interval: 40)
      if let measured { bench.send(.measured(measured)) }
      bench.run(until: 27, timeToFirstFix: 25) { _ in Self.home }
      return bench.tracker.lowPowerPlan?.choice
    }
    var frugal = ReceiverEnergyModel.ubloxM8
    frugal.tracking = 0.010
    #expect(choice(nil) == .cut)
    #expect(choice(frugal) == .leaveOn, "25 s × 32 mA are 80 s × 10 mA")
    frugal.off = Amperes(.nan)
    #expect(choice(frugal) == .cut, "senseless figures are not taken over")
  }

  /// If nothing keeps the ephemeris, staying on for it is not worthwhile.
  @Test(
    "after a cold start it stays on only if the ephemeris is retained",
    arguments: [
      (PowerCapabilities(hasBackup: true), true), (PowerCapabilities(hasBackup: false), false),
      (PowerCapabilities(canSleep: true, hasBackup: false), true),
    ])
  func ephemerisIsGatheredOnlyWhereItLasts(power: PowerCapabilities, isHeld: Bool) {
    let bench = Self.bench(power)
    bench.run(until: .minutes(1.5), timeToFirstFix: 40) { _ in Self.home }
    #expect(!bench.isOn)
    #expect((bench.onTime >= 70) == isHeld, "on for \(bench.onTime)")
  }

  /// Cut without a backup supply, the receiver starts cold: that must not be attributed to starts
  /// after a sleep.
  @Test("cold starts after a cut do not affect the model of hot ones")
  func coldStartsAfterACutDoNotSpoilWhatIsKnownOfHotOnes() throws {
    let bench = Self.bench(PowerCapabilities(hasBackup: false))
    bench.run(until: .hours(3), timeToFirstFix: 26) { _ in Self.home }
    #expect(bench.sessions().count > 10)
    let snapshot = bench.tracker.snapshot(at: bench.now)
    let prediction = try #require(snapshot["acquisition"]?["prediction"])
    #expect(prediction["after_short_pause_s"]?.number == 1)
    #expect(prediction["after_long_pause_s"]?.number == 26)
  }
}
