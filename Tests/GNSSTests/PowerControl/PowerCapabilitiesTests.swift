import Records
import GNSS
import Testing

/// The capabilities of wiring and receiver reported to the tracker.
@Suite struct PowerCapabilitiesTests {
  private func capabilities(_ wiring: PowerWiring) -> PowerCapabilities {
    PowerSequencer(wiring).capabilities
  }

  @Test("a board without a switch can neither sleep nor cut")
  func aBoardWithoutASwitchCanDoNothing() {
    #expect(capabilities(PowerWiring()) == PowerCapabilities(canSleep: false, canCut: false))
  }

  @Test("a supply line can cut, and a known command can sleep")
  func aSupplyLineCutsAndAKnownCommandSleeps() {
    var wiring = PowerWiring(mechanism: .lines, lines: [.supply], family: .ubloxM8)
    #expect(capabilities(wiring) == PowerCapabilities(canSleep: true, canCut: true))
    wiring.sleepCommand = .none
    #expect(capabilities(wiring) == PowerCapabilities(canSleep: false, canCut: true))
  }

  /// The capability is known when the receiver reports its identity.
  @Test("a receiver can sleep once its identity is known") func anUnknownReceiverCannotSleepYet() {
    var bench = Bench(PowerWiring(mechanism: .command))
    #expect(!bench.sequencer.capabilities.canSleep)
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    bench.want(.off)
    #expect(!bench.take().contains { $0.contains("cannot sleep") })
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    bench.step(.answer(.mtkVersion(MTKVersion(release: "AXN_5.1.7", build: "3333", product: ""))))
    #expect(
      bench.take().suffix(2).map { $0.drop { $0 != " " } } == [
        " is mediatek", " capabilities changed",
      ])
    #expect(bench.sequencer.capabilities == PowerCapabilities(canSleep: true, canCut: false))
  }

  /// An acknowledgement shows the protocol only; the identity that arrives later is still reported.
  @Test("an assumed family that is then confirmed is reported")
  func whatIsSupposedAndThenSaidIsTold() {
    var bench = Bench(PowerWiring(mechanism: .command))
    bench.want(.on)
    bench.pass(2, whileSpeaking: true)
    _ = bench.take()
    bench.step(.answer(.mtkStartup(1)))
    #expect(bench.take() == ["2.0 capabilities changed"])
    bench.step(.answer(.mtkVersion(MTKVersion(release: "AXN_5.1.7", build: "3333", product: ""))))
    #expect(bench.take().first == "2.0 is mediatek")
  }

  @Test(
    "without a backup supply only saved navigation data survives a cut",
    arguments: [
      (NavigationBackup.auto, true), (.none, false), (.flash, true), (.host, true),
    ])
  func withoutABackupSupplyOnlyKeptDataOutlivesACut(keeping: NavigationBackup, survives: Bool) {
    let wiring = PowerWiring(
      mechanism: .lines, lines: [.supply], hasBackupSupply: false, navigationBackup: keeping,
      family: .ubloxM8)
    #expect(capabilities(wiring).hasBackup == survives)
  }
}
