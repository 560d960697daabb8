import Core
import Records
import TestSupport
import Testing
import Tracking

@Suite struct TrajectorySimplifierTests {
  static func kept(_ locations: [Location], _ settings: TrajectorySettings) -> [Location] {
    var simplifier = TrajectorySimplifier(settings)
    var kept = locations.compactMap { simplifier.add($0) }
    if let end = simplifier.finish() { kept.append(end) }
    return kept
  }

  @Test("steady motion needs its ends only") func steadyMotionNeedsItsEndsOnly() {
    let settings = TrajectorySettings {
      $0.sedBound = 10
      $0.maxInterval = 3600
    }
    let kept = Self.kept((0..<1000).map { GroundTruth.location(Double($0), Double($0)) }, settings)
    #expect(kept.map(\.time) == [GroundTruth.time(0), GroundTruth.time(999)])
  }

  @Test("a stop on a straight line is kept") func aStopOnAStraightLineIsKept() {
    // The same line in space; only the times show that the board stood for five minutes.
    let way = (0..<900).map { second -> Location in
      let t = Double(second)
      return GroundTruth.location(t, t < 300 ? t * 10 : t < 600 ? 3000 : 3000 + (t - 600) * 10)
    }
    let kept = Self.kept(way, TrajectorySettings { $0.sedBound = 20 })
    #expect(kept.count >= 4)
    #expect(kept.count <= 8)
  }

  /// No dropped location is farther than the bound from the kept line at its own time.
  @Test(
    "no dropped location is farther from the line than the bound",
    arguments: [UInt64(1), 2, 3, 4, 5], [5.0, 25, 50])
  func theBoundHolds(seed: UInt64, bound: Double) {
    var dice = Dice(seed: seed)
    var x = 0.0
    var y = 0.0
    var time = 0.0
    var (vx, vy) = (1.0, 0.0)
    var locations: [Location] = []
    for _ in 0..<4000 {
      vx = vx * 0.98 + dice.normal
      vy = vy * 0.98 + dice.normal
      let step = dice.uniform < 0.02 ? dice.uniform * 120 : 1
      time += step
      x += vx * step
      y += vy * step
      locations.append(GroundTruth.location(time, x, y))
    }
    let kept = Self.kept(locations, TrajectorySettings { $0.sedBound = Metres(bound) })
    #expect(kept.first == locations.first)
    #expect(kept.last == locations.last)
    #expect(kept.count < locations.count)
    var worst = 0.0
    var segment = 0
    for location in locations {
      while segment + 2 < kept.count, kept[segment + 1].time < location.time { segment += 1 }
      let (a, b) = (kept[segment], kept[segment + 1])
      let share = (location.time - a.time) / (b.time - a.time)
      let plane = LocalPlane(origin: location.position)
      let (from, to) = (plane.point(a.position), plane.point(b.position))
      let there = LocalPlane.Point(
        east: from.east + (to.east - from.east) * share,
        north: from.north + (to.north - from.north) * share)
      worst = max(worst, there.distance(to: plane.point(location.position)).value)
    }
    // A centimetre for the curvature between two planes.
    #expect(worst <= bound + 0.01)
  }
}
