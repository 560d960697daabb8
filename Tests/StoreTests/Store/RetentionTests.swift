import Core
import Records
import TestSupport
import Testing

@testable import Store

@Suite struct RetentionTests {
  let folder: ScratchFolder
  let store: GeoPackageStore

  init() throws {
    folder = try ScratchFolder()
    store = try GeoPackageStore(path: folder.file("track.gpkg"), durability: .onceInAWhile)
  }

  private func count(_ table: String) throws -> Int64 {
    try store.connection.integer("SELECT count(*) FROM \(table)") ?? -1
  }

  /// One point, event and session an hour for ten days; a visit each day, the last still open.
  private func fill() throws {
    for hour in 0..<240 {
      let time = Seconds.hours(Double(hour))
      try store.write([
        .trackPoint(point(at: time, position(52 + Double(hour) * 0.01, 5))),
        .event(LogEvent("gnss-on", "due"), time: hour % 10 == 0 ? nil : start + time),
        .session(session(Int64(hour + 1), at: time, lasting: hour == 0 ? nil : 20)),
      ])
    }
    for day in 0..<10 {
      let arrival = Seconds.days(Double(day))
      var stay = visit(Int64(day + 1), from: arrival, to: day == 9 ? nil : arrival + 3600)
      stay.destination = Int64(day / 2 + 1)
      stay.position = position(52 + Double(day), 5)
      try store.write([.visit(stay)])
    }
    for id in 1...5 {
      try store.write([
        .destination(
          Destination(
            id: Int64(id), position: position(52, 5), radius: 10, visits: 2, totalDwell: 60,
            label: id == 1 ? "Home" : nil))
      ])
    }
  }

  private static let daysFive = RetentionLimits(age: .days(5))

  /// As many runs as needed, one a day, all up to the same time.
  private func runs(_ limits: RetentionLimits, now: UTCInstant) throws -> [RetentionReport] {
    var reports: [RetentionReport] = []
    repeat {
      let later = Seconds.days(Double(reports.count))
      var limits = limits
      limits.age = limits.age.map { $0 + later }
      reports.append(try store.applyRetention(limits, now: now + later))
    } while reports.last?.isCutShort == true && reports.count < 100
    return reports
  }

  @Test("records older than the limit go, open visits and sessions stay") func byAge() throws {
    try fill()
    let now = start + .days(10)
    let reports = try runs(Self.daysFive, now: now)
    #expect(reports.map(\.trackPoints).reduce(0, +) == 120)
    #expect(try count("track_points") == 120)
    #expect(try count("events") == 120)
    // The open session is the oldest of all, and stays.
    #expect(try count("gnss_sessions") == 121)
    #expect(reports.map(\.visits).reduce(0, +) == 5)
    #expect(try count("visits") == 5)
    // Destination 2 has lost its visits; so has 1, but the user named it.
    #expect(try store.destinations().map(\.id) == [1, 3, 4, 5])
    #expect(try store.applyRetention(Self.daysFive, now: now).isEmpty)
  }

  @Test("restarts on the same day delete no more than one run does")
  func restarts() throws {
    try fill()
    let now = start + .days(36_000)
    let limits = RetentionLimits(age: .days(365))
    #expect(try !store.applyRetention(limits, now: now).isEmpty)
    let left = try count("track_points")
    for hour in 1..<20 {
      #expect(try store.applyRetention(limits, now: now + .hours(Double(hour))).isEmpty)
    }
    #expect(try count("track_points") == left)
    #expect(try !store.applyRetention(limits, now: now + .days(1)).isEmpty)
  }

  @Test("a row with an old date among new ones removes none of them")
  func oldDateAmongNewOnes() throws {
    for id in 1...20 {
      let time = id == 19 ? Seconds.days(-2000) : .hours(Double(id))
      try store.write([
        .session(session(Int64(id), at: time, lasting: 20)),
        .event(LogEvent("gnss-on", "due"), time: id % 5 == 0 ? nil : start + time),
      ])
    }
    let limits = RetentionLimits(age: .days(28))
    #expect(try store.applyRetention(limits, now: start + .days(2)).others == 2)
    #expect(try count("gnss_sessions") == 19)
    #expect(try count("events") == 19, "those without a date are of the new ones")
  }

  @Test("one run deletes no more than a quarter of a table, the oldest first")
  func theShareOfOneRun() throws {
    try fill()
    let report = try store.applyRetention(
      RetentionLimits(age: .days(365)), now: start + .days(36_000))
    #expect(report.isCutShort)
    #expect(report.trackPoints == 60)
    #expect(report.visits == 3)
    #expect(try count("events") == 180)
    #expect(try count("gnss_sessions") == 180)
    let points = try StoreReader(path: store.name).allPoints()
    #expect(points.first?.location.time == start + .hours(60))
    let byCount = try store.applyRetention(RetentionLimits(points: 1), now: start)
    #expect(byCount.isCutShort && byCount.trackPoints == 45)
  }

  @Test("a short age is reached although records are deleted in parts")
  func shortAges() throws {
    for days in [1.0, 2, 5, 30, 365] {
      let due = 1 / (days + 1)
      #expect(RetentionLimits(age: .days(days)).share >= min(1, 1.5 * due))
      #expect(RetentionLimits(age: .days(days)).share >= 0.25)
    }
    #expect(RetentionLimits(age: .days(365)).share == 0.25)
    #expect(RetentionLimits(points: 3).share == 0.25)
  }

  @Test("an open visit stays, however old it is") func anOpenVisitStaysHoweverOldItIs() throws {
    try fill()
    _ = try runs(RetentionLimits(age: 1), now: start + .days(1000))
    #expect(try count("visits") == 1)
    #expect(try count("track_points") == 0)
    #expect(try count("events") == 0)
    #expect(try store.destinations().map(\.id) == [1, 5])
  }

  @Test("the number of points can be limited, and the newest stay")
  func theNewestPointsStayWithinTheLimit() throws {
    try fill()
    let limits = RetentionLimits(points: 100)
    let reports = try runs(limits, now: start)
    #expect(reports.map(\.trackPoints).reduce(0, +) == 140)
    let points = try StoreReader(path: store.name).allPoints()
    #expect(points.first?.location.time == start + .hours(140))
    #expect(try count("events") == 100 && reports.allSatisfy { $0.visits == 0 })
    #expect(try store.applyRetention(limits, now: start).isEmpty)
  }

  @Test("the extent shrinks to what is left") func theExtentShrinksToWhatIsLeft() throws {
    try fill()
    _ = try runs(RetentionLimits(points: 100), now: start)
    let south = try store.connection.prepareOnce(
      "SELECT min_y, max_y FROM gpkg_contents WHERE table_name = 'track_points'")
    #expect(try south.step())
    #expect(abs((south.real(0) ?? 0) - 53.4) < 0.011 && abs((south.real(1) ?? 0) - 54.39) < 0.011)
  }

  @Test("a disk that is nearly full stops the store's growth")
  func aShortDiskStopsTheGrowth() throws {
    func fill(_ days: Range<Int>) throws {
      for day in days {
        try store.write(
          (0..<1000).map { .trackPoint(point(at: .days(Double(day)) + Seconds(Double($0)))) })
      }
    }
    let limits = RetentionLimits(minimumFree: 1_000_000)
    try fill(0..<10)
    #expect(try store.applyRetention(limits, now: start, freeBytes: 10).isEmpty, "still small")
    try fill(10..<80)
    #expect(try store.applyRetention(limits, now: start, freeBytes: 2_000_000).isEmpty)
    let pages = try store.connection.integer("PRAGMA page_count") ?? 0
    for week in 0..<5 {
      let report = try store.applyRetention(limits, now: start, freeBytes: 10)
      #expect(report.trackPoints > 0 && report.trackPoints < 20_000)
      try fill((80 + week * 7)..<(87 + week * 7))
    }
    let later = try store.connection.integer("PRAGMA page_count") ?? 0
    #expect(later - pages < 100, "grew from \(pages) to \(later) pages")
    #expect(try count("track_points") > 60_000)
  }
}
