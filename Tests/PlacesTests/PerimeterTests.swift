import Geodesy
import Quantities
import Testing

@testable import Places

@Suite struct PerimeterTests {
  @Test("the distance to a box's edge is negative inside and positive outside") func box() {
    let region = Drawing.region(Drawing.box(west: 10, south: 50, east: 10.1, north: 50.1))
    let degree = Sphere.degree.value
    #expect(abs(region.signedDistance(from: Drawing.at(50.05, 10.05)).value + 3568) < 10)
    #expect(abs(region.signedDistance(from: Drawing.at(50.12, 10.05)).value - 0.02 * degree) < 5)
    #expect(abs(region.signedDistance(from: Drawing.at(50.095, 10.05)).value + 0.005 * degree) < 1)
    #expect(abs(region.signedDistance(from: Drawing.at(50.1, 10.05)).value) < 0.15)
    #expect(region.contains(Drawing.at(50.05, 10.05)))
    #expect(!region.contains(Drawing.at(50.05, 10.11)))
    #expect(!region.contains(Drawing.at(-50.05, 10.05)))
    #expect(!region.contains(Drawing.at(50.05, -170)))
  }

  @Test("inside of a hole is outside") func hole() {
    let region = Drawing.region(
      Drawing.box(west: 10, south: 50, east: 10.1, north: 50.1),
      Drawing.box(west: 10.04, south: 50.04, east: 10.06, north: 50.06).reversed())
    let solid = Drawing.region(Drawing.box(west: 10, south: 50, east: 10.1, north: 50.1))
    let hole = Drawing.region(Drawing.box(west: 10.04, south: 50.04, east: 10.06, north: 50.06))
    #expect(region.signedDistance(from: Drawing.at(50.05, 10.05)) > 700)
    #expect(region.signedDistance(from: Drawing.at(50.03, 10.05)) < -1100)
    #expect(abs((region.area + hole.area).value / solid.area.value - 1) < 1e-9)
  }

  @Test("rings answer alike in either orientation") func orientation() {
    let outer = Drawing.box(west: 10, south: 50, east: 10.1, north: 50.1)
    let hole = Drawing.box(west: 10.04, south: 50.04, east: 10.06, north: 50.06)
    let regions = [
      Drawing.region(outer, hole), Drawing.region(outer.reversed(), hole),
      Drawing.region(outer, hole.reversed()), Drawing.region(outer.reversed(), hole.reversed()),
    ]
    for point in [Drawing.at(50.05, 10.05), Drawing.at(50.01, 10.02), Drawing.at(50.2, 10)] {
      let distances = regions.map { $0.signedDistance(from: point).value }
      #expect(distances.allSatisfy { abs($0 - distances[0]) < 1e-6 })
    }
    #expect(Set(regions.map { ($0.area.value / 100).rounded() }).count == 1)
  }
}
