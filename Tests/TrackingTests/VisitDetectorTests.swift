import Core
import Records
import TestSupport
import Testing

@testable import Tracking

@Suite struct VisitDetectorTests {
  /// All visits that the detector finds, the open visit last.
  static func visits(_ locations: [Location]) -> [Visit] {
    var log = VisitLog()
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    for location in locations { log.take(detector.observe(location)) }
    log.take(detector.finish())
    return log.visits
  }

  /// `count` locations, one every `step` seconds from `start`, at the position east that the
  /// elapsed time gives.
  static func series(
    _ count: Int, from start: Double = 0, every step: Double = 1, accuracy: Metres = 5,
    at east: (Double) -> Double
  ) -> [Location] {
    (0..<count).map { index in
      let elapsed = Double(index) * step
      return GroundTruth.location(start + elapsed, east(elapsed), accuracy: accuracy)
    }
  }

  @Test("a stay between two drives is found, its times within 20 s")
  func aStayBetweenTwoDrivesIsFound() {
    let found = Self.visits(
      Self.series(3600) { t in t < 1200 ? (t - 1200) * 15 : t < 2400 ? 0 : (t - 2400) * 15 })
    #expect(found.count == 1)
    guard let visit = found.first, let departure = visit.departure else { return }
    #expect((visit.arrival.estimate - GroundTruth.time(1200)).magnitude < 20)
    #expect((departure.estimate - GroundTruth.time(2400)).magnitude < 20)
  }

  @Test("between two drives the shortest stay is that of the settings", arguments: [270.0, 330])
  func shortestStay(length: Double) {
    let found = Self.visits(
      Self.series(240, every: 10) { t in
        t < 600 ? (t - 600) * 15 : t < 600 + length ? 0 : (t - 600 - length) * 15
      })
    #expect(found.count == (length < 300 ? 0 : 1))
  }

  @Test("home is left for a shop nearby, however weak the signal in it")
  func aShopNearHomeIsLeftFor() {
    // Home for a night; a walk of 240 m under open sky, eight minutes in a shop whose walls let
    // locations of 31 m through, and back. After a night such locations are tolerated up to 150 m,
    // but not after locations that show the walk to the shop.
    let night = Self.series(480, every: 60, accuracy: 10) { _ in 0 }
    let there = Self.series(300, from: 28_800) { $0 * 0.8 }
    let shop = Self.series(16, from: 29_100, every: 30, accuracy: 31) { _ in 240 }
    let back = Self.series(300, from: 29_580) { 240 - $0 * 0.8 }
    let home = Self.series(60, from: 29_880, every: 60, accuracy: 10) { _ in 0 }
    let found = Self.visits(night + there + shop + back + home)
    #expect(found.count == 3)
    guard found.count == 3, let left = found[0].departure else { return }
    #expect((left.estimate - GroundTruth.time(28_800)).magnitude < 60)
    #expect((found[1].arrival.estimate - GroundTruth.time(29_100)).magnitude < 60)
    #expect((found[2].arrival.estimate - GroundTruth.time(29_880)).magnitude < 60)
  }

  /// A location proves presence only as far as the rest radius and its error allow: two minutes on
  /// foot at half the walking pace.
  static func proves(_ bound: UTCInstant?, presenceAt second: Double) -> Bool {
    bound.map { ($0 - GroundTruth.time(second)).magnitude <= 120 } ?? false
  }

  @Test("silence at one place is staying") func silenceAtOnePlaceIsStaying() {
    let found = Self.visits([
      GroundTruth.location(0, -3000), GroundTruth.location(120, -1500),
      GroundTruth.location(240, 0),
      GroundTruth.location(36_000, 10), GroundTruth.location(36_120, 1500),
      GroundTruth.location(36_240, 3000),
      GroundTruth.location(36_360, 4500), GroundTruth.location(36_480, 6000),
    ])
    #expect(found.count == 1)
    #expect(found.first?.arrival.estimate == GroundTruth.time(240))
    #expect(found.first?.arrival.earliest == GroundTruth.time(120))
    #expect(Self.proves(found.first?.departure?.earliest, presenceAt: 36_000))
    #expect(found.first?.departure?.latest == GroundTruth.time(36_120))
  }

  @Test("sparse locations far from the start make a stay")
  func sparseSightingsFarFromTheStartMakeAStay() {
    let found = Self.visits([
      GroundTruth.location(0, 0), GroundTruth.location(5000, 49_000),
      GroundTruth.location(9000, 55_800),
      GroundTruth.location(9400, 55_800), GroundTruth.location(10_000, 55_801),
      GroundTruth.location(20_000, 55_800), GroundTruth.location(24_000, 70_000),
      GroundTruth.location(28_000, 99_000),
    ])
    #expect(found.count == 1)
    #expect(found.first?.locations == 4)
    #expect(Self.proves(found.first?.arrival.latest, presenceAt: 9000))
    #expect(Self.proves(found.first?.departure?.earliest, presenceAt: 20_000))
    #expect(found.first?.departure?.latest == GroundTruth.time(24_000))
  }

  @Test("silence that ends nearby was a stay until the way there")
  func silenceThatEndsNearbyWasAStayUntilTheWayThere() {
    // Walks in, loses signal, is located again 280 m away: it was still there 200 s on foot before
    // that.
    let arriving = Self.series(20, every: 10) { $0 * 1.4 - 266 }
    let leaving = Self.series(30, from: 7200, every: 10) { 280 + $0 * 1.4 }
    let found = Self.visits(arriving + leaving)
    #expect(found.count == 1)
    guard let departure = found.first?.departure else {
      Issue.record("the visit has not ended")
      return
    }
    #expect(Self.proves(departure.earliest, presenceAt: 190))
    #expect(departure.latest == GroundTruth.time(7200))
    #expect((departure.estimate - GroundTruth.time(7000)).magnitude < 60)
  }

  @Test("silence in a vehicle is no stay") func silenceInAVehicleIsNoStay() {
    // A tunnel of 20 minutes at 20 m/s, and the same when the far end is where it began.
    let way = Self.series(60, every: 10) { $0 * 20 }
    let beyond = Self.series(60, from: 1800, every: 10) { 36_000 + $0 * 20 }
    #expect(Self.visits(way + beyond).isEmpty)
    let back = Self.series(60, from: 1800, every: 10) { 11_800 - $0 * 20 }
    #expect(Self.visits(way + back).isEmpty)
  }

  @Test("waiting at a red light is no visit") func waitingAtARedLightIsNoVisit() {
    let drive = Self.series(1500) { t in t < 600 ? t * 12 : t < 780 ? 7200 : 7200 + (t - 780) * 12 }
    #expect(Self.visits(drive).isEmpty)
  }

  @Test("slow walking in a park is no visit") func slowWalkingInAParkIsNoVisit() {
    // 0.7 m/s along a winding path: each place is left before five minutes are over.
    let walk = (0..<5400).map { second -> Location in
      let t = Double(second)
      return GroundTruth.location(t, t * 0.7, second / 60 % 2 == 0 ? Double(second % 60) * 0.3 : 18)
    }
    #expect(Self.visits(walk).isEmpty)
  }

  @Test("drift indoors is one visit", arguments: [UInt64(1), 2, 3, 4, 5, 6])
  func driftIndoorsIsOneVisit(seed: UInt64) {
    var dice = Dice(seed: seed)
    var drift = (x: 0.0, y: 0.0)
    let locations = (0..<36_000).map { second -> Location in
      // Errors with a correlation time of a minute, 20 m to either side, as indoors.
      drift.x += (dice.normal * 20 - drift.x * 0.18) * 0.09
      drift.y += (dice.normal * 20 - drift.y * 0.18) * 0.09
      let t = Double(second)
      let away = t < 600 ? (600 - t) * 10 : t < 35_000 ? 0 : (t - 35_000) * 10
      return GroundTruth.location(t, away + drift.x, drift.y, accuracy: 12)
    }
    let found = Self.visits(locations)
    #expect(found.count == 1)
    guard let visit = found.first else { return }
    #expect((visit.arrival.estimate - GroundTruth.time(600)).magnitude < 90)
    #expect(visit.departure != nil)
    #expect(visit.confidence > 0.9)
  }

  @Test("outliers and short errands do not split a visit")
  func outliersAndShortErrandsDoNotSplitAVisit() {
    var locations = Self.series(7200) { _ in 0 }
    locations[2000] = GroundTruth.location(2000, 16_000)
    locations[4000] = GroundTruth.location(4000, 300, accuracy: 2)
    // To the letter box, 140 m away, and back.
    for second in 5000..<5200 {
      let t = Double(second)
      locations[second] = GroundTruth.location(t, 140 - (t - 5100).magnitude * 1.4)
    }
    let found = Self.visits(locations)
    #expect(found.count == 1)
    #expect(found.first?.departure == nil)
    #expect(found.first?.arrival.estimate == GroundTruth.time(0))
  }

  @Test("an outage inside a visit is part of it") func anOutageInsideAVisitIsPartOfIt() {
    let found = Self.visits(
      Self.series(600) { _ in 0 } + Self.series(600, from: 30_000) { _ in 30 })
    #expect(found.count == 1)
    #expect(found.first?.departure == nil)
    #expect(found.first?.locations == 1200)
  }

  @Test("arriving on foot and riding off is a wait") func comingOnFootAndRidingOffIsWaiting() {
    func day(_ speed: Double) -> [Location] {
      Self.series(2400) { t in t < 600 ? (t - 600) * 1.4 : t < 1500 ? 0 : (t - 1500) * speed }
    }
    #expect(Self.visits(day(9)).isEmpty)
    #expect(Self.visits(day(1.4)).count == 1)
  }

  @Test("a vehicle that loses signal as it parks counts as arrived in a vehicle")
  func parkingUnseen() {
    // The last 40 s and 250 m of the drive are without signal; a quarter of an hour later it
    // continues.
    let drive = Self.series(60) { ($0 - 60) * 9 - 250 }
    let stop = Self.series(900, from: 100) { _ in 0 }
    let on = Self.series(600, from: 1000) { $0 * 9 }
    #expect(Self.visits(drive + stop + on).count == 1)
    // Had it walked there, the stop would be a wait for a vehicle.
    let walk = Self.series(60) { ($0 - 60) * 1.4 - 50 }
    #expect(Self.visits(walk + stop + on).isEmpty)
  }

  @Test(
    "a visit located by coarse sources only is marked so, however accurate they are",
    arguments: [20.0, 60, 400])
  func coarseAlone(accuracy: Double) {
    for isSeen in [false, true] {
      var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
      for second in stride(from: 0.0, through: 7200, by: 300) {
        var location = GroundTruth.location(second, 0, accuracy: Metres(accuracy))
        if !(isSeen && second == 3600) { location.source = .coarse }
        _ = detector.observe(location)
        let snapshot = detector.snapshot
        detector.restore(snapshot)
      }
      #expect(detector.open?.isCoarse == !isSeen)
    }
  }

  @Test("after an inaccurate last location of a visit, the next visit is no error")
  func blurredLast() {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    for second in stride(from: 0.0, through: 1800, by: 30) {
      _ = detector.observe(GroundTruth.location(second, 0))
    }
    var cell = GroundTruth.location(2400, 300, accuracy: 800)
    cell.source = .coarse
    _ = detector.observe(cell)
    _ = detector.observe(GroundTruth.location(2430, 3000))
    for second in stride(from: 2460.0, through: 4000, by: 60) {
      _ = detector.rested(until: GroundTruth.time(second), within: 0, isMonitored: true)
    }
    #expect(detector.open?.id == 2)
  }

  @Test("coarse locations end a stay only from far away") func coarseSightingsSayOnlyWhatTheyCan() {
    // Errors of 500 m do not end a stay that they may belong to; far away they do.
    let home = Self.series(900) { _ in 0 }
    let near = Self.series(10, from: 1200, every: 300, accuracy: 500) { _ in 450 }
    #expect(Self.visits(home + near).first?.departure == nil)
    let far = Self.series(10, from: 4500, every: 300, accuracy: 500) { _ in 9000 }
    let found = Self.visits(home + near + far)
    #expect(found.first?.departure?.latest == GroundTruth.time(4500))
    // A whole night in one radio cell is a visit, if an inaccurate one.
    let vague = Self.visits(Self.series(30, every: 900, accuracy: 500) { _ in 0 })
    #expect(vague.count == 1)
    #expect(vague.first.map { $0.accuracy > 50 } == true)
  }

  @Test("times that go back are ignored") func whatGoesBackInTimeIsIgnored() {
    let stay = Self.series(900) { _ in 0 }
    let late = Self.series(50) { _ in 5000 }
    #expect(Self.visits(stay + late) == Self.visits(stay))
  }

  @Test("a restart anywhere changes nothing", arguments: [UInt64(11), 12, 13])
  func aRestartAnywhereChangesNothing(seed: UInt64) throws {
    let day = RandomDay(seed: seed)
    let locations = day.locations(every: 20)
    var straight = VisitLog()
    var whole = VisitDetector(settings: DwellSettings(), nextID: 1)
    for location in locations { straight.take(whole.observe(location)) }
    var log = VisitLog()
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    for (index, location) in locations.enumerated() {
      if index % 37 == 0 {
        let text = detector.snapshot.text
        detector = VisitDetector(settings: DwellSettings(), nextID: 1)
        detector.restore(try JSONValue(parsing: text))
      }
      log.take(detector.observe(location))
    }
    #expect(!straight.visits.isEmpty)
    #expect(log.visits == straight.visits)
  }

  /// At every schedule the truth lies within the bounds, and long stays are found.
  @Test(
    "long stays are found at every schedule, with the truth within their bounds",
    arguments: [UInt64(21), 22, 23, 24], [1.0, 30, 180, 300, 600])
  func boundsHoldTheTruthAtEverySchedule(seed: UInt64, interval: Double) {
    let day = RandomDay(seed: seed)
    let found = Self.visits(day.locations(every: interval))
    for stay in day.stays where stay.end - stay.start > 1800 + 2 * interval {
      let middle = GroundTruth.time((stay.start + stay.end) / 2)
      let visit = found.first {
        $0.arrival.estimate < middle && ($0.departure.map { $0.estimate > middle } ?? true)
      }
      guard let visit else {
        Issue.record("the stay of \(stay.start)...\(stay.end) s was not found")
        continue
      }
      // A minute for the path through the radius within which it counts as resting.
      #expect(visit.arrival.earliest <= GroundTruth.time(stay.start + 60))
      #expect(visit.arrival.latest >= GroundTruth.time(stay.start - 60))
      #expect(visit.arrival.earliest <= visit.arrival.estimate)
      #expect(visit.arrival.estimate <= visit.arrival.latest)
      guard let departure = visit.departure else { continue }
      #expect(departure.earliest <= GroundTruth.time(stay.end + 60))
      #expect(departure.latest >= GroundTruth.time(stay.end - 60))
      #expect(departure.earliest <= departure.estimate)
      #expect(departure.estimate <= departure.latest)
    }
  }

  /// The daemon may be stopped at any moment of a walk.
  @Test("a slow walk that ends the data is no visit", arguments: [3300, 3450, 3600])
  func aSlowWalkThatEndsTheDataIsNoVisit(seconds: Int) {
    #expect(Self.visits(Self.series(seconds) { $0 * 0.7 }) == [])
  }

  /// A stray location as the last one is no departure.
  @Test("an outlier that ends the data does not end the visit")
  func anOutlierThatEndsTheDataDoesNotEndTheVisit() {
    let found = Self.visits(Self.series(2000) { $0 < 1999 ? 0 : 5000 })
    #expect(found.count == 1)
    #expect(found.first?.departure == nil)
  }

  /// Its one location bounds the departure only by the arrival.
  @Test("a place with one location is not left before it is reached")
  func departureBoundsBeginWithArrival() {
    let found = Self.visits([
      GroundTruth.location(0, 0), GroundTruth.location(60_000, 900),
      GroundTruth.location(60_400, 900),
      GroundTruth.location(61_000, 900),
    ])
    for visit in found {
      if let departure = visit.departure {
        #expect(visit.arrival.earliest <= departure.earliest, "\(visit)")
      }
    }
    #expect(found.contains { $0.departure != nil })
  }
}
