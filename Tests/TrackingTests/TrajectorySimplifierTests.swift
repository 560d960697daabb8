import Quantities
import Testing
import Tracking

@Suite struct TrajectorySimplifierTests {
  @Test func steadyMotionNeedsItsEndsOnly() {
    var simplifier = TrajectorySimplifier(TrajectorySettings(bound: 10, longestInterval: 3600))
    var kept = (0..<1000).compactMap { simplifier.take(Carrier.sighting(Double($0), Double($0))) }
    if let end = simplifier.finish() { kept.append(end) }
    #expect(kept.map(\.time) == [Carrier.time(0), Carrier.time(999)])
  }
}
