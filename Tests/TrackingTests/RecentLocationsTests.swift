import Core
import Testing

@testable import Tracking

/// The visit detector's memory of earlier locations.
@Suite struct RecentLocationsTests {
  @Test("neither the ways to and from a rest nor inaccurate locations decide its position")
  func restingPoint() throws {
    func point(_ seen: [PlanarLocation]) -> Double? {
      var path = RecentPath()
      for seen in seen { path.append(seen) }
      return path.restingPoint(since: 0)?.x
    }
    func seen(_ second: Int64, x: Double, sigma: Double = 5) -> PlanarLocation {
      PlanarLocation(time: second * 1_000_000_000, x: x, y: 0, sigma: sigma)
    }
    let arrival = [seen(0, x: -90), seen(10, x: -50), seen(20, x: 0)]
    let away = [seen(330, x: 80), seen(340, x: 160)]
    #expect(point(arrival + [seen(320, x: 1)] + away) == 0)
    // Three times as long, but with six times the error.
    #expect(point(arrival + [seen(320, x: 30, sigma: 30), seen(1220, x: 1)]) == 0)
    var assumed = seen(40, x: 50)
    assumed.isAssumed = true
    #expect(point(arrival + [assumed, seen(1220, x: 1)]) == 0, "nobody has seen it there")
  }

  @Test("the source of a location survives a restart") func kindOfLocation() {
    // A GNSS location is never marked coarse.
    for flags in 0..<8 where flags & 3 != 2 {
      let location = PlanarLocation(
        time: 1, x: 2, y: 3, speed: 4, sigma: 5, isFromCoarseSource: flags & 1 != 0,
        isCoarse: flags & 2 != 0, isAssumed: flags & 4 != 0)
      #expect(PlanarLocation.coding.value(PlanarLocation.coding.json(location)) == location)
    }
  }
}
