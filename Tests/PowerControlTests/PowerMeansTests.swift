import PowerControl
import Testing
import Tracking

/// What the tracker is told of the wiring.
@Suite struct PowerMeansTests {
  @Test func aBoardWithoutASwitchCanDoNothing() {
    #expect(PowerMeans(PowerWiring()) == PowerMeans(canSleep: false, canCut: false))
  }

  @Test func aSupplyLineCutsAndACommandSleeps() {
    let both = PowerWiring(means: .lines, lines: [.supply])
    #expect(PowerMeans(both) == PowerMeans(canSleep: true, canCut: true))
    let cut = PowerWiring(means: .lines, lines: [.supply], sleepCommand: .none)
    #expect(PowerMeans(cut) == PowerMeans(canSleep: false, canCut: true))
    #expect(
      PowerMeans(PowerWiring(means: .command)) == PowerMeans(canSleep: true, canCut: false))
  }

  @Test(arguments: [
    (OrbitKeeping.auto, false), (.none, false), (.flash, true), (.host, true),
  ])
  func withoutABackupSupplyOnlyKeptOrbitsOutliveACut(keeping: OrbitKeeping, survives: Bool) {
    let wiring = PowerWiring(
      means: .lines, lines: [.supply], hasBackupSupply: false, orbitKeeping: keeping)
    #expect(PowerMeans(wiring).hasBackup == survives)
  }
}
