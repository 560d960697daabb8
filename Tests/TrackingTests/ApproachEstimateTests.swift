import Core
import Places
import Records
import Testing

@testable import Tracking

/// Checks Dias 2011, section 4.6, equation by equation.
@Suite struct ApproachEstimateTests {
  private static func sighting(
    _ location: Location, _ second: Double
  ) -> ApproachEstimate.Sighting {
    ApproachEstimate.Sighting(location: location, at: PlaceExamples.at(second))
  }

  /// From one position to the next, in a minute, with a place of 100 m around the road's start.
  private static func estimate(
    from last: (east: Double, north: Double)?, to new: (east: Double, north: Double),
    speed: MetresPerSecond? = 10, accuracy: Metres = 5, radius: Metres = 100
  ) -> ApproachEstimate {
    ApproachEstimate(
      from: sighting(
        PlaceExamples.location(
          east: new.east, north: new.north, accuracy: accuracy, speed: speed), 60),
      after: last.map { sighting(PlaceExamples.location(east: $0.east, north: $0.north), 0) },
      to: PlaceExamples.place(east: 0, radius: radius).region)
  }

  private static func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 0.001 }

  @Test("1: distance counts seven parts, direction three") func margin() {
    #expect(Self.isNear(ApproachEstimate.margin(distanceWeight: 0.5, directionWeight: 1), 0.65))
    #expect(ApproachEstimate.margin(distanceWeight: 0, directionWeight: 0) == 0)
    #expect(ApproachEstimate.margin(distanceWeight: 1, directionWeight: 1) == 1)
  }

  @Test("4: the share of the distance covered, and 0 when moving away") func distanceWeight() {
    func weight(_ last: Metres, _ new: Metres) -> Double {
      ApproachEstimate.distanceWeight(lastDistance: last, newDistance: new)
    }
    #expect(weight(1000, 400) == 0.6)
    #expect(weight(1000, 1000) == 0)
    #expect(weight(1000, 1200) == 0)
    #expect(weight(1000, 0) == 1)
    #expect(weight(0, 0) == 0, "at the edge nothing is divided by nothing")
    #expect(weight(Metres(.nan), 5) == 0)
  }

  @Test("5 to 8: straight ahead 1, at 45 degrees a half, from 90 on nothing")
  func directionWeight() {
    func weight(east: Double, north: Double, accuracy: Metres = 5) -> Double {
      ApproachEstimate.directionWeight(
        from: PlaceExamples.position(east: 0),
        to: PlaceExamples.location(east: east, north: north, accuracy: accuracy),
        target: PlaceExamples.position(east: east, north: north + 10_000))
    }
    #expect(Self.isNear(weight(east: 0, north: 500), 1))
    #expect(abs(weight(east: 500, north: 500) - 0.5) < 0.01)
    #expect(weight(east: 500, north: -10) == 0)
    #expect(weight(east: 0, north: -500) == 0)
    #expect(weight(east: 0, north: 5, accuracy: 6) == 0, "within the error there is no direction")
    #expect(weight(east: 0, north: 0, accuracy: 0) == 0, "nor where it has not moved")
  }

  @Test("7: directions are at most 180 degrees apart") func angleDifference() {
    #expect(ApproachEstimate.angleDifference(350, 10) == 20)
    #expect(ApproachEstimate.angleDifference(10, 350) == 20)
    #expect(ApproachEstimate.angleDifference(0, 180) == 180)
    #expect(ApproachEstimate.angleDifference(90, 30) == 60)
  }

  @Test("9: x / 90 below 90 degrees, then 1") func weight() {
    #expect(ApproachEstimate.weight(0) == 0)
    #expect(ApproachEstimate.weight(45) == 0.5)
    #expect(ApproachEstimate.weight(89.1) == 0.99)
    #expect(ApproachEstimate.weight(90) == 1)
    #expect(ApproachEstimate.weight(180) == 1)
  }

  @Test("10: straight ahead from 2100 to 1100 m, at 10 m/s") func straight() {
    // Distances to the edge 2000 and 1000 m: DistanceW 0.5, DirectionW 1, ME 0.65; 100 s x 0.35.
    let estimate = Self.estimate(from: (-2100, 0), to: (-1100, 0))
    #expect(Self.isNear(estimate.distanceWeight, 0.5))
    #expect(Self.isNear(estimate.directionWeight, 1))
    #expect(Self.isNear(estimate.margin, 0.65))
    #expect(abs(estimate.unhurried.value - 100) < 0.1)
    #expect(abs(estimate.time.value - 35) < 0.1)
  }

  @Test("10: moving away, the time is that of the way back") func away() {
    let estimate = Self.estimate(from: (-1100, 0), to: (-2100, 0))
    #expect(estimate.margin == 0)
    #expect(abs(estimate.time.value - 200) < 0.1)
  }

  @Test("10: across, only the distance counts") func across() {
    // North by 1000 m, 1000 m beside the target: from 1414 to 1000 m away, less the radius.
    let estimate = Self.estimate(from: (-1000, -1000), to: (-1000, 0))
    #expect(estimate.directionWeight < 0.001)
    #expect(abs(estimate.distanceWeight - (1314.2 - 900) / 1314.2) < 0.001)
    #expect(abs(estimate.time.value - 90 * (1 - 0.7 * 0.3152)) < 0.1)
  }

  @Test("at the beginning the margin is high: no time is left") func launch() {
    let estimate = Self.estimate(from: nil, to: (-1100, 0))
    #expect(estimate.margin == 1)
    #expect(estimate.time == 0)
    #expect(abs(estimate.unhurried.value - 100) < 0.1)
  }

  @Test("from inside, the distance is to the edge ahead") func inside() {
    // From the centre 200 m to the east, in a radius of 500 m: outwards.
    let outwards = Self.estimate(from: (0, 0), to: (200, 0), radius: 500)
    #expect(Self.isNear(outwards.directionWeight, 1))
    #expect(Self.isNear(outwards.distanceWeight, 0.4))
    #expect(abs(outwards.unhurried.value - 30) < 0.1)
    let inwards = Self.estimate(from: (400, 0), to: (200, 0), radius: 500)
    #expect(inwards.margin == 0)
  }

  @Test("a speed of 0 or none causes no division by zero") func speeds() {
    #expect(abs(Self.estimate(from: nil, to: (-1100, 0), speed: 0).unhurried.value - 1000) < 1)
    // 1000 m in the previous minute.
    let told = Self.estimate(from: (-2100, 0), to: (-1100, 0), speed: nil)
    #expect(abs(told.unhurried.value - 60) < 0.1)
    let nan = Self.estimate(from: (-2100, 0), to: (-1100, 0), speed: MetresPerSecond(.nan))
    #expect(abs(nan.unhurried.value - 60) < 0.1)
    let infinite = Self.estimate(
      from: (-2100, 0), to: (-1100, 0), speed: MetresPerSecond(.infinity))
    #expect(abs(infinite.unhurried.value - 60) < 0.1)
    #expect(abs(Self.estimate(from: nil, to: (-1100, 0), speed: nil).unhurried.value - 1000) < 1)
  }

  @Test("the time never exceeds that at the present speed, and is not negative")
  func bounds() {
    for angle in stride(from: 0.0, to: 360, by: 15) {
      for way in [0.0, 3, 50, 900, 5000] {
        let to = Sphere.destination(
          from: PlaceExamples.position(east: -1500), bearing: Degrees(angle),
          distance: Metres(way))
        let plane = LocalPlane(origin: PlaceExamples.start).point(to)
        let estimate = Self.estimate(
          from: (-1500, 0), to: (plane.east.value, plane.north.value))
        #expect(estimate.time >= 0 && estimate.time <= estimate.unhurried)
        #expect((0...1).contains(estimate.margin))
      }
    }
  }

  @Test("a place across the antimeridian has its centre there") func antimeridian() {
    let middle = Coordinate(latitude: 10, longitude: 180)
    let region = PlaceRegion(.circle(radius: 100), around: middle)
    func sighting(_ east: Double, _ second: Double) -> ApproachEstimate.Sighting {
      let position = LocalPlane(origin: middle).coordinate(
        .init(east: Metres(east), north: 0))
      return ApproachEstimate.Sighting(
        location: Location(
          time: UTCInstant(seconds: 1_780_000_000), position: position, accuracy: 5, speed: 10),
        at: PlaceExamples.at(second))
    }
    let estimate = ApproachEstimate(from: sighting(1100, 60), after: sighting(2100, 0), to: region)
    #expect(abs(estimate.time.value - 35) < 0.1)
  }
}
