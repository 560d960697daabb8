import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Store

@Suite struct GeoPackageStoreTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
  }

  @Test("every record is read back unchanged") func everyRecordComesBackAsItWentIn() throws {
    let store = try GeoPackageStore(path: path)
    let segment = PowerSegment(
      state: .tracking, start: start, duration: 12.5, charge: Coulombs(milliampereHours: 0.5),
      energy: 5.5, energyUncertainty: 0.25, basis: .measured)
    let destination = Destination(
      id: 3, position: position(52.1, 5.2), radius: 18.5, visits: 4, totalDwell: 7200)
    try store.write([
      .trackPoint(point(at: 0)), .visit(visit(1, from: 100, to: 900)), .visit(visit(2, from: 2000)),
      .destination(destination), .session(session(7, at: 0, lasting: 20)),
      .powerSegment(segment), .event(LogEvent("gnss-on", "a fix was due"), time: start),
      .event(LogEvent("clock", "no date yet", level: .warning), time: nil),
      .trackerState(#"{"open":2}"#),
    ])

    let reader = try StoreReader(path: path)
    #expect(try reader.allPoints() == [point(at: 0)])
    var visits = try reader.visits()
    #expect(try visits.all() == [visit(1, from: 100, to: 900), visit(2, from: 2000)])
    var destinations = try reader.destinations()
    #expect(try destinations.all() == [destination])
    var sessions = try reader.sessions()
    #expect(try sessions.all() == [session(7, at: 0, lasting: 20)])
    var segments = try reader.segments()
    #expect(try segments.all() == [segment])
    var events = try reader.events()
    #expect(try events.all().map(\.logEvent.kind) == ["gnss-on", "clock"])
    #expect(try reader.trackerState() == #"{"open":2}"#)
    #expect(
      try store.lastIdentifiers() == StoreIdentifiers(visit: 2, destination: 3, session: 7))
  }

  @Test("a record with an id replaces the earlier one, and a withdrawn visit is deleted")
  func recordsWithAnIdReplaceTheEarlierOne() throws {
    let store = try GeoPackageStore(path: path)
    try store.write([.visit(visit(1, from: 100)), .session(session(4, at: 0))])
    try store.write([
      .visit(visit(1, from: 100, to: 500)), .session(session(4, at: 0, lasting: 9)),
    ])
    let reader = try StoreReader(path: path)
    var visits = try reader.visits()
    #expect(try visits.all() == [visit(1, from: 100, to: 500)])
    var sessions = try reader.sessions()
    #expect(try sessions.all() == [session(4, at: 0, lasting: 9)])

    try store.write([.session(GnssSession(id: 5, on: nil))])
    var undated = try reader.sessions()
    #expect(try undated.all().map(\.on) == [start, nil])
    try store.write([.visitWithdrawn(id: 1)])
    var after = try reader.visits()
    #expect(try after.all().isEmpty)
  }

  @Test("a coarse point is withdrawn, and the GNSS point of the same time stays")
  func aCoarsePointIsTakenBackAndItsGnssNeighbourStays() throws {
    let store = try GeoPackageStore(path: path)
    try store.write([
      .trackPoint(point(at: 10, reason: .coarse)), .trackPoint(point(at: 10)),
      .trackPoint(point(at: 20, reason: .coarse)),
    ])
    try store.write([.trackPointReplaced(time: start + 10)])
    let left = try StoreReader(path: path).allPoints()
    #expect(left == [point(at: 10), point(at: 20, reason: .coarse)])
  }

  @Test("points of the same time are all kept") func pointsOfTheSameMomentAreAllKept() throws {
    let store = try GeoPackageStore(path: path)
    try store.write((0..<5).map { _ in .trackPoint(point(at: 10)) })
    #expect(try StoreReader(path: path).allPoints().count == 5)
  }

  @Test("a range includes its start and not its end")
  func rangesIncludeTheStartAndNotTheEnd() throws {
    let store = try GeoPackageStore(path: path)
    try store.write((0..<10).map { .trackPoint(point(at: Seconds(Double($0) * 60))) })
    try store.write([.visit(visit(1, from: 0, to: 100)), .visit(visit(2, from: 300))])
    let reader = try StoreReader(path: path)
    let range = TimeRange(from: start + 120, to: start + 300)
    #expect(try reader.allPoints(range) == [120, 180, 240].map { point(at: $0) })
    var visits = try reader.visits(in: range)
    #expect(try visits.all().isEmpty)
    var later = try reader.visits(in: TimeRange(from: start + 50))
    #expect(try later.all().map(\.id) == [1, 2])
  }

  @Test("an open visit lasts until the last data, or as long as its daemon runs")
  func openVisits() throws {
    let store = try GeoPackageStore(path: path)
    try store.write([.visit(visit(2, from: 300)), .trackPoint(point(at: 900))])
    let lock = StoreLock.isKnownToBeHeld(path)
    func listed(_ from: Seconds) throws -> Int {
      var visits = try StoreReader(path: path).visits(in: TimeRange(from: start + from))
      return try visits.all().count
    }
    #expect(try !lock && listed(900) == 1)
    #expect(try listed(901) == 0, "nothing is known any more")
    try store.close()
    let daemon = try GeoPackageStore(path: path, lock: StoreLock(path: path, for: .daemon))
    #expect(try listed(901) == 1, "it goes on")
    #expect(try listed(.days(36_500)) == 0, "that is still to come")
    try daemon.close()
  }

  @Test("a write is all or nothing, and the store continues after a failure")
  func aWriteIsAllOrNothing() throws {
    let store = try GeoPackageStore(path: path)
    try store.connection.execute("DROP TABLE events")
    #expect(throws: PortError.self) {
      try store.write([
        .trackPoint(point(at: 0)), .event(LogEvent("gnss-on", "a fix was due"), time: nil),
      ])
    }
    try store.write([.trackPoint(point(at: 60))])
    #expect(try StoreReader(path: path).allPoints() == [point(at: 60)])
  }

  @Test("the user's label outlives the tracker's updates")
  func theUsersLabelOutlivesTheTrackersUpdates() throws {
    let store = try GeoPackageStore(path: path)
    var destination = Destination(
      id: 3, position: position(52.1, 5.2), radius: 18, visits: 4, totalDwell: 7200)
    try store.write([.destination(destination)])
    #expect(try store.setLabel("Home", destination: 3))
    #expect(try !store.setLabel("Nowhere", destination: 4))
    destination.visits = 5
    try store.write([.destination(destination)])
    #expect(try store.destinations().map(\.label) == ["Home"])
    #expect(try store.destinations().map(\.visits) == [5])
    #expect(try store.setLabel("", destination: 3))
    #expect(try store.destinations().map(\.label) == [nil])
  }

  @Test("the same records make the same file, byte for byte")
  func theSameRecordsMakeTheSameFile() throws {
    for name in ["a.gpkg", "b.gpkg"] {
      let store = try GeoPackageStore(path: folder.file(name))
      for second in 0..<50 { try store.write([.trackPoint(point(at: Seconds(Double(second))))]) }
      try store.close()
    }
    #expect(try run("cmp", folder.file("a.gpkg"), folder.file("b.gpkg")).status == 0)
    #expect(folder.files == ["a.gpkg", "b.gpkg"])
  }
}
