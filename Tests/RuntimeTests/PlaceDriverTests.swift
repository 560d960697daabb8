import Records
import StoreStandIns
import Core
import Formats
import Places
import Ports
import GNSS
import TestSupport
import Testing
import Tracking

@testable import Runtime

/// Places and alerts of a store, and a board that is located near them.
@Suite struct PlaceDriverTests {
  /// Returns places in insertion order.
  private final class PlaceStore: EmptyStore {
    override var name: String { "places" }
    var all: [PlaceRow] = []
    var alert: StoredAlert?
    var mark: Int64 = 0
    var questions = 0
    var failure: PortError?
    private(set) var crossings: [String] = []
    private(set) var noticed: [String?] = []
    var notices: Int { noticed.count }

    override func write(_ records: [Record]) {
      for record in records {
        switch record {
        case .crossing(let crossing):
          crossings.append("\(crossing.change.rawValue) \(crossing.placeName)")
        case .notice(let notice): noticed.append(notice.placeName)
        case .alertFinished: alert?.isEnabled = false
        default: break
        }
      }
    }

    override func places(
      near box: GeographicBox, atMost most: Int, _ take: (PlaceRow) -> Void
    ) -> PlaceReading {
      questions += 1
      let found = all.filter { $0.reaches(into: box) }
      for row in found.prefix(most) { take(row) }
      return PlaceReading(isCut: found.count > most)
    }

    override func place(uuid: String) -> PlaceRow? { all.first { $0.place.uuid == uuid } }
    override func alerts() throws(PortError) -> StoredAlerts {
      if let failure { throw failure }
      return StoredAlerts(rows: alert.map { [$0] } ?? [])
    }
    override func editMark() -> Int64? { mark }
  }

  private static let date = UTCInstant(seconds: 1_780_000_000)
  private static let centre = Coordinate(latitude: 52, longitude: 5)

  private let store = PlaceStore()
  private let runtime: TrackerRuntime
  private let logs = Logs()

  private final class Logs { var events: [LogEvent] = [] }

  private static func runtime(
    _ store: PlaceStore, _ policy: PolicyDescriptor, looks: Bool = true
  ) -> TrackerRuntime {
    var devices = Devices(store: store)
    devices.locatesForAlerts = looks
    return TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings(policy: PolicySettings(policy))),
      decoder: ReceiverDecoder(), meter: EnergyMeter(model: .ubloxM8, at: .zero),
      commits: CommitSettings(), wiring: PowerWiring(mechanism: .lines, lines: [.supply]),
      devices: devices)
  }

  init() throws {
    runtime = Self.runtime(store, ContinuousPolicy.descriptor)
    runtime.systemDate = {
      SystemDate(date: Self.date, read: .zero, isSynchronized: true)
    }
    runtime.onLog = { [logs] event, _ in logs.events.append(event) }
    var alert = StoredAlert(id: 1)
    alert.name = "gone"
    alert.kind = "leave"
    store.alert = alert
  }

  /// Places with the maximum number of corners, around a point at this distance to the east.
  private static func areas(_ count: Int, _ distance: Metres) throws -> [PlaceRow] {
    let centre = at(distance)
    let corners = (0..<PlaceLimits.corners - 1).map { corner in
      Sphere.destination(
        from: centre, bearing: Degrees(Double(corner) * 360 / Double(PlaceLimits.corners - 1)),
        distance: 75)
    }
    let ring = PerimeterPolygon(outer: corners + corners.prefix(1))
    return try (0..<count).map { number in
      try place("area \(number)", seed: UInt64(number), distance, .polygons([ring]))
    }
  }

  private static func place(
    _ name: String, seed: UInt64, _ distance: Metres, _ perimeter: Perimeter
  ) throws -> PlaceRow {
    var chance = SplitMix(seed: seed)
    let details = PlaceDetails(
      name: name, location: .fixed(at(distance)), perimeter: perimeter,
      owner: PlaceFileDefaults.ofStore.owner)
    return PlaceRow(try Place(id: PlaceID.made(using: &chance), details))
  }

  /// A point at this distance east of the centre.
  private static func at(_ distance: Metres) -> Coordinate {
    Sphere.destination(from: centre, bearing: 90, distance: distance)
  }

  private func locate(_ distance: Metres, at seconds: Double) {
    locate(distance, at: seconds, runtime)
  }

  private func locate(_ distance: Metres, at seconds: Double, _ runtime: TrackerRuntime) {
    var fix = Fix(received: .boot(seconds))
    fix.time = Self.date + Seconds(seconds)
    fix.mode = .threeD
    fix.position = Self.at(distance)
    fix.horizontalError = 4
    runtime.handle([.tracker(.fix(fix))], at: .boot(seconds))
    runtime.commit(at: .boot(seconds))
  }

  private func leaveHome(at seconds: Double) {
    for count in 0..<4 { locate(0, at: seconds + Double(count) * 60) }
    for count in 4..<8 { locate(1000, at: seconds + Double(count) * 60) }
  }

  private var crowds: Int { logs.events.count { $0.kind == "places-crowded" } }

  @Test("distant areas with more edges than the limit hide nothing that is near") func far()
    throws
  {
    store.all =
      try Self.areas(30, 9000) + [Self.place("Home", seed: 99, 0, .circle(radius: 100))]
    runtime.start(restoring: nil, at: .boot(1))
    leaveHome(at: 10)
    #expect(store.crossings == ["found Home", "left Home"] && store.notices == 1)
    #expect(crowds == 0)
  }

  @Test("near ones are watched up to the limit, and that is reported once") func near() throws {
    store.all =
      try Self.areas(30, 100) + [Self.place("Home", seed: 99, 0, .circle(radius: 100))]
    runtime.start(restoring: nil, at: .boot(1))
    locate(0, at: 10)
    #expect(runtime.places.inside.map(\.name) == ["Home"])
    #expect(crowds == 1)
  }

  @Test("unreadable alerts are reported once if that persists, and shown for as long")
  func unreadable() {
    store.failure = .failed("row 2 is too long")
    runtime.start(restoring: nil, at: .boot(1))
    func told(_ kind: String) -> Int { logs.events.count { $0.kind == kind } }
    locate(0, at: 10)
    #expect(told("places-unread") == 0, "it may be passing")
    for count in 1...5 { locate(0, at: Double(count) * 1000) }
    #expect(told("places-unread") == 1 && told("places-read") == 0)
    #expect(runtime.storeHealth.failure == "row 2 is too long")
    store.failure = nil
    locate(0, at: 9000)
    #expect(told("places-read") == 1 && runtime.storeHealth.failure == nil)
  }

  @Test("invalid parts of rows are cut, and reported once") func remarks() {
    var remarks = PlaceRemarks()
    let long = String(repeating: "x", count: 100_000)
    #expect(remarks.newRemarks([long, "short"]).map(\.utf8.count) == [403, 5])
    #expect(remarks.newRemarks(["short", long]) == [])
    #expect(remarks.newRemarks((0..<1000).map(String.init)).count == 20)
  }

  @Test("after a switch to a policy without places none are read for it") func policies()
    throws
  {
    store.all = [try Self.place("Home", seed: 99, 0, .circle(radius: 100))]
    runtime.start(restoring: nil, at: .boot(1))
    func questionsOfEdit(with policy: PolicyDescriptor, at seconds: Double) -> Int {
      runtime.handle(runtime.places.reconfigure(looks: true, isPolicyNew: true), at: .boot(seconds))
      runtime.reconfigure(
        TrackerSettings(policy: PolicySettings(policy)), boot: nil, at: .boot(seconds))
      for second in 1...3 { locate(0, at: seconds + Double(second)) }
      let before = store.questions
      store.mark += 1
      locate(0, at: seconds + 10)
      return store.questions - before
    }
    #expect(questionsOfEdit(with: ProximityPolicy.descriptor, at: 100) == 2)
    #expect(questionsOfEdit(with: ContinuousPolicy.descriptor, at: 200) == 1)
  }

  @Test(
    "whether the board checks alerts applies after a reload as after a start",
    arguments: [true, false])
  func looking(looks: Bool) throws {
    store.all = [try Self.place("Home", seed: 99, 0, .circle(radius: 100))]
    let periodic = PeriodicPolicy.descriptor
    func next(from before: Bool, to looks: Bool) -> BootInstant? {
      let runtime = Self.runtime(store, periodic, looks: before)
      runtime.start(restoring: nil, at: .boot(1))
      runtime.handle(runtime.places.reconfigure(looks: looks, isPolicyNew: true), at: .boot(2))
      runtime.reconfigure(
        TrackerSettings(policy: PolicySettings(periodic)), boot: nil, at: .boot(2))
      for second in 10..<40 { locate(300, at: Double(second), runtime) }
      return runtime.tracker.nextWake
    }
    #expect(next(from: !looks, to: looks) == next(from: looks, to: looks))
    #expect(next(from: !looks, to: looks) != next(from: looks, to: !looks))
  }

  @Test("a policy that follows places receives the radius within which all are known")
  func followed() throws {
    // Nearest first, as a store returns them.
    store.all = try (0..<2000).map {
      try Self.place("P\($0)", seed: UInt64($0), Metres(Double($0)), .circle(radius: 1))
    }
    runtime.start(restoring: nil, at: .boot(1))
    let all = SphericalCap(centre: Self.centre, radius: 10_000)
    let inputs = runtime.places.targets(within: all, at: .boot(2))
    guard case .tracker(.places(let targets, let cap))? = inputs.last else {
      Issue.record("\(inputs)")
      return
    }
    #expect(cap == SphericalCap(centre: Self.centre, radius: 625) && targets.count == 626)
  }

  @Test("an alert that is armed again after an alarm is raised again") func once() throws {
    store.all = [try Self.place("Home", seed: 99, 0, .circle(radius: 100))]
    store.alert?.isOnce = true
    runtime.start(restoring: nil, at: .boot(1))
    leaveHome(at: 10)
    leaveHome(at: 1000)
    #expect(store.notices == 1 && store.alert?.isEnabled == false)
    store.alert?.isEnabled = true
    store.mark += 1
    for count in 0..<8 where store.notices < 2 {
      locate(count < 4 ? 0 : 1000, at: 2000 + Double(count) * 60)
    }
    #expect(store.notices == 2 && store.alert?.isEnabled == false)
    // Before any other event.
    store.alert?.isEnabled = true
    store.mark += 1
    leaveHome(at: 3000)
    #expect(store.notices == 3 && store.alert?.isEnabled == false)
  }

  @Test("an alert that is tested names its place, if it has one") func tried() throws {
    let home = try Self.place("Home", seed: 99, 0, .circle(radius: 100))
    store.all = [home]
    store.alert?.place = home.place.uuid
    runtime.start(restoring: nil, at: .boot(1))
    for seconds in [10.0, 100] {
      locate(5000, at: seconds)
      locate(5000, at: seconds + 1)
      #expect(runtime.places.test(1, at: .boot(seconds + 2)) != nil)
      runtime.commit(at: .boot(seconds + 3))
      store.alert?.place = nil
      store.mark += 1
    }
    #expect(store.noticed == ["Home", nil])
  }
}

extension PlaceRow {
  fileprivate func reaches(into box: GeographicBox) -> Bool {
    switch self {
    case .circle(let circle): circle.centre.map(box.contains) ?? false
    case .area(let area): area.polygons?.first?.first?.first.map(box.contains) ?? false
    }
  }
}
