import Core
import Records
import TestSupport
import Testing

@testable import Tracking

/// A stay that no location has shown is placed between the ways to it and from it.
@Suite struct StayPlaceTests {
  static func moving(_ second: Double, _ east: Double, _ speed: Double, course: Degrees)
    -> Location
  {
    var location = GroundTruth.location(second, east)
    location.speed = MetresPerSecond(speed)
    location.track = course
    return location
  }

  static func arrival(_ second: Double, isSensed: Bool = true) -> UnseenArrival {
    UnseenArrival(
      time: GroundTruth.time(second).nanoseconds,
      latest: GroundTruth.time(second + 13).nanoseconds, isSensed: isSensed)
  }

  /// A drive to a house at 0 m that a sensor sees end at 1,000 s, and one on from it that begins at
  /// 5,000 s. There is no signal within 200 m.
  static func drive(leavingEast: Bool = true) -> [Visit] {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var changes: [VisitChange] = []
    for second in stride(from: 500.0, through: 960, by: 20) {
      changes += detector.observe(moving(second, (second - 980) * 10, 10, course: 90))
    }
    changes += detector.arrived(arrival(1000), within: 400)
    for second in stride(from: 1100.0, through: 5000, by: 100) {
      changes += detector.rested(
        until: GroundTruth.time(second), within: 0, isMonitored: true, delay: 6)
    }
    let sign = leavingEast ? 1.0 : -1
    for second in stride(from: 5040.0, through: 5600, by: 20) {
      changes += detector.observe(
        moving(second, sign * (second - 5020) * 10, 10, course: leavingEast ? 90 : 270))
    }
    return changes.compactMap { if case .ended(let visit) = $0 { visit } else { nil } }
  }

  @Test(
    "the place is where the way to it ends and the way from it begins", arguments: [true, false])
  func placed(leavingEast: Bool) throws {
    let visit = try #require(Self.drive(leavingEast: leavingEast).first)
    let error = Sphere.distance(visit.position, GroundTruth.home)
    #expect(error < 30 && error < visit.accuracy * 2)
    #expect((20...150).contains(visit.accuracy.value), "no location was closer than 200 m")
  }

  @Test("a sensor bounds arrival and departure by its dead time and delay") func sensed() throws {
    let visit = try #require(Self.drive().first)
    #expect(visit.arrival.earliest == GroundTruth.time(1000))
    #expect(visit.arrival.latest == GroundTruth.time(1013))
    let departure = try #require(visit.departure)
    #expect(departure.earliest == GroundTruth.time(4994))
    #expect(departure.latest == GroundTruth.time(5040), "it was seen in motion")
    #expect((departure.earliest...GroundTruth.time(5000)).contains(departure.estimate))
  }

  @Test("a restart in the middle changes neither place nor bounds") func restarted() throws {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    for second in stride(from: 500.0, through: 960, by: 20) {
      _ = detector.observe(Self.moving(second, (second - 980) * 10, 10, course: 90))
    }
    for isRestarted in [false, true] {
      var next = detector
      func restart() {
        guard isRestarted else { return }
        let saved = next.snapshot
        next = VisitDetector(settings: DwellSettings(), nextID: 1)
        next.restore(saved)
      }
      restart()
      _ = next.arrived(Self.arrival(1000), within: 400)
      restart()
      _ = next.rested(until: GroundTruth.time(5000), within: 0, isMonitored: true, delay: 6)
      restart()
      var ended: Visit?
      for second in stride(from: 5040.0, through: 5600, by: 20) {
        for case .ended(let visit) in next.observe(
          Self.moving(second, (second - 5020) * 10, 10, course: 90))
        { ended = visit }
      }
      let visit = try #require(ended)
      #expect(visit.arrival.earliest == GroundTruth.time(1000))
      #expect(Sphere.distance(visit.position, GroundTruth.home) < 30)
    }
  }

  @Test("observed at 1 Hz, arrival and departure are within the rest radius, and bounds hold")
  func dense() throws {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var ended: Visit?
    // Walks 100 m to the place, stays for 15 minutes, and walks on.
    for second in 0...1500 {
      let time = Double(second)
      let east = time < 100 ? time - 100 : time < 1000 ? 0 : time - 1000
      let isWalking = time < 100 || time >= 1000
      let seen = Self.moving(time, east, isWalking ? 1 : 0.1, course: 90)
      for case .ended(let visit) in detector.observe(seen) { ended = visit }
    }
    let visit = try #require(ended)
    #expect((visit.arrival.estimate - GroundTruth.time(100)).magnitude <= 20)
    #expect(visit.arrival.earliest <= GroundTruth.time(100))
    #expect((0...13).contains(visit.arrival.latest - GroundTruth.time(100)))
    let departure = try #require(visit.departure)
    #expect((departure.estimate - GroundTruth.time(1000)).magnitude <= 36)
    #expect(departure.earliest <= GroundTruth.time(1000))
    #expect(departure.latest >= GroundTruth.time(1000))
    #expect(departure.width < 60, "it takes half a minute to leave the radius")
  }

  @Test("it rests where its last location leads, not at the location before that") func onTheWay() {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var changes: [VisitChange] = []
    for second in stride(from: 0.0, through: 900, by: 100) {
      changes += detector.observe(Self.moving(second, second - 960, 1, course: 90))
    }
    changes += detector.arrived(Self.arrival(960), within: 60)
    for second in stride(from: 1400.0, through: 5000, by: 300) {
      changes += detector.rested(
        until: GroundTruth.time(second), within: 0, isMonitored: true, delay: 10)
    }
    for second in stride(from: 5040.0, through: 5600, by: 100) {
      changes += detector.observe(Self.moving(second, second - 5000, 1, course: 90))
    }
    let ended = changes.compactMap { if case .ended(let visit) = $0 { visit } else { nil } }
    #expect(ended.count == 1)
    for visit in ended {
      #expect(Sphere.distance(visit.position, GroundTruth.home) < 25)
      #expect(visit.arrival.earliest == GroundTruth.time(960))
    }
  }

  @Test(
    "a rest without a location may have begun as soon as the last one in motion",
    arguments: [false, true])
  func unlocated(isRestarted: Bool) throws {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var changes: [VisitChange] = []
    for second in stride(from: 0.0, through: 900, by: 100) {
      changes += detector.observe(Self.moving(second, (second - 1007) * 1.4, 1.4, course: 90))
    }
    // It has come home, but the network locates it there only later.
    changes += detector.arrived(Self.arrival(1000, isSensed: false), within: 140)
    changes += detector.rested(until: GroundTruth.time(1200), within: 0, delay: 60)
    if isRestarted {
      let snapshot = detector.snapshot
      detector = VisitDetector(settings: DwellSettings(), nextID: 1)
      detector.restore(snapshot)
    }
    for second in stride(from: 1230.0, through: 3000, by: 295) {
      var coarse = GroundTruth.location(second, 40)
      coarse.source = .coarse
      coarse.accuracy = 44
      changes += detector.observe(coarse)
    }
    for second in stride(from: 3040.0, through: 3600, by: 100) {
      changes += detector.observe(Self.moving(second, (second - 3000) * 2, 2, course: 90))
    }
    let visit = try #require(
      changes.compactMap { if case .ended(let visit) = $0 { visit } else { nil } }.first)
    #expect(visit.arrival.earliest == GroundTruth.time(900))
    #expect(visit.arrival.latest >= GroundTruth.time(1007))
  }

  @Test("a halt before a movement that no sensor detected is not the place")
  func undetected() throws {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var changes: [VisitChange] = []
    for second in stride(from: 500.0, through: 940, by: 20) {
      changes += detector.observe(Self.moving(second, (second - 1000) * 10, 10, course: 90))
    }
    // It stops at a traffic light 500 m before the place, and reaches that 60 s later.
    changes += detector.observe(Self.moving(950, -500, 0.2, course: 90))
    changes += detector.arrived(Self.arrival(945), within: 30)
    for second in stride(from: 1400.0, through: 5000, by: 300) {
      changes += detector.rested(
        until: GroundTruth.time(second), within: 0, isMonitored: true, delay: 10)
    }
    for second in stride(from: 5020.0, through: 5600, by: 20) {
      changes += detector.observe(Self.moving(second, (second - 5000) * 10, 10, course: 90))
    }
    let visit = try #require(
      changes.compactMap { if case .ended(let visit) = $0 { visit } else { nil } }.first)
    let error = Sphere.distance(visit.position, GroundTruth.home)
    #expect(error < 150 && error < visit.accuracy * 2)
    let arrived = GroundTruth.time(1010)
    #expect(visit.arrival.earliest <= arrived && arrived <= visit.arrival.latest)
  }

  // MARK: Estimates

  @Test("the mean of estimates is near the better one, and better than it") func mean() throws {
    let estimates = [
      PlaceEstimate(x: 0, y: 0, sigma: 10), PlaceEstimate(x: 10, y: 0, sigma: 20),
    ]
    let mean = try #require(PlaceEstimate.mean(of: estimates))
    #expect((mean.x - 2).magnitude < 1e-9 && mean.y == 0)
    #expect((mean.sigma - 80.squareRoot()).magnitude < 1e-9)
    #expect(PlaceEstimate.mean(of: []) == nil)
  }

  @Test("estimates that contradict each other are less accurate than they claim")
  func contradiction() throws {
    let estimates = [PlaceEstimate(x: 0, y: 0, sigma: 5), PlaceEstimate(x: 100, y: 0, sigma: 5)]
    let mean = try #require(PlaceEstimate.mean(of: estimates))
    #expect(mean.x == 50 && mean.sigma >= 45)
  }

  @Test("without a course the place is the location, as inaccurate as the way is long")
  func unknownCourse() {
    let seen = PlanarLocation(time: 0, x: 3, y: 4, speed: 10, sigma: 5)
    let place = PlaceEstimate(after: seen, for: 20_000_000_000)
    #expect(place.x == 3 && place.y == 4)
    #expect(place.sigma > 90)
  }
}
