import Core
import Testing

@Suite struct SphericalRegionTests {
  static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }

  /// From longitude-latitude pairs in GeoJSON's order, closed.
  static func ring(_ corners: [(Double, Double)]) -> [Coordinate] {
    let open = corners.map { at($0.1, $0.0) }
    return open + open.prefix(1)
  }

  static func region(_ rings: [(Double, Double)]...) -> SphericalRegion {
    SphericalRegion(rings.map { (ring($0), []) })
  }

  static func distance(_ region: SphericalRegion, _ latitude: Double, _ longitude: Double)
    -> Double
  {
    region.signedDistance(from: at(latitude, longitude)).value
  }

  /// Samples every edge at 2000 steps, linear in longitude and latitude: an independent measure.
  static func sampled(_ corners: [(Double, Double)], from position: Coordinate) -> Double {
    var least = Double.infinity
    for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      for step in 0...2000 {
        let part = Double(step) / 2000
        let point = at(a.1 + (b.1 - a.1) * part, a.0 + (b.0 - a.0) * part)
        least = min(least, Sphere.distance(position, point).value)
      }
    }
    return least
  }

  @Test("the inside of an anticlockwise ring is on the left, wherever it is") func orientation() {
    let rings: [[(Double, Double)]] = [
      [(0, 0), (1, 0), (1, 1), (0, 1)], [(179, -1), (-179, -1), (-179, 1), (179, 1)],
      // Eastwards round a pole with the pole inside, and westwards round the other one.
      [(-120, 80), (0, 80), (120, 80)], [(120, -80), (0, -80), (-120, -80)],
    ]
    for ring in rings.map(Self.ring) {
      #expect(SphericalRegion.isInsideLeft(of: ring))
      #expect(!SphericalRegion.isInsideLeft(of: ring.reversed()))
    }
  }

  @Test(
    "up to 20 km from the edge the distance is accurate to 0.5 %",
    arguments: [0.0, 35, -52, 68, 80, -85])
  func distances(latitude: Double) {
    // 40 km high, and at least as wide.
    let corners = [
      (10.0, latitude), (10.8, latitude + 0.05), (11.3, latitude + 0.36), (10.4, latitude + 0.2),
      (9.9, latitude + 0.3),
    ]
    let region = Self.region(corners)
    for bearing in stride(from: 0.0, to: 360, by: 37) {
      for metres in [0.0, 700, 3000, 9000, 20_000] {
        let position = Sphere.destination(
          from: Self.at(latitude + 0.1, 10.4), bearing: Degrees(bearing), distance: Metres(metres))
        let truth = Self.sampled(corners, from: position)
        let found = region.signedDistance(from: position).value
        #expect(abs(found.magnitude - truth) <= max(truth * 0.005, 30))
        #expect((found < 0) == region.contains(position))
      }
    }
  }

  @Test("long edges follow their parallel, as RFC 7946 requires") func parallels() {
    let region = Self.region([(0, 60), (40, 60), (40, 70), (0, 70)])
    // The great circle would be 240 km farther north here.
    #expect(abs(Self.distance(region, 60.01, 20) + 0.01 * Sphere.degree.value) < 1)
    #expect(abs(Self.distance(region, 59.99, 20) - 0.01 * Sphere.degree.value) < 1)
    let zone = 2 * Double.pi / 9 * (0.939_692_620_786 - 0.866_025_403_784)
    #expect(abs(region.area.value / (zone * 6_371_008.7714 * 6_371_008.7714) - 1) < 1e-6)
  }

  @Test("a polygon over the antimeridian is one region, whole or cut") func antimeridian() {
    let whole = Self.region([(179, -17), (-179, -17), (-179, -16), (179, -16)])
    let cut = Self.region(
      [(179, -17), (180, -17), (180, -16), (179, -16)],
      [(-180, -17), (-179, -17), (-179, -16), (-180, -16)])
    for region in [whole, cut] {
      #expect(region.box == GeographicBox(west: 179, south: -17, east: -179, north: -16))
      #expect(region.box.crossesAntimeridian)
      // The cut is not an edge.
      #expect(abs(Self.distance(region, -16.5, 180) + 55_597) < 100)
      #expect(abs(Self.distance(region, -16.5, -180) + 55_597) < 100)
      #expect(abs(Self.distance(region, -16.5, 179.9) + 55_597) < 100)
      #expect(Self.distance(region, -16.5, 178.9) > 10_000)
      #expect(Self.distance(region, -16.5, -178.9) > 10_000)
      #expect(Self.distance(region, -16.5, 0) > 1_000_000)
    }
    #expect(abs(whole.area / cut.area - 1) < 1e-9)
  }

  @Test("a region round a pole is one region, along the map's edges or once around") func poles() {
    let corners = stride(from: -180.0, to: 180, by: 30).map { ($0, -80.0) }
    let around = Self.region(corners)
    let map = Self.region(
      [(-180, -90)] + corners + [(180, -80), (180, -90)])
    let backwards = Self.region(corners.reversed())
    let degree = Sphere.degree.value
    for region in [around, map, backwards] {
      #expect(region.box == GeographicBox(west: -180, south: -90, east: 180, north: -80))
      #expect(abs(Self.distance(region, -90, 0) + 10 * degree) < 1)
      #expect(abs(Self.distance(region, -85, 180) + 5 * degree) < 1)
      #expect(abs(Self.distance(region, -79, 77) - degree) < 1)
      #expect(Self.distance(region, 85, 0) > 10_000_000)
      let cap = SphericalCap(centre: Self.at(-90, 0), radius: Metres(10 * degree))
      #expect(abs(region.area / cap.area - 1) < 1e-6)
    }
    let north = Self.region(corners.map { ($0.0, 70) })
    #expect(north.contains(Self.at(90, 0)))
    #expect(north.box.north == 90)
    #expect(!north.contains(Self.at(-90, 0)))
  }

  @Test("parts that share a border have no edge there") func border() {
    let region = Self.region(
      [(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0), (2, 1), (1, 1)])
    #expect(abs(Self.distance(region, 0.5, 1) + 55_597) < 100)
  }

  @Test("a circle's box touches it, over the antimeridian and at a pole") func caps() {
    let cap = SphericalCap(centre: Self.at(60, 179.9), radius: 50_000)
    #expect(cap.box.crossesAntimeridian)
    for bearing in stride(from: 0.0, to: 360, by: 1) {
      let edge = Sphere.destination(
        from: cap.centre, bearing: Degrees(bearing), distance: cap.radius * 0.9999)
      #expect(cap.box.contains(edge))
      #expect(cap.signedDistance(from: edge) < 0)
    }
    #expect(abs(cap.box.north.value - (60 + cap.radius / Sphere.degree)) < 1e-9)
    let polar = SphericalCap(centre: Self.at(89.9, 0), radius: 50_000).box
    #expect((polar.west, polar.east, polar.north) == (-180, 180, 90))
    #expect(abs(cap.area.value / (.pi * 2.5e9) - 1) < 1e-4)
  }
}
