import Energy
import PowerControl
import ReceiverProtocols
import Testing

/// What the tracker is told of the wiring and the receiver.
@Suite struct PowerMeansTests {
  private func means(_ wiring: PowerWiring) -> PowerCapabilities { PowerSequencer(wiring).means }

  @Test func aBoardWithoutASwitchCanDoNothing() {
    #expect(means(PowerWiring()) == PowerCapabilities(canSleep: false, canCut: false))
  }

  @Test func aSupplyLineCutsAndAKnownCommandSleeps() {
    var wiring = PowerWiring(means: .lines, lines: [.supply], family: .ubloxM8)
    #expect(means(wiring) == PowerCapabilities(canSleep: true, canCut: true))
    wiring.sleepCommand = .none
    #expect(means(wiring) == PowerCapabilities(canSleep: false, canCut: true))
  }

  /// It is learnt when the receiver says who it is.
  @Test func anUnknownReceiverCannotSleepYet() {
    var bench = Bench(PowerWiring(means: .command))
    #expect(!bench.sequencer.means.canSleep)
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    bench.want(.off)
    #expect(!bench.take().contains { $0.contains("cannot sleep") })
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    bench.step(.answer(.mtkVersion(MTKVersion(release: "AXN_5.1.7", build: "3333", product: ""))))
    #expect(
      bench.take().suffix(2).map { $0.drop { $0 != " " } } == [
        " is mediatek", " means changed",
      ])
    #expect(bench.sequencer.means == PowerCapabilities(canSleep: true, canCut: false))
  }

  /// An acknowledgement shows the language only; the name that comes later is no less news.
  @Test func whatIsSupposedAndThenSaidIsTold() {
    var bench = Bench(PowerWiring(means: .command))
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    _ = bench.take()
    bench.step(.answer(.mtkStartup(1)))
    #expect(bench.take() == ["2.0 means changed"])
    bench.step(.answer(.mtkVersion(MTKVersion(release: "AXN_5.1.7", build: "3333", product: ""))))
    #expect(bench.take().first == "2.0 is mediatek")
  }

  @Test(arguments: [
    (NavigationBackup.auto, true), (.none, false), (.flash, true), (.host, true),
  ])
  func withoutABackupSupplyOnlyKeptDataOutlivesACut(keeping: NavigationBackup, survives: Bool) {
    let wiring = PowerWiring(
      means: .lines, lines: [.supply], hasBackupSupply: false, navigationBackup: keeping,
      family: .ubloxM8)
    #expect(means(wiring).hasBackup == survives)
  }
}
