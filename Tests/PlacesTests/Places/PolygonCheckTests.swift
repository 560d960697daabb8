import Core
import TestSupport
import Testing

@testable import Places

@Suite struct PolygonCheckTests {
  static let square = Drawing.box(west: 10, south: 50, east: 11, north: 51)
  static let small = Drawing.box(west: 10.4, south: 50.4, east: 10.6, north: 50.6)
  static let tiny = Drawing.box(west: 10.45, south: 50.45, east: 10.55, north: 50.55)

  static func fault(_ polygons: PerimeterPolygon...) -> PlaceError? {
    do {
      try Perimeter.polygons(polygons).check()
      return nil
    } catch {
      return error
    }
  }

  static func fault(_ outer: [Coordinate], _ holes: [Coordinate]...) -> PlaceError? {
    fault(PerimeterPolygon(outer: outer, holes: holes))
  }

  @Test("well-formed polygons are accepted, in either orientation") func good() {
    #expect(Self.fault(Self.square) == nil)
    #expect(Self.fault(Self.square.reversed(), Self.small) == nil)
    #expect(Self.fault(Self.square, Self.small.reversed()) == nil)
    // A polygon within the hole of another one.
    #expect(
      Self.fault(
        PerimeterPolygon(outer: Self.square, holes: [Self.small]),
        PerimeterPolygon(outer: Self.tiny)) == nil)
  }

  @Test("polygons over the antimeridian and round the poles are accepted") func wholeEarth() {
    #expect(Self.fault(Drawing.ring((179, -17), (-179, -17), (-179, -16), (179, -16))) == nil)
    #expect(
      Self.fault(
        PerimeterPolygon(outer: Drawing.box(west: 179, south: -17, east: 180, north: -16)),
        PerimeterPolygon(outer: Drawing.box(west: -180, south: -17, east: -179, north: -16)))
        == nil)
    #expect(
      Self.fault(
        Drawing.ring(
          (-180, -90), (-180, -80), (-90, -79), (0, -80), (90, -79), (180, -80), (180, -90)))
        == nil)
    #expect(Self.fault(Drawing.ring((-120, 80), (0, 80), (120, 80))) == nil)
  }

  @Test("corners over the antimeridian are shared however they are written") func rounding() {
    var random = SplitMix(seed: 1)
    for _ in 0..<200 {
      let middle = Drawing.at(
        .random(in: -80...80, using: &random), .random(in: 179.98...180, using: &random))
      let open = [(0.031, 0.0), (0.01, 0.029), (-0.024, 0.017), (-0.026, -0.019), (0.009, -0.028)]
        .map { east, north in
          Coordinate(
            latitude: middle.latitude + Degrees(north),
            longitude: Sphere.normalizedLongitude(middle.longitude + Degrees(east)))
        }
      #expect(Self.fault(open + open.prefix(1)) == nil)
      #expect(Self.fault((open + open.prefix(1)).reversed()) == nil)
    }
  }

  @Test("a ring that does not end at its start is open") func open() {
    let error = Self.fault(Array(Self.square.dropLast()))
    #expect(error?.fault == .openRing)
    #expect(error?.path == "polygons[0].outer")
    #expect(error?.reason == "the ring is open: repeat its first position as its last")
  }

  @Test("a ring has at least four positions") func short() {
    let a = Drawing.at(50, 10)
    let b = Drawing.at(51, 10)
    for ring in [[a, b, a], [a, a, a, a], [a, a], [a]] {
      #expect(Self.fault(ring)?.fault == .shortRing)
    }
    #expect(Self.fault([])?.fault == .shortRing)
    #expect(Self.fault([a, b, b, a])?.fault == .shortRing)
  }

  @Test("an invalid position is refused with its number") func noPosition() {
    var ring = Self.square
    ring[2].latitude = .init(.nan)
    #expect(Self.fault(ring)?.fault == .outOfRange)
    #expect(Self.fault(ring)?.path == "polygons[0].outer[2]")
    ring[2] = Drawing.at(50, 181)
    #expect(Self.fault(ring)?.fault == .outOfRange)
    ring[2] = Drawing.at(.infinity, 0)
    #expect(Self.fault(ring)?.fault == .outOfRange)
  }

  @Test("a ring that crosses, touches or retraces itself is not simple") func notSimple() {
    let rings = [
      Drawing.ring((10, 50), (11, 51), (11, 50), (10, 51)),
      Drawing.ring((10, 50), (11, 50), (10.5, 50), (10.5, 51)),
      Drawing.ring((10, 50), (11, 50), (11, 51), (10.5, 50), (10, 51)),
      Drawing.ring((10, 50), (11, 50), (12, 50)),
      Drawing.ring((179, 0), (-179, 1), (-179, 0), (179, 1)),
    ]
    for ring in rings { #expect(Self.fault(ring)?.fault == .notSimple) }
  }

  @Test("both of two crossing rings are named") func crossing() {
    let error = Self.fault(
      Self.square, Drawing.box(west: 10.5, south: 50.2, east: 11.5, north: 50.4))
    #expect(error?.fault == .crossing)
    #expect(error?.path == "polygons[0].holes[0]")
    #expect(error?.reason.contains("polygons[0].outer") == true)
  }

  @Test("a hole is within its outer ring and within no other hole") func holes() {
    let far = Drawing.box(west: 20, south: 50, east: 20.1, north: 50.1)
    #expect(Self.fault(Self.square, far)?.fault == .strayHole)
    #expect(Self.fault(Self.square, Self.small, Self.tiny)?.fault == .strayHole)
    #expect(Self.fault(Self.square, Self.small, Self.tiny)?.path == "polygons[0].holes[1]")
    #expect(Self.fault(Self.small, Self.square)?.fault == .strayHole)
  }

  @Test("polygons of one perimeter do not overlap") func overlapping() {
    let error = Self.fault(
      PerimeterPolygon(outer: Self.square), PerimeterPolygon(outer: Self.small))
    #expect(error?.fault == .overlapping)
    #expect(error?.path == "polygons[1]")
  }

  @Test("an edge half round the Earth is ambiguous") func halfRound() {
    let ring = Drawing.ring((-90, 10), (90, 10), (90, 20), (-90, 20))
    #expect(Self.fault(ring)?.fault == .malformed)
  }

  @Test("all sizes are limited") func limits() {
    #expect(Self.fault()?.fault == .missing)
    let many = (0...PlaceLimits.polygons).map { _ in PerimeterPolygon(outer: Self.square) }
    #expect(throws: PlaceError.self) { try Perimeter.polygons(many).check() }
    let corners = Array(repeating: Drawing.at(1, 1), count: PlaceLimits.corners + 1)
    #expect(Self.fault(corners)?.fault == .tooMany)
    let holes = Array(repeating: Self.small, count: PlaceLimits.rings)
    #expect(Self.fault(PerimeterPolygon(outer: Self.square, holes: holes))?.fault == .tooMany)
    for radius in [0.5, -1, .nan, .infinity, 2e7] {
      #expect(throws: PlaceError.self) {
        try Perimeter.circle(radius: Metres(radius)).check()
      }
    }
  }
}
