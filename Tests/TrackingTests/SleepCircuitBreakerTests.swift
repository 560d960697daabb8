import Records
import Core
import Testing
import Tracking

/// Receivers that do not sleep on command.
@Suite struct SleepCircuitBreakerTests {
  static func asleep(canCut: Bool = true) -> TrackerBench {
    let bench = TrackerIdleTests.bench(PowerCapabilities(canSleep: true, canCut: canCut))
    bench.run(until: 5) { _ in TrackerIdleTests.home }
    return bench
  }

  static func powers(_ bench: TrackerBench, from start: Int) -> [PowerState] {
    bench.effects[start...].compactMap { $0.effect.powerState }
  }

  @Test("a receiver that does not sleep is cut off") func whatDoesNotSleepIsCutOff() {
    let bench = Self.asleep()
    #expect(bench.tracker.activity.positioningState == .sleeping)
    let before = bench.effects.count
    bench.send(.powerFailed(reason: "it went on talking"))
    #expect(Self.powers(bench, from: before) == [.off])
    #expect(bench.tracker.activity.positioningState == .off)
    #expect(bench.tracker.lowPowerPlan?.choice == .cut)
    bench.send(.powerReached)
    #expect(bench.tracker.activity.positioningState == .off)
  }

  @Test("after three failures in a row sleep is not tried again")
  func afterThreeFailuresInARowItIsNotTriedAgain() {
    let bench = Self.asleep()
    var sleeps = 0
    for _ in 0..<8 {
      if bench.tracker.activity.positioningState == .sleeping {
        sleeps += 1
        bench.send(.powerFailed(reason: "it went on talking"))
      }
      bench.send(.powerReached)
      while !bench.isOn { bench.run(until: bench.now - .zero + 10) { _ in TrackerIdleTests.home } }
      bench.send(.powerReached)
      while bench.isOn { bench.run(until: bench.now - .zero + 1) { _ in TrackerIdleTests.home } }
    }
    #expect(sleeps == 3)
  }

  @Test("without a switch sleep is tried again at longer and longer intervals")
  func withoutASwitchItIsTriedAgainAtLongerAndLongerIntervals() throws {
    let bench = Self.asleep(canCut: false)
    bench.send(.command(.gnss(.off)))
    var pauses: [Seconds] = []
    for _ in 0..<3 {
      bench.refuse()
      bench.send(.powerFailed(reason: "it went on talking"))
      #expect(bench.tracker.activity.positioningState == .acquiring, "it is still powered")
      #expect(bench.tracker.reason.hasPrefix("cannot be put to sleep"))
      let before = bench.effects.count
      pauses.append(try #require(bench.tracker.nextWake) - bench.now)
      bench.now = try #require(bench.tracker.nextWake)
      bench.send(.woke)
      #expect(Self.powers(bench, from: before) == [.sleep])
    }
    #expect(pauses == [10, 20, 40])
    bench.send(.powerReached)
    #expect(bench.tracker.activity.positioningState == .sleeping)
    #expect(bench.tracker.nextWake == nil)
  }

  @Test("unavailable sleep is never requested again", arguments: [true, false])
  func sleepThatIsUnavailableIsNeverAskedForAgain(canCut: Bool) {
    let bench = Self.asleep(canCut: canCut)
    let before = bench.effects.count
    bench.send(.sleepUnavailable(reason: "the receiver knows no sleep command"))
    if !canCut { bench.send(.receiver(.ignored)) }
    #expect(bench.tracker.activity.energyState == (canCut ? .off : .acquiring))
    bench.send(.sleepUnavailable(reason: "the receiver knows no sleep command"))
    bench.run(until: .hours(2)) { _ in TrackerIdleTests.home }
    #expect(!Self.powers(bench, from: before).contains(.sleep))
    if canCut {
      #expect(bench.sessions().count > 5)
    } else {
      // No remaining mode would save energy.
      #expect(bench.tracker.isListening)
    }
    let logEvents = bench.records().count {
      if case .event(let logEvent, _) = $0 { logEvent.kind == "sleep-unavailable" } else { false }
    }
    #expect(logEvents == 1)
  }

  /// A new run may have another receiver, or other wiring.
  @Test("a restart tries sleep again") func aRestartTriesSleepAgain() {
    let bench = Self.asleep()
    bench.send(.sleepUnavailable(reason: "x"))
    let again = TrackerBench(TrackerSettings(power: PowerCapabilities(canSleep: true)))
    _ = again.tracker.restore(bench.tracker.snapshot(at: bench.now).text, at: again.now)
    again.send(.started(clock: nil))
    again.run(until: 30) { _ in TrackerIdleTests.home }
    #expect(again.tracker.activity.positioningState == .sleeping)
  }

  @Test("new settings keep the state of the receiver")
  func newSettingsFindTheReceiverAsItWasLeft() {
    let bench = Self.asleep()
    let again = bench.tracker.reconfigured(
      TrackerSettings(power: PowerCapabilities(canSleep: true)))
    #expect(again.activity.positioningState == .sleeping)
  }
}
