import Correspondence
import Energy
import Geodesy
import People
import PlaceFiles
import Places
import Ports
import PowerControl
import Quantities
import ReceiverProtocols
import Records
import Runtime
import Store
import Tracking
import VirtualDevice

/// Somebody on foot, who stands for a while at each of some points.
final class Stroll: GroundTruth {
  private static let speed: MetresPerSecond = 1.4
  let start: UTCInstant
  let end: UTCInstant? = nil
  let hasEnded = false
  private let points: [Coordinate]
  private let pause: Seconds

  init(from start: UTCInstant, _ points: [Coordinate], pause: Seconds) {
    self.start = start
    self.points = points
    self.pause = pause
  }

  func state(at time: UTCInstant) -> TrueState? {
    var left = time - start
    for (from, to) in zip(points, points.dropFirst()) {
      guard left > pause else { return TrueState(position: from) }
      left = left - pause
      let way = Sphere.distance(from, to)
      let bearing = Sphere.bearing(from: from, to: to)
      guard left > way / Self.speed else {
        return TrueState(
          position: Sphere.destination(from: from, bearing: bearing, distance: Self.speed * left),
          speed: Self.speed, track: bearing)
      }
      left = left - way / Self.speed
    }
    return TrueState(position: points[points.count - 1])
  }

  func accessPoint(at time: UTCInstant) -> AccessPoint? { nil }
  func another() -> any GroundTruth { Stroll(from: start, points, pause: pause) }
}

/// A command that ends well at once.
private final class Listener: NoticeCommandPort {
  let name = "listener"
  let interest: Interest? = nil
  let hasRoom = true
  private(set) var told: [[String: String]] = []
  private var done: [NoticeOutcome] = []

  func begin(_ order: NoticeOrder, at now: BootInstant) {
    told.append(Dictionary(order.facts.map { ($0.name, $0.value) }) { first, _ in first })
    done.append(NoticeOutcome(id: order.id, .done(exitStatus: 0)))
  }

  func serve(at now: BootInstant, isReady: Bool) -> [NoticeOutcome] {
    defer { done = [] }
    return done
  }
}

/// A board in a made-up life, its daemon, and its store, which others edit meanwhile.
final class CarriedBoard {
  private let board: VirtualBoard
  private var runtime: TrackerRuntime
  private let listener = Listener()
  private let path: String
  private let change: (inout Devices, inout TrackerSettings) -> Void

  /// - Parameter change: what is otherwise than on a board that is located every 30 s.
  init(
    _ truth: any GroundTruth, path: String, visitor: Visitor = Visitor(""), seed: UInt64 = 5,
    _ change: @escaping (inout Devices, inout TrackerSettings) -> Void = { _, _ in }
  ) throws {
    board = VirtualBoard(groundTruth: truth, settings: VirtualBoardSettings(seed: seed))
    self.path = path
    self.change = { devices, settings in
      devices.visitor = visitor
      change(&devices, &settings)
    }
    runtime = try Self.runtime(board, path, listener, self.change)
    runtime.start(restoring: nil, at: board.now)
  }

  private static func runtime(
    _ board: VirtualBoard, _ path: String, _ listener: Listener,
    _ change: (inout Devices, inout TrackerSettings) -> Void
  ) throws -> TrackerRuntime {
    let store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    let last = try store.lastIdentifiers()
    let wiring = PowerWiring(mechanism: .lines, lines: [.supply], settle: 0, sleepCommand: .none)
    var settings = TrackerSettings(policy: .periodic(PeriodicSettings(interval: 30)))
    settings.power = PowerSequencer(wiring).capabilities
    var devices = Devices(
      receiver: board.receiver, powerSwitch: board.powerSwitch, monitor: board.monitor,
      store: store)
    devices.noticeCommand = listener
    change(&devices, &settings)
    return TrackerRuntime(
      tracker: Tracker(
        settings: settings, lastSessionID: last.session, lastVisitID: last.visit,
        lastDestinationID: last.destination, destinations: try store.destinations()),
      decoder: ReceiverDecoder(), meter: EnergyMeter(model: settings.receiver, at: board.now),
      commits: CommitSettings(), wiring: wiring, devices: devices)
  }

  func run(for length: Seconds) {
    VirtualLoop(board, runtime: runtime).pass(until: board.now + length)
  }

  /// The daemon is killed in the middle of whatever it does, and starts again.
  func restart() throws {
    earlierFixes = fixes
    let state = try GeoPackageStore(path: path, durability: .onceInAWhile).trackerState()
    runtime = try Self.runtime(board, path, listener, change)
    runtime.start(restoring: state, at: board.now)
  }

  /// Why nothing is stored; nil: it is.
  var storeFailure: String? { runtime.storeHealth.failure }
  /// How many fixes were believed, by all daemons together.
  var fixes: Int { earlierFixes + runtime.tracker.counters.fixesAccepted }
  private var earlierFixes = 0
  var people: PeopleDriver? { runtime.people }

  /// Somebody else edits the store.
  func edit(_ place: Place) throws {
    let store = try GeoPackageStore(path: path)
    try PlaceEditor(store).put([PlaceRow(place)])
    try store.close()
  }

  /// What the command line does for the person of the board.
  /// - Returns: what was refused.
  func does(_ event: PeopleEvent, as person: PersonAddress) throws -> [PeopleRefusal] {
    let store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    var refusals: [PeopleRefusal] = []
    let date = board.time(at: board.now)
    try store.changeMessages { items in
      var desk = PeopleDesk(of: person, hasBroker: true, restoring: items)
      let turn = desk.step(event, at: board.now, date: date)
      refusals = turn.refusals
      return turn.change
    }
    try store.close()
    runtime.take(runtime.people?.edited(at: board.now) ?? [], at: board.now)
    return refusals
  }

  /// The uplink brings something.
  func take(_ mail: MailDelivery) -> String? {
    let (inputs, failure) = runtime.people?.take(mail, at: board.now) ?? ([], "nobody's")
    runtime.take(inputs, at: board.now)
    return failure
  }

  /// What the command was told, one part of each.
  func told(_ fact: String = "TEXT") -> [String] { listener.told.map { $0[fact] ?? "-" } }
}
