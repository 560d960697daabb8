import Core
import Records
import Testing

@testable import Tracking

/// How evidence other than locations affects visits.
@Suite struct RestInVisitsTests {
  static func detector(comingBy speed: Double = 5) -> VisitDetector {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    for second in stride(from: 0.0, through: 300, by: 30) {
      _ = detector.observe(GroundTruth.location(second, (second - 300) * speed))
    }
    return detector
  }

  @Test("a rest known from other evidence only is a visit, and ends with that evidence")
  func restWithoutLocations() throws {
    var detector = Self.detector()
    var changes = detector.rested(until: GroundTruth.time(330), within: 100)
    for second in stride(from: 500.0, through: 2100, by: 200) {
      changes += detector.rested(until: GroundTruth.time(second), within: 0)
    }
    let open = try #require(detector.open)
    #expect((open.arrival.estimate - GroundTruth.time(315)).magnitude <= 60)
    for second in stride(from: 2200.0, through: 2800, by: 30) {
      changes += detector.observe(GroundTruth.location(second, (second - 2100) * 5))
    }
    let ended = changes.compactMap { change in
      if case .ended(let visit) = change { visit } else { nil }
    }
    let departure = try #require(ended.last?.departure)
    #expect((departure.estimate - GroundTruth.time(2100)).magnitude <= 120)
  }

  @Test("the observed part of a stay remains when the rest after it was a ride")
  func seenBeforeTheRide() throws {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var changes: [VisitChange] = []
    for second in stride(from: 0.0, through: 300, by: 30) {
      changes += detector.observe(GroundTruth.location(second, (second - 300) * 5))
    }
    for second in stride(from: 330.0, through: 1200, by: 30) {
      changes += detector.observe(GroundTruth.location(second, 0))
    }
    for second in stride(from: 1300.0, through: 4000, by: 100) {
      changes += detector.rested(until: GroundTruth.time(second), within: 0)
    }
    changes += detector.observe(refutingRest: GroundTruth.location(4010, 15_000))
    let ended = changes.compactMap { change in
      if case .ended(let visit) = change { visit } else { nil }
    }
    #expect(ended.count == 1)
    let departure = try #require(ended.first?.departure)
    #expect(departure.earliest == GroundTruth.time(1200))
    #expect(departure.estimate < GroundTruth.time(2200), "15 km take half an hour and more")
    #expect(!changes.contains { if case .withdrawn = $0 { true } else { false } })
  }

  /// Half an hour at a place, a time without signal with regular fix attempts, and ten minutes
  /// elsewhere.
  private static func changes(
    dark: Double, looks: Double, metres: Double, underWay: Double = 10
  ) -> (left: Visit?, next: Visit?) {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var changes: [VisitChange] = []
    for second in stride(from: 0.0, through: 1740, by: 30) {
      changes += detector.observe(GroundTruth.location(second, 0))
    }
    for second in stride(from: 1740 + looks, through: 1740 + dark, by: looks) {
      changes += detector.rested(until: GroundTruth.time(second), within: 0)
    }
    let found = 1740 + dark + underWay
    for second in stride(from: found, through: found + 600, by: 30) {
      changes += detector.observe(GroundTruth.location(second, metres))
    }
    let left = changes.compactMap { if case .ended(let visit) = $0 { visit } else { nil } }.first
    return (left, detector.open)
  }

  @Test(
    "after a ride without signal the departure is after the last location, with time to travel",
    arguments: [
      (21_600.0, 30.0, 300_000.0), (900, 30, 5000), (3600, 30, 40_000), (86_400, 30, 50_000),
      (86_400, 240, 50_000), (600, 30, 1000), (36_000, 30, 950), (7200, 30, 4000),
    ])
  func boundsOfTheRide(dark: Double, looks: Double, metres: Double) throws {
    let (left, next) = Self.changes(dark: dark, looks: looks, metres: metres)
    let departure = try #require(left?.departure)
    #expect(departure.earliest == GroundTruth.time(1740))
    // The shortest travel time, at the highest speed.
    let latest = GroundTruth.time(1750 + dark - metres / 340)
    #expect((departure.latest - latest).magnitude <= 5)
    // The speed of the trip that the bounds imply.
    let speed = metres / (GroundTruth.time(1750 + dark) - departure.estimate).value
    #expect(speed < 30)
    #expect(next?.id == 2)
    #expect(try #require(next).arrival.earliest <= GroundTruth.time(1740))
  }

  @Test("a distance that a fast train can cover refutes no night without signal")
  func fastTrain() throws {
    for (metres, isBelieved) in [(250_000.0, true), (90_000, false)] {
      let underWay = metres / 45
      let (left, _) = Self.changes(
        dark: 36_000, looks: 240, metres: metres, underWay: isBelieved ? underWay : 60)
      let departure = try #require(left?.departure?.estimate)
      #expect((departure > GroundTruth.time(37_000)) == isBelieved)
    }
  }

  /// The first locations after a time without signal are sometimes wrong, and then the signal is
  /// lost again.
  @Test("no rest is proved at a place unreachable from a visit, until it lasts")
  func impossibleLocation() throws {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var changes: [VisitChange] = []
    for second in 0...1800 { changes += detector.observe(GroundTruth.location(Double(second), 0)) }
    for second in 1801...1802 {
      changes += detector.observe(GroundTruth.location(Double(second), 380))
    }
    for second in stride(from: 1830.0, through: 2800, by: 30) {
      changes += detector.rested(until: GroundTruth.time(second), within: 0)
    }
    for second in 2801...4000 {
      changes += detector.observe(GroundTruth.location(Double(second), 0))
    }
    #expect(!changes.contains { if case .ended = $0 { true } else { false } })
    #expect(detector.open?.id == 1)
    // More locations that agree are not an error.
    for second in 4001...4400 {
      changes += detector.observe(GroundTruth.location(Double(second), 380))
    }
    for second in stride(from: 4430.0, through: 5400, by: 30) {
      changes += detector.rested(until: GroundTruth.time(second), within: 0)
    }
    #expect(detector.open?.id == 2)
    // The speed over the last ten seconds shows motion at first.
    #expect(try #require(detector.open?.arrival).estimate <= GroundTruth.time(4022))
  }

  @Test("a ride for hours adds no time without signal to the stay")
  func longRide() throws {
    for (dark, metres) in [(21_600.0, 300_000.0), (86_400, 500_000)] {
      let (left, _) = Self.changes(dark: dark, looks: 240, metres: metres)
      #expect(left?.departure?.estimate == GroundTruth.time(1740))
      #expect(try #require(left).confidence < 0.9)
    }
  }

  @Test("a hall is left on foot, and a single error in it changes nothing")
  func hall() throws {
    let (left, _) = Self.changes(dark: 3600, looks: 30, metres: 300)
    #expect(try #require(left?.departure).earliest >= GroundTruth.time(5000))
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    for second in stride(from: 0.0, through: 1740, by: 30) {
      _ = detector.observe(GroundTruth.location(second, 0))
    }
    for second in stride(from: 1770.0, through: 5340, by: 30) {
      _ = detector.rested(until: GroundTruth.time(second), within: 0)
    }
    _ = detector.observe(GroundTruth.location(5350, 900))
    for second in stride(from: 5380.0, through: 6000, by: 30) {
      _ = detector.observe(GroundTruth.location(second, 0))
    }
    #expect(detector.open?.id == 1)
    #expect(detector.open?.departure == nil)
  }

  @Test("rest after a drive without signal begins after the last fix, by the first attempt")
  func arrivalOutOfSight() throws {
    for (speed, isLate) in [(12.0, true), (0.2, false)] {
      var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
      for second in stride(from: 0.0, through: 300, by: 30) {
        var location = GroundTruth.location(second, (second - 300) * 12)
        location.speed = MetresPerSecond(second < 300 ? 12 : speed)
        _ = detector.observe(location)
      }
      let arrival = UnseenArrival(
        time: GroundTruth.time(318).nanoseconds, latest: GroundTruth.time(336).nanoseconds,
        isSensed: false)
      _ = detector.arrived(arrival, within: 200)
      for second in stride(from: 400.0, through: 2000, by: 100) {
        _ = detector.rested(until: GroundTruth.time(second), within: 0)
      }
      let came = try #require(detector.open?.arrival)
      #expect(came.earliest <= GroundTruth.time(300))
      #expect((came.latest >= GroundTruth.time(336)) == isLate)
      // A restored detector continues with the same result.
      var other = VisitDetector(settings: DwellSettings(), nextID: 1)
      other.restore(detector.snapshot)
      #expect(other.open?.arrival == came)
    }
  }

  @Test("a night without signal that ends with a ride is a stay until that ride")
  func rideAfterTheNight() throws {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var changes: [VisitChange] = []
    for second in stride(from: 0.0, through: 60, by: 30) {
      changes += detector.observe(GroundTruth.location(second, 0))
    }
    for second in stride(from: 90.0, through: 30_000, by: 30) {
      changes += detector.rested(until: GroundTruth.time(second), within: 0)
    }
    changes += detector.observe(refutingRest: GroundTruth.location(30_030, 4000))
    let left = try #require(
      changes.compactMap { if case .ended(let visit) = $0 { visit } else { nil } }.first)
    let departure = try #require(left.departure)
    #expect(departure.estimate < GroundTruth.time(29_500))
    #expect(departure.estimate > GroundTruth.time(28_500))
    #expect(departure.earliest == GroundTruth.time(60), "where it was located last")
    #expect(left.confidence > 0.8)
  }

  @Test("a night at rest takes no more room in the snapshot than its beginning")
  func savedNight() {
    func saved(rest: Double) -> Int {
      var detector = Self.detector()
      _ = detector.rested(until: GroundTruth.time(330), within: 100)
      for second in stride(from: 570.0, through: 330 + rest, by: 240) {
        _ = detector.rested(until: GroundTruth.time(second), within: 0)
      }
      return detector.snapshot.text.utf8.count
    }
    #expect(saved(rest: 30_000) <= saved(rest: 1500) + 50, "longer numbers")
    #expect(saved(rest: 30_000) < 2000, "written with every commit: flash wears out")
  }

  @Test("a restored rest without sighting times counts as seen at its beginning")
  func savedWithoutSight() throws {
    var detector = Self.detector()
    for second in stride(from: 570.0, through: 3000, by: 30) {
      _ = detector.rested(until: GroundTruth.time(second), within: 0)
    }
    let saved = detector.snapshot.text
    let old = saved.replacing(#/"seen_until":"[0-9]+",?/#, with: "")
    #expect(old != saved)
    var restored = VisitDetector(settings: DwellSettings(), nextID: 1)
    restored.restore(try JSONValue(parsing: old))
    var changes: [VisitChange] = []
    for second in stride(from: 3010.0, through: 3600, by: 30) {
      changes += restored.observe(GroundTruth.location(second, 4000))
    }
    let left = try #require(
      changes.compactMap { if case .ended(let visit) = $0 { visit } else { nil } }.first)
    #expect(try #require(left.departure).earliest >= GroundTruth.time(0))
  }

  @Test("a rest that was a ride leaves no visit")
  func ride() {
    var detector = Self.detector(comingBy: 12)
    var changes = detector.rested(until: GroundTruth.time(330), within: 100)
    for second in stride(from: 500.0, through: 1100, by: 200) {
      changes += detector.rested(until: GroundTruth.time(second), within: 0)
    }
    #expect(detector.open != nil)
    changes += detector.observe(refutingRest: GroundTruth.location(1200, 15_000))
    #expect(detector.open == nil)
    #expect(changes.contains { if case .withdrawn = $0 { true } else { false } })
    #expect(!changes.contains { if case .ended = $0 { true } else { false } })
  }

  @Test("arriving on foot and riding off is a wait, unless a sensor has detected rest")
  func feltWait() {
    for isWatched in [false, true] {
      var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
      var changes: [VisitChange] = []
      for second in stride(from: 0.0, through: 300, by: 10) {
        changes += detector.observe(GroundTruth.location(second, (second - 300) * 1.3))
      }
      for second in stride(from: 360.0, through: 900, by: 60) {
        changes += detector.rested(
          until: GroundTruth.time(second), within: 0, isMonitored: isWatched)
      }
      for second in stride(from: 905.0, through: 1200, by: 5) {
        let way = min(second - 905, 20) * 0.5 * (second - 905)
        changes += detector.observe(GroundTruth.location(second, way))
      }
      changes += detector.finish()
      let isVisit = changes.contains { if case .ended = $0 { true } else { false } }
      #expect(isVisit == isWatched)
    }
  }

  @Test("evidence from before the last location changes nothing")
  func late() {
    var detector = Self.detector()
    #expect(detector.rested(until: GroundTruth.time(300), within: 0).isEmpty)
    #expect(detector.rested(until: GroundTruth.time(10), within: 500).isEmpty)
  }

  @Test("cells that answer for each other neither create nor end visits")
  func cells() throws {
    var detector = Self.detector()
    var changes: [VisitChange] = []
    for second in stride(from: 330.0, through: 3300, by: 30) {
      changes += detector.observe(GroundTruth.location(second, 2))
    }
    for index in 0..<24 {
      var cell = GroundTruth.location(
        3400 + Double(index) * 300, index % 2 == 0 ? 700 : -900, accuracy: 600)
      cell.source = .coarse
      changes += detector.observe(cell)
    }
    let ends = changes.filter { if case .ended = $0 { true } else { false } }
    #expect(ends.isEmpty)
    #expect(detector.open?.id == 1)
  }

  /// Arrives at 12 m/s, has its last location 200 m before the entrance, rests inside, and rides
  /// off again.
  static func delivery(restingFor seconds: Double) -> [VisitChange] {
    var detector = detector(comingBy: 12)
    var changes = detector.rested(until: GroundTruth.time(320), within: 200)
    for second in stride(from: 340.0, through: 320 + seconds, by: 100) {
      changes += detector.rested(until: GroundTruth.time(second), within: 0)
    }
    changes += detector.rested(until: GroundTruth.time(320 + seconds), within: 0)
    for second in stride(from: 10.0, through: 300, by: 10) {
      changes += detector.observe(GroundTruth.location(320 + seconds + second, second * 12))
    }
    return changes
  }

  @Test("a stop between two rides is a visit if rest was detected")
  func stopBetweenRides() throws {
    let ended = Self.delivery(restingFor: 500).compactMap { change in
      if case .ended(let visit) = change { visit } else { nil }
    }
    #expect(ended.count == 1)
    let visit = try #require(ended.first)
    #expect((visit.arrival.estimate - GroundTruth.time(320)).magnitude <= 60)
    let departure = try #require(visit.departure)
    #expect((departure.estimate - GroundTruth.time(820)).magnitude <= 30)
    #expect(
      Self.delivery(restingFor: 200).allSatisfy { if case .ended = $0 { false } else { true } })
  }

  @Test("standing for the minimum dwell, or arriving in a vehicle, makes a stay")
  func standing() {
    func stays(
      standing seconds: Double, at speed: MetresPerSecond, coming pace: Double = 1.4,
      leaving: Double? = nil
    ) -> Int {
      var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
      var changes: [VisitChange] = []
      for second in stride(from: -60.0, through: seconds + 300, by: 1) {
        let speedUnderWay = second < 0 ? pace : leaving ?? pace
        let way = (second < 0 ? second : max(0, second - seconds)) * speedUnderWay
        var location = GroundTruth.location(second, way)
        location.speed =
          (0...seconds).contains(second) ? speed : MetresPerSecond(speedUnderWay)
        changes += detector.observe(location)
      }
      return changes.count { if case .ended = $0 { true } else { false } }
    }
    #expect(stays(standing: 320, at: 0.1) == 1)
    #expect(stays(standing: 280, at: 0.1) == 0)
    #expect(stays(standing: 320, at: 0.8) == 0, "slower than it passes by on foot")
    #expect(stays(standing: 320, at: 0.8, coming: 10) == 1)
    #expect(stays(standing: 280, at: 0.8, coming: 10) == 0)
    #expect(stays(standing: 320, at: 0.8, coming: 10, leaving: 1.4) == 1)
    #expect(stays(standing: 280, at: 0.8, coming: 10, leaving: 1.4) == 0, "its way out is no stay")
  }

  @Test("the way to a place does not shift the position of the stay")
  func wayToPlace() throws {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    // A slow walk of 200 m, with a location every second.
    for second in 0...250 {
      _ = detector.observe(GroundTruth.location(Double(second), Double(second) * 0.8 - 200))
    }
    for second in stride(from: 260.0, through: 900, by: 160) {
      _ = detector.rested(until: GroundTruth.time(second), within: 0)
    }
    let visit = try #require(detector.open)
    #expect(Sphere.distance(visit.position, GroundTruth.home) < 10)
  }

  @Test("cells do not contradict a detected rest, unless they agree")
  func cellsAgainstRest() {
    var detector = Self.detector()
    _ = detector.rested(until: GroundTruth.time(900), within: 0)
    func cell(_ second: Double, _ east: Double) -> [VisitChange] {
      var cell = GroundTruth.location(second, east, accuracy: 600)
      cell.source = .coarse
      return detector.observe(cell, isAtRest: true)
    }
    for index in 0..<12 {
      #expect(cell(1000 + Double(index) * 100, index % 3 == 2 ? 300 : 4000).isEmpty)
    }
    let changes =
      (0..<12).flatMap { cell(3000 + Double($0) * 100, 4000) }
      + detector.rested(until: GroundTruth.time(4600), within: 0)
    #expect(changes.contains { if case .ended = $0 { true } else { false } })
  }
}
