import Core
import Records
import TestSupport
import Testing

@testable import Tracking

/// The unknown parts of a visit are stated, and never contradict the known ones.
@Suite struct StayBoundsTests {
  /// A day observed in part: fix attempts at random intervals, and hours without any.
  static func seen(of day: RandomDay, seed: UInt64) -> [Location] {
    var dice = Dice(seed: seed &+ 77)
    var next = 0.0
    return day.locations(every: 20).filter { location in
      let second = (location.time - GroundTruth.start).value
      guard second >= next else { return false }
      next = second + (dice.uniform < 0.04 ? 14_400 : 240) * dice.uniform
      return true
    }
  }

  /// - Returns: the locations within 15 m of the visit's centre, in its time, and not at the speed
  ///   that follows from the location before.
  static func sightings(_ locations: [Location], at visit: Visit) -> [Location] {
    zip([nil] + locations.map { $0 }, locations).filter { before, location in
      location.time >= visit.arrival.earliest
        && location.time <= visit.departure?.latest ?? location.time
        && Sphere.distance(location.position, visit.position) <= 15
        && !(before.map { isMoving($0, location) } ?? false)
    }.map(\.1)
  }

  private static func isMoving(_ before: Location, _ location: Location) -> Bool {
    let time = location.time - before.time
    return (10...60).contains(time)
      && Sphere.distance(before.position, location.position) / time >= 0.6
  }

  @Test("no bound of a visit contradicts another one or a sighting", arguments: 0..<60)
  func boundsAreInOrder(seed: UInt64) throws {
    let day = RandomDay(seed: seed)
    let locations = Self.seen(of: day, seed: seed)
    for visit in VisitDetectorTests.visits(locations) {
      let arrival = visit.arrival
      #expect(arrival.earliest <= arrival.estimate && arrival.estimate <= arrival.latest)
      if let departure = visit.departure {
        #expect(departure.earliest <= departure.estimate && departure.estimate <= departure.latest)
        #expect(departure.earliest >= arrival.estimate && departure.latest >= arrival.latest)
      }
      let there = Self.sightings(locations, at: visit)
      // One location between two silences may have been under way.
      guard visit.locations > 2 else { continue }
      let first = try #require(there.first, "a visit without a sighting: \(visit)")
      let last = try #require(there.last)
      // For 12 s it may have moved too slowly to tell.
      #expect(arrival.latest <= first.time + 12, "\(visit)")
      #expect(visit.lastSeen ?? arrival.estimate >= last.time)
      if let departure = visit.departure {
        #expect(departure.earliest >= last.time - 12, "\(visit)")
      }
    }
  }

  /// Not a strict property: the last location before a gap may be under way, and be taken for a
  /// place.
  @Test("the truth lies between the bounds") func truthIsWithin() {
    var all = 0
    var within = 0
    for seed in 100..<160 as Range<UInt64> {
      let day = RandomDay(seed: seed)
      let visits = VisitDetectorTests.visits(Self.seen(of: day, seed: seed))
      for stay in day.stays {
        let middle = GroundTruth.time((stay.start + stay.end) / 2)
        guard
          let visit = visits.first(where: {
            $0.arrival.latest <= middle && middle <= $0.departure?.earliest ?? middle
          })
        else { continue }
        let came = visit.arrival
        all += 1
        within +=
          came.earliest - 30 <= GroundTruth.time(stay.start)
            && GroundTruth.time(stay.start) <= came.latest + 30 ? 1 : 0
        guard let left = visit.departure else { continue }
        all += 1
        within +=
          left.earliest - 30 <= GroundTruth.time(stay.end)
            && GroundTruth.time(stay.end) <= left.latest + 30 ? 1 : 0
      }
    }
    #expect(all > 300)
    #expect(Double(within) > 0.95 * Double(all), "\(within) of \(all)")
  }

  /// The home visit of a carrier who was at the office by half past seven, without locations in
  /// between.
  static func night(_ silence: Double, seenAfter isSeenAfter: Bool = true) throws -> Visit {
    let before = VisitDetectorTests.series(60, every: 60) { _ in 0 }
    let after = VisitDetectorTests.series(3, from: 3540 + silence, every: 60) { _ in 0 }
    let away = VisitDetectorTests.series(30, from: 3720 + silence, every: 60) { $0 * 10 + 5000 }
    return try #require(
      VisitDetectorTests.visits(before + (isSeenAfter ? after : []) + away).first)
  }

  @Test("a gap is reported, and more unobserved time lowers the confidence in a visit")
  func gaps() throws {
    let watched = try Self.night(800)
    #expect(watched.gap == nil && watched.unobserved == 0)
    let hours = try Self.night(14_400)
    let gap = try #require(hours.gap)
    #expect(gap.duration == 14_400 && hours.unobserved == 14_400)
    let day = try Self.night(42_000)
    #expect(watched.confidence > 0.8)
    #expect(hours.confidence < 0.3 && day.confidence < hours.confidence)
  }

  @Test("every gap of a stay is kept, over a restart, too") func heartbeats() throws {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    for second in stride(from: 0.0, through: 600, by: 60) {
      _ = detector.observe(GroundTruth.location(second, 0))
    }
    for hour in 1...5 {
      for second in [0.0, 60] {
        _ = detector.observe(GroundTruth.location(600 + Double(hour) * 3600 + second, 0))
      }
      var next = VisitDetector(settings: DwellSettings(), nextID: 1)
      next.restore(detector.snapshot)
      detector = next
    }
    let visit = try #require(detector.open)
    #expect(visit.gaps.all.count == 5)
    #expect(visit.gaps.all.map(\.duration).reduce(0, +) == visit.unobserved)
  }

  @Test("without a later location the departure may be any time since")
  func unknownDeparture() throws {
    let visit = try Self.night(42_000, seenAfter: false)
    let departure = try #require(visit.departure)
    #expect(departure.earliest == GroundTruth.time(3540))
    #expect(departure.latest == GroundTruth.time(3720 + 42_000))
    #expect(visit.lastSeen == GroundTruth.time(3540))
  }

  @Test("a night before the first fix is a stay without a position, and marked so")
  func unlocatedNight() throws {
    var pipeline = LocationPipeline(LocationSettings())
    let rest = UnlocatedRest(since: .zero, until: .zero + 20_000, radius: 100)
    var visits: [VisitChange] = []
    for second in stride(from: 20_010.0, through: 20_400, by: 30) {
      let outcome = pipeline.handle(
        GroundTruth.fix(second, 0), after: second == 20_010 ? rest : nil)
      if case .accepted(_, let outcome) = outcome { visits += outcome.visits }
    }
    let gap = try #require(pipeline.openVisit?.gap)
    #expect(gap.duration > 20_000 - 1)
    #expect(pipeline.openVisit?.arrival.estimate == GroundTruth.time(0))
    #expect(!visits.isEmpty)
  }

  @Test("no gap of a visit begins before it") func gapsSinceArrival() {
    func time(_ start: Double, _ end: Double) -> UnobservedPeriod {
      UnobservedPeriod(start: GroundTruth.time(start), end: GroundTruth.time(end))
    }
    let gaps = UnobservedPeriods([time(0, 1000), time(2000, 4000), time(5000, 7000)])
    #expect(gaps.since(GroundTruth.time(2003)).all == [time(2003, 4000), time(5000, 7000)])
  }
}
