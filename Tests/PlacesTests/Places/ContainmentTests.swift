import Core
import Records
import Testing

@testable import Places

/// Expected values: scipy 1.17.1. Circles by `ncx2.cdf`, boxes as products of `norm.cdf`, the
/// triangle by `quad`; the deviation is the accuracy / 1.50959.
@Suite struct ContainmentTests {
  static let centre = Drawing.at(48, 11)

  static func location(
    _ accuracy: Double, east: Double, north: Double = 0
  ) -> Location {
    let position = LocalPlane(origin: centre).coordinate(
      .init(east: Metres(east), north: Metres(north)))
    return Location(
      time: UTCInstant(seconds: 0), position: position, accuracy: Metres(accuracy))
  }

  static func ring(_ corners: [(Double, Double)]) -> [Coordinate] {
    let plane = LocalPlane(origin: centre)
    let open = corners.map { plane.coordinate(.init(east: Metres($0.0), north: Metres($0.1))) }
    return open + open.prefix(1)
  }

  static func box(_ width: Double, _ height: Double) -> [Coordinate] {
    ring([(-width, -height), (width, -height), (width, height), (-width, height)])
  }

  static let circles: [(accuracy: Double, radius: Double, distance: Double, inside: Double)] = [
    (5, 50, 0, 1.000000), (10, 50, 45, 0.753257), (10, 50, 50, 0.473514),
    (10, 50, 55, 0.206649), (50, 50, 0, 0.680000), (50, 50, 30, 0.543266),
    (50, 50, 50, 0.357372), (100, 50, 0, 0.247879), (100, 50, 80, 0.131781),
    (300, 100, 0, 0.118917), (300, 100, 150, 0.091028), (20, 400, 380, 0.932229),
    (20, 400, 400, 0.493392), (20, 400, 430, 0.011293), (3, 1000, 998, 0.842648),
    (3, 1000, 1001, 0.307064), (1000, 100, 500, 0.008535), (30, 100, 20, 0.999933),
    (30, 100, 80, 0.814505), (30, 100, 130, 0.055138), (60, 100, 90, 0.514147),
    (60, 100, 140, 0.119587), (60, 100, 200, 0.003956),
  ]

  @Test("circles agree with the noncentral chi-squared distribution", arguments: circles)
  func circle(accuracy: Double, radius: Double, distance: Double, inside: Double) throws {
    let region = PlaceRegion(.circle(radius: Metres(radius)), around: Self.centre)
    let found = try #require(
      Containment(of: Self.location(accuracy, east: distance), in: region))
    #expect(abs(found.probabilityInside - inside) < 0.002)
    #expect(abs(found.signedDistance.value - (distance - radius)) < 0.01)
  }

  static let boxes: [(accuracy: Double, east: Double, north: Double, solid: Double, ring: Double)] =
    [
      (5, 0, 0, 1.000000, 0.000000), (10, 0, 45, 0.774814, 0.774734),
      (10, 0, 50, 0.500000, 0.499997), (10, 100, 50, 0.250000, 0.250000),
      (10, 105, 55, 0.050709, 0.050709), (30, 0, 0, 0.988130, 0.517843),
      (30, 90, 0, 0.684366, 0.684220), (60, 0, 0, 0.782210, 0.633850),
      (60, 120, 70, 0.094113, 0.093584), (200, 0, 0, 0.161658, 0.147260),
      (200, 300, 0, 0.018914, 0.017783), (5, 20, 20, 1.000000, 0.750000),
      (5, 10, 0, 1.000000, 0.001267), (30, 20, 0, 0.988102, 0.660349),
    ]

  @Test("a box of 200 by 100 m, solid and with a hole of 40 m, agrees", arguments: boxes)
  func box(accuracy: Double, east: Double, north: Double, solid: Double, ring: Double) throws {
    let location = Self.location(accuracy, east: east, north: north)
    let whole = Drawing.region(Self.box(100, 50))
    let pierced = Drawing.region(Self.box(100, 50), Self.box(20, 20))
    let first = try #require(Containment(of: location, in: whole))
    let second = try #require(Containment(of: location, in: pierced))
    #expect(abs(first.probabilityInside - solid) < 0.002)
    #expect(abs(second.probabilityInside - ring) < 0.002)
  }

  static let triangles: [(accuracy: Double, east: Double, north: Double, inside: Double)] = [
    (20, 50, 50, 0.999839), (20, 0, 0, 0.250000), (20, 150, 100, 0.500000),
    (60, 100, 60, 0.866511), (60, 300, 0, 0.093584), (150, 100, 60, 0.351835),
    (300, 400, 300, 0.019421), (40, -20, 100, 0.224991), (10, 295, 1, 0.205429),
  ]

  @Test("a triangle agrees", arguments: triangles)
  func triangle(accuracy: Double, east: Double, north: Double, inside: Double) throws {
    let region = Drawing.region(Self.ring([(0, 0), (300, 0), (0, 200)]))
    let found = try #require(
      Containment(of: Self.location(accuracy, east: east, north: north), in: region))
    #expect(abs(found.probabilityInside - inside) < 0.002)
  }

  @Test("a polygon close to a circle has the circle's probability, at any error")
  func polygonLikeACircle() throws {
    let corners = (0..<2000).map {
      Sphere.destination(
        from: Self.centre, bearing: Degrees(Double($0) * 0.18), distance: 400)
    }
    let polygon = Drawing.region(corners + corners.prefix(1))
    let circle = PlaceRegion(.circle(radius: 400), around: Self.centre)
    for accuracy in [2.0, 10, 50, 200, 1000, 20_000] {
      for east in stride(from: 0.0, through: 1200, by: 57) {
        let location = Self.location(accuracy, east: east)
        let a = try #require(Containment(of: location, in: polygon)).probabilityInside
        let b = try #require(Containment(of: location, in: circle)).probabilityInside
        #expect(abs(a - b) < 0.002)
      }
    }
  }

  @Test("a straight edge has the normal distribution, a large circle and a large box nearly so")
  func straightEdge() throws {
    // norm.cdf of 0, 1, -1, 1.6449 deviations.
    let error = CircularError(deviation: 10)
    for (deviations, inside) in [(0.0, 0.5), (1, 0.841345), (-1, 0.158655), (1.644854, 0.95)] {
      let found = error.probability(withinStraightEdgeAt: Metres(-10 * deviations))
      #expect(abs(found - inside) < 1e-6)
      let large = Drawing.region(Self.box(3000, 3000))
      let location = Self.location(10 * 1.509592, east: 3000 - 10 * deviations)
      let box = try #require(Containment(of: location, in: large))
      #expect(abs(box.probabilityInside - inside) < 0.01)
      let circle = PlaceRegion(.circle(radius: 3000), around: Self.centre)
      #expect(
        abs(try #require(Containment(of: location, in: circle)).probabilityInside - inside) < 0.002)
    }
  }

  @Test("the result is inside from 0.9, outside from 0.95, and unknown between")
  func verdicts() throws {
    let region = PlaceRegion(.circle(radius: 100), around: Self.centre)
    func verdict(_ accuracy: Double, _ east: Double) throws -> Containment.Verdict {
      try #require(Containment(of: Self.location(accuracy, east: east), in: region)).verdict
    }
    #expect(try verdict(20, 20) == .inside)
    #expect(try verdict(20, 100) == .unknown)
    #expect(try verdict(20, 200) == .outside)
    #expect(try verdict(300, 0) == .unknown)
  }

  @Test("an invalid location decides nothing", arguments: [Double.nan, .infinity, -1])
  func nothing(accuracy: Double) {
    let region = PlaceRegion(.circle(radius: 100), around: Self.centre)
    #expect(Containment(of: Self.location(accuracy, east: 0), in: region) == nil)
    var location = Self.location(10, east: 0)
    location.position.latitude = .init(.nan)
    #expect(Containment(of: location, in: region) == nil)
    #expect(Containment(of: Self.location(0, east: 0), in: region)?.verdict == .inside)
  }
}
