import Core
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

  @Test("the inside of a hole is outside") func hole() {
    let region = Drawing.region(
      Drawing.box(west: 10, south: 50, east: 10.1, north: 50.1),
      Drawing.box(west: 10.04, south: 50.04, east: 10.06, north: 50.06).reversed())
    let solid = Drawing.region(Drawing.box(west: 10, south: 50, east: 10.1, north: 50.1))
    let hole = Drawing.region(Drawing.box(west: 10.04, south: 50.04, east: 10.06, north: 50.06))
    #expect(region.signedDistance(from: Drawing.at(50.05, 10.05)) > 700)
    #expect(region.signedDistance(from: Drawing.at(50.03, 10.05)) < -1100)
    #expect(abs((region.area + hole.area).value / solid.area.value - 1) < 1e-9)
  }

  @Test(
    "a polygon of 10,000 corners is validated, and measures like the circle that it approximates")
  func manyCorners() throws {
    let centre = Drawing.at(52, 5)
    let corners = (0..<10_000).map {
      Sphere.destination(from: centre, bearing: Degrees(Double($0) * 0.036), distance: 5000)
    }
    let perimeter = Perimeter.polygons([.init(outer: corners + corners.prefix(1))])
    try perimeter.check()
    let polygon = PlaceRegion(perimeter, around: centre)
    let circle = PlaceRegion(.circle(radius: 5000), around: centre)
    for bearing in stride(from: 0.0, to: 360, by: 41) {
      for metres in [0.0, 2000, 4990, 5010, 12_000, 25_000] {
        let position = Sphere.destination(
          from: centre, bearing: Degrees(bearing), distance: Metres(metres))
        let difference =
          polygon.signedDistance(from: position) - circle.signedDistance(from: position)
        #expect(difference.magnitude < 0.1)
      }
    }
    #expect(abs(polygon.area / circle.area - 1) < 1e-5)
  }

  @Test("rings give the same result in either orientation") func orientation() {
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
