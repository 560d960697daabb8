import Core
import Testing

@Suite struct SphereTests {
  let amsterdam = Coordinate(latitude: 52.3731, longitude: 4.8922)
  let nicosia = Coordinate(latitude: 35.1856, longitude: 33.3823)

  @Test("a known distance is found") func knownDistance() {
    // By the spherical law of cosines on R1, an independent formula.
    #expect(abs(Sphere.distance(amsterdam, nicosia).value - 2_946_911.227) < 0.001)
    #expect(Sphere.distance(amsterdam, amsterdam) == 0)
  }

  @Test(
    "the destination is at the given distance and bearing",
    arguments: Array(stride(from: 0.0, to: 360.0, by: 17.0)))
  func destinationLiesAtTheDistanceAndBearing(bearing: Double) {
    let there = Sphere.destination(from: amsterdam, bearing: Degrees(bearing), distance: 5000)
    #expect(abs(Sphere.distance(amsterdam, there).value - 5000) < 0.001)
    #expect(abs(Sphere.bearing(from: amsterdam, to: there).value - bearing) < 0.001)
  }

  @Test("within 10 km the plane agrees with the sphere to 10 m")
  func planeAgreesWithSphereNearby() {
    let plane = LocalPlane(origin: amsterdam)
    for bearing in stride(from: 0.0, to: 360, by: 30) {
      let there = Sphere.destination(from: amsterdam, bearing: Degrees(bearing), distance: 10_000)
      let point = plane.point(there)
      let flat = plane.point(amsterdam).distance(to: point)
      #expect(abs(flat.value - 10_000) < 10)
      #expect(Sphere.distance(plane.coordinate(point), there) < 0.001)
    }
  }

  @Test("distances across the antimeridian are short") func antimeridianIsNoSeam() {
    let west = Coordinate(latitude: 10, longitude: 179.999)
    let east = Coordinate(latitude: 10, longitude: -179.999)
    let plane = LocalPlane(origin: west)
    #expect(plane.point(east).east > 0)
    #expect(plane.point(east).distance(to: plane.point(west)) < 250)
    #expect(Sphere.distance(west, east) < 250)
  }
}
