import GNSS
import Core
import Testing

@Suite struct PowerSequencerTests {
  static let full = PowerWiring(
    mechanism: .lines, lines: Set(PowerLine.allCases), settle: 0.5, family: .ubloxM8)
  static let supplyOnly = PowerWiring(
    mechanism: .lines, lines: [.supply], settle: 0.5, family: .ubloxM8)

  @Test("the supply comes before the pins are driven")
  func theModuleHasItsSupplyBeforeItsPinsAreDriven() {
    var bench = Bench(Self.full)
    bench.want(.on)
    bench.pass(3, whileSpeaking: true)
    #expect(
      bench.take() == [
        "0.0 backup on", "0.0 reset off", "0.0 wake off", "0.0 supply on", "0.5 uart on",
        "0.5 open", "0.5 discard", "0.5 reached on",
      ])
    #expect(bench.violations == [])
  }

  @Test("silence after output leads to a power cycle") func silenceAfterSpeechIsMetWithACut() throws
  {
    var bench = Bench.running(Self.supplyOnly)
    let due = try #require(bench.sequencer.due)
    bench.pass(50)
    #expect(bench.take() == [], "a receiver may be silent for a moment")
    // First it is woken, in case it fell asleep.
    bench.pass(30)
    let actions = bench.take()
    #expect(due - .zero >= 60 && due - .zero <= 65)
    #expect(actions.contains { $0.hasSuffix("supply off") }, "\(actions)")
    #expect(actions.contains { $0.hasSuffix("supply on") }, "\(actions)")
  }

  @Test("the supply goes last") func thePinsAreLetGoBeforeTheSupplyIsCut() {
    var bench = Bench.running(Self.full)
    bench.want(.off)
    #expect(
      bench.take() == [
        "5.0 close", "5.0 uart off", "5.0 wake off", "5.0 supply off", "5.0 reached off",
      ])
    #expect(bench.levels[.backup] == true)
    #expect(bench.sequencer.due == nil)
  }

  @Test("silence confirms that it sleeps") func silenceShowsThatItSleeps() {
    var bench = Bench.running(Self.full)
    bench.want(.sleep)
    bench.pass(60)
    #expect(
      bench.take() == [
        "5.0 send b562024110000000000000000000060000002800000081eb", "9.5 close",
        "9.5 reached sleep",
      ])
    #expect(bench.levels[.supply] == true)
  }

  @Test("the last bytes before sleep are not a refusal") func theLastBytesBeforeSleepAreNoRefusal()
  {
    var bench = Bench.running(Self.supplyOnly)
    bench.want(.sleep)
    bench.pass(1.5, whileSpeaking: true)
    bench.pass(10)
    #expect(bench.take().last == "9.5 reached sleep")
  }

  @Test("a receiver that does not sleep gets the next command and is then cut")
  func whatDoesNotSleepIsToldOtherwiseAndThenCut() {
    var bench = Bench.running(Self.supplyOnly)
    bench.want(.sleep)
    bench.pass(30, whileSpeaking: true)
    let lines = bench.take()
    #expect(lines.count { $0.contains("log sleep-refused") } == 2)
    #expect(
      lines.suffix(4).map { $0.drop { $0 != " " } } == [
        " close", " supply off", " reached off",
        " cannot sleep: the receiver accepts none of ubxBackup16, ubxBackup8",
      ])
    #expect(!bench.sequencer.capabilities.canSleep)
    #expect(bench.violations == [])
  }

  @Test("a refusal is noticed at once") func aRefusalIsNotWaitedFor() {
    var bench = Bench.running(Self.supplyOnly)
    bench.want(.sleep)
    bench.step(
      .answer(
        .ubxAcknowledgement(
          UBXAcknowledgement(isAccepted: false, messageClass: 0x02, messageID: 0x41))))
    #expect(
      bench.take().map { $0.prefix(24) } == [
        "5.0 send b56202411000000", "5.0 log sleep-refused", "5.0 send b56202410800000",
      ])
  }

  @Test("bytes wake it") func bytesWakeIt() {
    var bench = Bench.running(Self.supplyOnly)
    bench.want(.sleep)
    bench.pass(100)
    _ = bench.take()
    bench.want(.on)
    bench.pass(3, whileSpeaking: true)
    #expect(
      bench.take() == [
        "105.0 open", "105.0 discard", "105.0 send ffffffffffffffff", "105.5 discard",
        "105.5 reached on",
      ])
  }

  @Test("the wake line wakes a receiver that bytes do not wake")
  func theWakeLineWakesWhatBytesDoNot() {
    var wiring = Self.full
    wiring.family = .mediatek
    wiring.sleepCommand = .only(.mtkBackup)
    var bench = Bench.running(wiring)
    bench.want(.sleep)
    bench.pass(20)
    // The line must be low before the command, or the receiver wakes at once.
    #expect(bench.take().prefix(2) == ["5.0 wake off", "5.0 send $PMTK225,4*2F"])
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    #expect(
      bench.take() == [
        "25.0 wake on", "25.1 wake off", "25.1 uart on", "25.1 open", "25.1 discard",
        "25.6 discard", "25.6 reached on",
      ])
  }

  @Test("a silent receiver is woken, reset and power-cycled once each")
  func aSilentReceiverIsWokenResetAndCutOnce() {
    var bench = Bench(Self.full)
    bench.want(.on)
    bench.pass(200)
    let lines = bench.take().filter {
      $0.contains("log") || $0.contains("reset on") || $0.contains("supply") || $0.contains("send")
    }
    #expect(
      lines == [
        "0.0 supply on", "10.5 send ffffffffffffffff", "20.6 log receiver-silent",
        "20.6 reset on", "30.8 log receiver-silent", "30.8 supply off", "32.8 supply on",
        "43.3 log receiver-silent",
      ])
    #expect(bench.sequencer.due == nil)
    #expect(bench.violations == [])
  }

  @Test("a missing device is not a silent receiver") func aDeviceThatIsNotThereIsNoSilentReceiver()
  {
    var bench = Bench(Self.full)
    bench.want(.on)
    bench.pass(1)
    bench.step(.listening(false))
    #expect(bench.sequencer.due == nil)
    bench.pass(100)
    bench.step(.listening(true))
    #expect(bench.sequencer.due == bench.now + 10)
  }

  /// UBX-CFG-RXM: 1 is power save, 0 full power (u-blox 6 receiver description).
  @Test(
    "power saving is configured at every start",
    arguments: [
      (PowerSaving.keep, []), (.on, ["b5620611020008012292"]), (.off, ["b5620611020008002191"]),
    ])
  func powerSaveIsToldAtEveryStart(saving: PowerSaving, orders: [String]) {
    var wiring = Self.supplyOnly
    wiring.family = .ublox6
    wiring.powerSaving = saving
    var bench = Bench(wiring)
    for _ in 0..<2 {
      bench.want(.on)
      bench.pass(3, whileSpeaking: true)
      let told = bench.take().filter { $0.contains("send") }.map { $0.drop { $0 != "b" } }
      #expect(told == orders.map { $0[...] })
      bench.want(.off)
      bench.pass(10)
    }
  }

  /// UBX-CFG-MSG for NAV-SAT, after the bytes sent at every start.
  @Test("a receiver without signal reports is configured once at each start to send them")
  func signalsAreRequestedOnceAtEachStart() {
    var wiring = Self.supplyOnly
    wiring.powerSaving = .off
    var bench = Bench(wiring)
    for start in ["0.5", "20.5"] {
      bench.want(.on)
      bench.pass(0.5)
      _ = bench.take()
      for _ in 0..<3 { bench.step(.received(validFrames: 2, lacksSignals: true)) }
      #expect(
        bench.take() == [
          "\(start) send b5620611020008002191", "\(start) send b5620601030001350141ad",
        ])
      bench.pass(9.5)
      bench.want(.off)
      bench.pass(10)
    }
    #expect(bench.violations == [])
  }

  @Test("signal reports are enabled only when they are missing and the family is known")
  func signalsAreRequestedWhereTheyAreMissed() {
    var bench = Bench.running(Self.supplyOnly)
    bench.step(.received(validFrames: 2, lacksSignals: false))
    #expect(bench.take() == [])
    var unknown = Self.supplyOnly
    unknown.family = nil
    unknown.mayQuery = false
    bench = Bench.running(unknown)
    bench.step(.received(validFrames: 2, lacksSignals: true))
    #expect(bench.take() == [])
    bench.step(.answer(.notice("HW UBX-M8030 00080000")))
    _ = bench.take()
    bench.step(.received(validFrames: 2, lacksSignals: true))
    #expect(bench.take() == ["5.0 send b5620601030001350141ad"])
  }

  @Test("a receiver that is falling asleep is sent nothing more")
  func signalsAreNotRequestedOfASleeper() {
    var bench = Bench.running(Self.full)
    bench.want(.sleep)
    _ = bench.take()
    bench.step(.received(validFrames: 2, lacksSignals: true))
    #expect(!bench.take().contains { $0.contains("send") })
  }

  @Test("of requests during a sequence the last one applies")
  func wishesWhileUnderWayAreTheLastOnes() {
    var bench = Bench(Self.full)
    bench.want(.on)
    bench.want(.off)
    bench.want(.on)
    bench.want(.off)
    bench.pass(5)
    #expect(bench.take().suffix(2) == ["0.5 supply off", "0.5 reached off"])
    bench.want(.on)
    bench.pass(5, whileSpeaking: true)
    bench.want(.sleep)
    bench.want(.on)
    bench.pass(60)
    #expect(bench.sequencer.due == nil)
    #expect(bench.take().contains { $0.hasSuffix("reached on") })
    #expect(bench.levels[.supply] == true)
    #expect(bench.isOpen)
  }

  @Test("the daemon's end switches off at once, or leaves everything unchanged")
  func theDaemonEndsAtOnce() {
    var bench = Bench.running(Self.full)
    bench.step(.leave)
    #expect(
      bench.take() == [
        "5.0 close", "5.0 uart off", "5.0 wake off", "5.0 supply off", "5.0 reached off",
      ])
    var kept = Self.full
    kept.onExit = .keep
    bench = Bench.running(kept)
    bench.step(.leave)
    #expect(bench.take() == ["5.0 close", "5.0 reached off"])
  }

  @Test("after a failed line nothing stays open") func aLineThatFailsLeavesNothingOpen() {
    var bench = Bench.running(Self.full)
    bench.step(.lineFailed(.supply, reason: "GNSS_EN is gone"))
    #expect(bench.take() == ["5.0 close", "5.0 failed: GNSS_EN is gone"])
    bench.want(.off)
    #expect(bench.take().last == "5.0 reached off")
  }

  @Test("without a switch only the line is opened and closed")
  func withoutASwitchItIsOnlyListenedTo() {
    var bench = Bench(PowerWiring(mechanism: .none))
    bench.want(.on)
    bench.want(.off)
    #expect(
      bench.take() == [
        "0.0 open", "0.0 discard", "0.0 reached on", "0.0 close", "0.0 reached off",
      ])
  }

  @Test("a receiver without a switch is woken at the start")
  func aCommandedReceiverThatMaySleepIsWokenAtTheStart() {
    var bench = Bench(PowerWiring(mechanism: .command, family: .mediatek))
    bench.want(.on)
    bench.pass(11)
    #expect(bench.take().contains { $0.hasPrefix("10.0 send $PMTK000*32") })
  }

  @Test("off means asleep if nothing can cut the supply") func offIsAsleepWhereNothingCanCut() {
    var bench = Bench.running(PowerWiring(mechanism: .command, family: .casic))
    bench.step(.request(.off, until: bench.now + 600))
    bench.pass(10)
    #expect(bench.take() == ["5.0 send $PCAS12,600*18", "9.5 close", "9.5 reached off"])
  }
}
