import GNSS
import Core
import Testing

/// Lines that cannot be set, a receiver's line that is not open, and changing requests.
@Suite struct PowerSequencerFaultTests {
  @Test("a receiver that is falling asleep is sent nothing, even if it is identified then")
  func quietWhileItFallsAsleep() {
    var bench = Bench.running(PowerWiring(mechanism: .command, powerSaving: .off))
    // Enough to select the sleep command, and no more.
    bench.step(.answer(.mtkStartup(1)))
    bench.want(.sleep)
    #expect(bench.sequencer.receiver == .fallingAsleep)
    _ = bench.take()
    bench.step(.answer(.mtkVersion(MTKVersion(release: "AXN_5.1.7", build: "3333", product: ""))))
    #expect(bench.take() == ["5.0 is mediatek"])
    bench.pass(5)
    #expect(bench.sequencer.receiver == .asleep)
    bench.want(.on)
    bench.pass(3, whileSpeaking: true)
    #expect(bench.take().contains { $0.contains("send $PMTK225,0") })
  }

  @Test(
    "the supply is cut even if another line cannot be set", arguments: [PowerLine.uart, .wake])
  func theSupplyGoesEvenWhereAnotherLineCannotBeSet(line: PowerLine) {
    var bench = Bench.running(PowerSequencerTests.full)
    bench.failing = [line]
    bench.want(.off)
    #expect(bench.levels[.supply] == false)
    #expect(
      bench.take().suffix(3).map { $0.drop { $0 != " " } } == [
        " supply off", " log switch-failed", " reached off",
      ])
    #expect(bench.sequencer.receiver == .off)
  }

  @Test(
    "a receiver that cannot be switched on completely is switched off",
    arguments: [PowerLine.uart, .wake, .reset])
  func whatCannotBeSwitchedOnWholeIsSwitchedOff(line: PowerLine) {
    var bench = Bench(PowerSequencerTests.full)
    bench.failing = [line]
    bench.want(.on)
    bench.pass(5)
    #expect(bench.levels[.supply] == false)
    #expect(bench.take().last?.hasSuffix("failed: \(line.rawValue) is gone") == true)
    bench.failing = []
    bench.want(.on)
    bench.pass(5, whileSpeaking: true)
    #expect(bench.take().last?.hasSuffix("reached on") == true)
  }

  @Test("a supply that cannot be cut either is a failure")
  func aSupplyThatCannotBeCutEitherIsAFailure() {
    var bench = Bench.running(PowerSequencerTests.full)
    bench.failing = [.uart, .supply]
    bench.want(.off)
    let answers = bench.take().filter { $0.contains("reached") || $0.contains("failed:") }
    #expect(answers == ["5.0 failed: supply is gone"])
    bench.failing = []
    bench.want(.off)
    #expect(bench.levels[.supply] == false)
  }

  @Test("a request for off does not wait for the other sleep commands")
  func offIsNotWaitedForThroughTheOtherSleepCommands() {
    var bench = Bench.running(PowerSequencerTests.supplyOnly)
    bench.want(.sleep)
    bench.pass(2)
    bench.want(.off)
    bench.pass(3, whileSpeaking: true)
    let lines = bench.take()
    #expect(lines.count { $0.contains(" send b5620241") } == 1)
    #expect(lines.last?.hasSuffix("reached off") == true)
  }

  /// Silence on a closed line, or of a receiver that never sent anything, does not prove sleep.
  @Test("a receiver whose silence cannot be detected is cut") func whatCannotBeHeardToSleepIsCut() {
    var bench = Bench.running(PowerSequencerTests.supplyOnly)
    bench.step(.listening(false))
    bench.want(.sleep)
    #expect(bench.take() == ["5.0 close", "5.0 supply off", "5.0 reached off"])
    bench = Bench(PowerSequencerTests.supplyOnly)
    bench.want(.on)
    bench.pass(3)
    _ = bench.take()
    bench.want(.sleep)
    #expect(bench.take() == ["3.0 close", "3.0 supply off", "3.0 reached off"])
    bench = Bench.running(PowerSequencerTests.supplyOnly)
    bench.want(.sleep)
    bench.pass(1)
    bench.step(.listening(false))
    #expect(bench.take().suffix(2) == ["6.0 supply off", "6.0 reached off"])
  }

  @Test("a sleep command that cannot be sent is sent later")
  func aCommandedReceiverThatCannotBeToldIsToldLater() {
    var bench = Bench.running(PowerWiring(mechanism: .command, family: .ubloxM8))
    bench.step(.listening(false))
    bench.want(.sleep)
    #expect(bench.take().last?.contains("failed: the receiver's line is not open") == true)
    bench.want(.sleep)
    bench.step(.listening(true))
    bench.pass(6)
    #expect(bench.take().last?.hasSuffix("reached sleep") == true)
  }

  @Test("a lost line does not mean a receiver without flash")
  func aLineThatWentAwayIsNoReceiverWithoutFlash() {
    var wiring = PowerSequencerTests.supplyOnly
    wiring.hasBackupSupply = false
    var bench = Bench.running(wiring)
    bench.want(.off)
    #expect(bench.sequencer.receiver == .saving)
    bench.step(.listening(false))
    #expect(bench.take().last == "5.0 reached off")
    #expect(bench.sequencer.capabilities.hasBackup)
  }

  @Test("a receiver that sends while it should sleep is not recovered")
  func aReceiverThatSpeaksWhileItShouldSleepIsNotRevived() {
    var bench = Bench(PowerWiring(mechanism: .command, family: .ubloxM10))
    bench.want(.on)
    bench.want(.sleep)
    bench.pass(2, whileSpeaking: true)
    bench.want(.on)
    bench.pass(1, whileSpeaking: true)
    bench.pass(20)
    #expect(!bench.take().contains { $0.contains("receiver-silent") || $0.contains("send ff") })
  }

  /// A receiver that was sending when its line was lost is not cut for its silence.
  @Test("a lost line does not count as silence") func aLineThatWentAwayIsNoSilence() {
    var bench = Bench.running(PowerSequencerTests.supplyOnly)
    bench.step(.listening(false))
    bench.pass(300)
    #expect(bench.take() == [])
    bench.step(.listening(true))
    bench.pass(70)
    #expect(!bench.take().isEmpty)
  }

  /// With one epoch in 10 s, 4.5 s of silence prove nothing.
  @Test("a receiver with slow epochs gets longer to fall silent")
  func aSlowReceiverIsWaitedForLonger() {
    var bench = Bench(PowerSequencerTests.supplyOnly)
    bench.want(.on)
    for _ in 0..<4 {
      bench.pass(10)
      bench.step(.received(validFrames: 2))
    }
    bench.want(.sleep)
    bench.pass(10)
    #expect(bench.sequencer.receiver == .fallingAsleep)
    bench.step(.received(validFrames: 2))
    bench.pass(1)
    #expect(bench.take().contains { $0.contains("sleep-refused") })
  }

  /// An earlier run, possibly with other settings, may have put the receiver to sleep.
  @Test(
    "a receiver silent at the start is woken once, then reported as possibly asleep",
    arguments: [PowerWiring.Mechanism.none, .command, .lines])
  func asleepSinceBefore(mechanism: PowerWiring.Mechanism) {
    let isWired = mechanism == .lines
    var bench = Bench(PowerWiring(mechanism: mechanism, lines: isWired ? [.wake] : []))
    bench.want(.on)
    bench.pass(10.05)
    let attempt = bench.take().suffix(isWired ? 2 : 1)
    #expect(attempt.first == "10.0 send ffffffffffffffff0d0a")
    if isWired { #expect(attempt.last == "10.0 wake on") }
    bench.pass(0.1)
    if isWired { #expect(bench.take() == ["10.1 wake off"]) }
    #expect(bench.levels[.wake] != true)
    bench.pass(60)
    #expect(bench.take().map { $0.drop { $0 != " " } } == [" log receiver-silent"], "once")
    bench.step(.received(validFrames: 2))
    #expect(bench.sequencer.receiver == .on && bench.violations.isEmpty)
  }

  @Test("behind gpsd a silent receiver without a switch is left alone")
  func relayedSilence() {
    var bench = Bench(PowerWiring(mechanism: .none, mayAsk: false))
    bench.want(.on)
    bench.pass(60)
    #expect(!bench.take().contains { $0.contains("send") })
  }

  @Test("a receiver without a switch is not put to sleep")
  func nobodyPutsToSleepWhatNobodySwitches() {
    var bench = Bench.running(PowerWiring(mechanism: .none, family: .ubloxM8))
    bench.step(.leave)
    #expect(bench.take() == ["5.0 close", "5.0 reached off"])
  }

  /// Closing the kernel's device cuts the supply, so there is nothing to put to sleep.
  @Test("a device whose supply is cut by closing does not sleep")
  func aDeviceThatIsCutByClosingDoesNotSleep() {
    var bench = Bench.running(PowerWiring(mechanism: .deviceOpens, family: .ubloxM8))
    #expect(!bench.sequencer.capabilities.canSleep)
    bench.want(.sleep)
    #expect(bench.take().prefix(2) == ["5.0 close", "5.0 reached off"])
  }

  @Test("a receiver that cannot be woken is not put to sleep")
  func whatNothingCanWakeIsNotPutToSleep() {
    var wiring = PowerWiring(
      mechanism: .command, sleepCommand: .only(.mtkBackup), family: .mediatek)
    #expect(!PowerSequencer(wiring).capabilities.canSleep)
    wiring.lines = [.wake]
    #expect(PowerSequencer(wiring).capabilities.canSleep)
  }

  @Test("a receiver with a wake line only sleeps when it should be off")
  func aReceiverBehindAWakeLineAloneSleepsForOff() {
    var bench = Bench.running(PowerWiring(mechanism: .lines, lines: [.wake], family: .ubloxM8))
    bench.want(.off)
    bench.pass(6)
    #expect(bench.take().count { $0.contains(" send b5620241") } == 1)
    #expect(bench.sequencer.receiver == .asleep)
  }
}
