import Core
import Records
import Testing

@testable import Formats

/// `godwit trips`: the report on the way from one visit to the next.
@Suite struct TripTests {
  static let start = ExportSamples.start
  /// The length of a degree of latitude.
  static let degree = 111_194.93

  static func place(_ metresNorth: Double) -> Coordinate {
    ExportSamples.position(52 + metresNorth / degree, 5)
  }

  /// A stay at a place on one meridian.
  static func visit(_ id: Int64, from: Seconds, to: Seconds?, at north: Double) -> Visit {
    var visit = Visit(
      id: id, arrival: TimeEstimate(exactly: start + from),
      departure: to.map { TimeEstimate(exactly: start + $0) }, position: place(north),
      accuracy: 0, confidence: 1, locations: 9)
    visit.destination = id * 10
    return visit
  }

  static func point(_ second: Seconds, _ north: Double, accuracy: Metres = 0) -> TrackPoint {
    TrackPoint(
      location: Location(time: start + second, position: place(north), accuracy: accuracy),
      reason: .scheduled)
  }

  static func trips(
    _ visits: [Visit], _ points: [TrackPoint], labels: [Int64: String] = [:], bound: Metres = 0
  ) -> [Trip] {
    var finder = TripFinder(visits, labels: labels, bound: bound)
    for point in points { finder.add(point) }
    finder.finish()
    return finder.trips
  }

  static let both = [
    visit(1, from: 0, to: 1000, at: 0), visit(2, from: 1600, to: 3000, at: 6000),
    visit(3, from: 5000, to: nil, at: 0),
  ]

  @Test("values known only within limits are reported so") func limits() throws {
    var visits = Self.both
    visits[0].departure = TimeEstimate(
      estimate: Self.start + 1000, earliest: Self.start + 1000, latest: Self.start + 90_000)
    visits[1].arrival = TimeEstimate(
      estimate: Self.start + 90_600, earliest: Self.start + 1600, latest: Self.start + 90_600)
    visits.removeLast()
    let trip = try #require(Self.trips(visits, [Self.point(90_700, 6000)]).first)
    let row = Trip.columns.cells(of: trip, style: TableStyle { _ in "then" })
    #expect(row.contains("0 min to 25 h") && row.contains("> 6.00 km"), "\(row)")
  }

  @Test("a trip goes from one visit to the next, along the points between them")
  func between() throws {
    let points = [
      Self.point(500, 900), Self.point(1200, 2000), Self.point(1400, 5000), Self.point(2000, 6900),
      Self.point(3800, 5000), Self.point(4200, -500),
    ]
    let trips = Self.trips(Self.both, points, labels: [10: "Home"])
    #expect(trips.map(\.from.name) == ["Home", "Destination 20"])
    #expect(trips.map(\.to.name) == ["Destination 20", "Destination 30"])
    let there = try #require(trips.first)
    // Points observed during the stays are not part of the trip.
    #expect((there.distance.value - 6000).magnitude < 1)
    #expect(there.duration == 600 && there.unwatched == 0)
    #expect((try #require(there.meanSpeed).value - 10).magnitude < 0.01)
    #expect(there.mode == .vehicle)
    let back = trips[1]
    #expect((back.distance.value - 7000).magnitude < 1)
  }

  @Test("over a gap the trip is a straight line, and the gap's length is reported")
  func gap() throws {
    let visits = [
      Self.visit(1, from: 0, to: 1000, at: 0), Self.visit(2, from: 9000, to: nil, at: 9000),
    ]
    let trip = try #require(Self.trips(visits, [Self.point(1300, 3000)]).first)
    #expect((trip.distance.value - 9000).magnitude < 1)
    #expect((trip.unwatchedDistance.value - 6000).magnitude < 1 && trip.unwatched == 7700)
    #expect(trip.mode == .unknown)
  }

  @Test("without a point in between, only the two places are known") func unseen() throws {
    let visits = [
      Self.visit(1, from: 0, to: 1000, at: 0), Self.visit(2, from: 1300, to: nil, at: 900),
    ]
    let trip = try #require(Self.trips(visits, []).first)
    #expect((trip.distance.value - 900).magnitude < 1 && trip.unwatched == 0)
  }

  @Test("unobserved ends are bounds, and give no speed") func bounds() throws {
    var visits = Self.both
    visits[0].departure = TimeEstimate(
      estimate: Self.start + 1000, earliest: Self.start + 400, latest: Self.start + 1500)
    let trip = try #require(Self.trips(visits, []).first)
    #expect(trip.shortest == 100 && trip.duration == 600 && trip.longest == 1200)
    #expect(trip.meanSpeed == nil)
    // Counted from the last observation there.
    #expect(trip.unwatched == 1200 && trip.mode == .unknown)
  }

  @Test("the errors of points count at the ends and where the path turns")
  func accuracies() throws {
    let visits = [
      Self.visit(1, from: 0, to: 1000, at: 0), Self.visit(2, from: 1600, to: nil, at: 6000),
    ]
    // Straight on: only the ends count, which are exact.
    let straight = Self.trips(visits, [Self.point(1300, 3000, accuracy: 15.1)])
    #expect(try #require(straight.first).distanceUncertainty.value < 0.1)
    // There and half of it back: the error counts twice at the turn.
    let turned = Self.trips(visits, [Self.point(1300, 9000, accuracy: 15.1)])
    #expect((try #require(turned.first).distanceUncertainty.value - 20).magnitude < 0.1)
    var ends = visits
    ends[0].accuracy = 15.1
    let begun = Self.trips(ends, [Self.point(1300, 3000)])
    #expect((try #require(begun.first).distanceUncertainty.value - 10).magnitude < 0.1)
  }

  @Test("the track's omissions and measured speeds add to the uncertainty")
  func leftOut() throws {
    let visits = [
      Self.visit(1, from: 0, to: 1000, at: 0), Self.visit(2, from: 1600, to: nil, at: 6000),
    ]
    // 2 sqrt(3000² + 400²) - 6000 = 53.1; a standard uncertainty of 1/√3 of it.
    let bent = try #require(Self.trips(visits, [], bound: 400).first)
    #expect((bent.distanceUncertainty.value - 53.1 / 1.732).magnitude < 0.1)
    var points = [Self.point(1100, 1000), Self.point(1500, 5000)]
    for index in points.indices { points[index].location.speed = 15 }
    // 15 m/s for 400 s are 6000 m, and the line has 4000.
    let fast = try #require(Self.trips(visits, points).first)
    #expect((fast.distanceUncertainty.value - 2000 / 1.732).magnitude < 1)
  }

  @Test(
    "the mode follows from the speed of the fastest tenth",
    arguments: [(600.0, Trip.Mode.walk), (2400, .bicycle), (9000, .vehicle)])
  func modes(metres: Double, mode: Trip.Mode) throws {
    let visits = [
      Self.visit(1, from: 0, to: 1000, at: 0), Self.visit(2, from: 1600, to: nil, at: metres),
    ]
    // It stands still for the first third.
    let trip = Self.trips(visits, [Self.point(1200, 0)])
    #expect(try #require(trip.first).mode == mode)
  }

  @Test("a ride is recognised by speeds measured at some of its fixes") func looks() throws {
    var points = (0..<10).map { Self.point(1030 + Seconds(Double($0)) * 60, Double($0) * 200) }
    for index in points.indices {
      points[index].location.speed = index % 3 == 0 ? 11 : 0.25
    }
    let visits = [
      Self.visit(1, from: 0, to: 1000, at: 0), Self.visit(2, from: 1600, to: nil, at: 2000),
    ]
    #expect(try #require(Self.trips(visits, points).first).mode == .vehicle)
  }

  @Test("a range includes the trips that overlap it") func range() {
    var finder = TripFinder(Self.both, labels: [:], bound: 0)
    finder.finish()
    func ids(_ from: Seconds?, _ to: Seconds?) -> [Int64] {
      finder.trips(from: from.map { Self.start + $0 }, to: to.map { Self.start + $0 })
        .map(\.from.visit)
    }
    #expect(ids(nil, nil) == [1, 2] && ids(1700, nil) == [2] && ids(1600, nil) == [1, 2])
    #expect(ids(nil, 3000) == [1] && ids(1200, 1300) == [1] && ids(1700, 2900) == [])
  }

  @Test("coarse positions off the path lengthen it, and the uncertainty shows that") func coarse()
    throws
  {
    func trip(_ source: Location.Source) throws -> Trip {
      let points = (1...5).map { number in
        // Alternating 2 km to either side of a path of 6 km.
        let side = number % 2 == 0 ? 0.03 : -0.03
        var point = Self.point(1000 + Seconds(Double(number) * 100), Double(number) * 1000)
        point.location.position = Coordinate(
          latitude: point.location.position.latitude,
          longitude: point.location.position.longitude + Degrees(side))
        point.location.accuracy = source == .coarse ? 2000 : 5
        point.location.source = source
        return point
      }
      return try #require(Self.trips(Self.both, points).first)
    }
    let coarse = try trip(.coarse)
    #expect(coarse.coarsePoints == 5)
    #expect(coarse.distance - 6000 < coarse.distanceUncertainty * 2)
    #expect(Trip.columns.cells(of: coarse).last == "5 coarse positions")
    let seen = try trip(.gnss)
    #expect(seen.coarsePoints == 0 && seen.distanceUncertainty < 50)
    #expect(Trip.columns.cells(of: seen).last == "")
  }

  @Test("CSV has one line per trip, and labels cannot break it") func csv() throws {
    let trip = try #require(
      Self.trips(Self.both, [], labels: [10: "A \"b\",\r\n=c\u{0}"]).first)
    var bytes = Array(Trip.columns.csvHeading.utf8)
    Trip.columns.append(trip, toCSV: &bytes)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines[0] == """
        from,to,from_visit_id,to_visit_id,from_destination_id,to_destination_id,\
        departure_utc,departure_earliest_utc,departure_latest_utc,\
        arrival_utc,arrival_earliest_utc,arrival_latest_utc,\
        duration_s,duration_least_s,duration_most_s,distance_m,distance_uncertainty_m,\
        mean_speed_m_s,mode,unwatched_s,unwatched_distance_m,coarse_points
        """)
    #expect(lines[1].hasPrefix(#""A ""b"",\#u{fffd}"#))
    #expect(lines[1].contains(",1,2,10,20,2026-05-01T00:16:40.000Z,"))
    #expect(lines[1].hasSuffix(#",600,600,600,6000,0,10.00,"vehicle",0,0,0"#), "\(lines[1])")
  }

  @Test("times out of order and invalid accuracies are handled")
  func hostile() throws {
    #expect(Self.trips([], [Self.point(0, 0)]).isEmpty)
    #expect(Self.trips([Self.both[2], Self.both[0]], []).isEmpty)
    var turned = [Self.both[1], Self.both[0], Self.both[2]]
    turned[2].departure = TimeEstimate(
      estimate: UTCInstant(nanoseconds: .max), earliest: UTCInstant(nanoseconds: .min),
      latest: UTCInstant(nanoseconds: .max))
    turned.append(Self.visit(9, from: 9000, to: nil, at: 0))
    let points = [
      Self.point(3500, 100, accuracy: .init(.nan)),
      Self.point(3500, 100, accuracy: .init(.infinity)),
      Self.point(3400, 200),
    ]
    for trip in Self.trips(turned, points) {
      var bytes: [UInt8] = []
      Trip.columns.append(trip, toCSV: &bytes)
      _ = Trip.columns.cells(of: trip)
      #expect(trip.distance.isFinite && trip.duration >= 0)
      #expect(!String(decoding: bytes, as: UTF8.self).contains("nan"))
    }
  }
}
