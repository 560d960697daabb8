import Neighbourhoods
import Core
import Testing
import VirtualDevice

/// Lives that were not used to find the constants: learnt on one half of the days, tested on the
/// other. The figures are in docs/results/radio-map.md; `godwit-neighbourhoods` prints them.
@Suite struct NeighbourhoodStudyTests {
  @Test("over many places the stated radius contains the truth in 68 ± 5 %")
  func everydayWorld() throws {
    var study = NeighbourhoodStudy()
    for seed in [601, 602, 603, 604] as [UInt64] {
      for life in Life.all { study.add(life, days: 6, seed: seed) }
    }
    let summary = TrialSummary(study.trials)
    #expect(summary.places > 200)
    #expect((0.63...0.73).contains(summary.coverage), "\(summary)")
    #expect(summary.median < 10, "\(summary)")
    #expect(summary.p90 < 40, "\(summary)")
  }

  @Test("access points that move or are mobile do not cause wrong locations")
  func restlessWorld() {
    var study = NeighbourhoodStudy()
    let world = AccessPointWorld(mobile: 0.3, movesInMonth: 0.3)
    for life in Life.all { study.add(life, days: 4, seed: 501, world: world) }
    let summary = TrialSummary(study.trials)
    #expect(summary.count > 300)
    #expect(summary.p90 < 40, "\(summary)")
    #expect(study.trials.allSatisfy { $0.error < 500 })
  }
}
