import Messaging
import Records
import Formats
import Places
import Ports
import GNSS
import Core
import Runtime
import Store
import Tracking
import VirtualDevice

/// A command that succeeds at once.
private final class Listener: NoticeCommandPort {
  let name = "listener"
  let interest: Interest? = nil
  let isSetUp = true
  let hasRoom = true
  private(set) var told: [[String: String]] = []
  private var done: [NoticeOutcome] = []

  func begin(_ order: NoticeCommandInput, at now: BootInstant) {
    told.append(Dictionary(order.facts.map { ($0.name, $0.value) }) { first, _ in first })
    done.append(NoticeOutcome(id: order.id, .done(exitStatus: 0)))
  }

  func serve(at now: BootInstant, isReady: Bool) -> [NoticeOutcome] {
    defer { done = [] }
    return done
  }
}

/// A board in a made-up life, its daemon, and its store, which others edit meanwhile.
public final class CarriedBoard {
  private let board: VirtualBoard
  private var runtime: TrackerRuntime
  private let listener = Listener()
  private let path: String
  private let clock: SystemDate?
  private let change: (inout Devices, inout TrackerSettings) -> Void

  /// - Parameters:
  ///   - clock: the system clock's date when the board boots; nil: there is no clock.
  ///   - change: changes the settings of a board that is located every 30 s.
  public init(
    _ truth: any GroundTruth, path: String, visitor: Visitor = Visitor(""), seed: UInt64 = 5,
    sources: Set<SourceKind> = [], beacons: VirtualBeaconSettings? = nil,
    clock: SystemDate? = nil,
    _ change: @escaping (inout Devices, inout TrackerSettings) -> Void = { _, _ in }
  ) throws {
    board = VirtualBoard(
      groundTruth: truth,
      settings: VirtualBoardSettings(sources: sources, beacons: beacons, seed: seed))
    self.path = path
    self.clock = clock
    self.change = { devices, settings in
      devices.visitor = visitor
      change(&devices, &settings)
    }
    runtime = try Self.runtime(board, path, listener, self.change)
    begin(restoring: nil)
  }

  private func begin(restoring state: String?) {
    runtime.onLog = { [unowned self] event, _ in onLog(event) }
    runtime.systemDate = { [clock] in clock }
    runtime.start(restoring: state, at: board.now)
  }

  private static func runtime(
    _ board: VirtualBoard, _ path: String, _ listener: Listener,
    _ change: (inout Devices, inout TrackerSettings) -> Void
  ) throws -> TrackerRuntime {
    let store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    let last = try store.lastIdentifiers()
    let wiring = PowerWiring(mechanism: .lines, lines: [.supply], settle: 0, sleepCommand: .none)
    var devices = Devices(
      receiver: board.receiver, powerSwitch: board.powerSwitch, monitor: board.monitor,
      evidence: board.sources, store: store)
    devices.beaconRadio = board.beaconRadio
    devices.noticeCommand = listener
    var settings = TrackerSettings(
      policy: .periodic(PeriodicSettings(interval: 30)),
      evidenceSources: devices.evidenceSources)
    settings.power = PowerSequencer(wiring).capabilities
    change(&devices, &settings)
    return TrackerRuntime(
      tracker: Tracker(
        settings: settings, lastSessionID: last.session, lastVisitID: last.visit,
        lastDestinationID: last.destination, destinations: try store.destinations()),
      decoder: ReceiverDecoder(), meter: EnergyMeter(model: settings.receiver, at: board.now),
      commits: CommitSettings(), wiring: wiring, devices: devices)
  }

  /// Called with each journal event.
  public var onLog: (LogEvent) -> Void = { _ in }

  public func run(for length: Seconds) {
    VirtualLoop(board, runtime: runtime).pass(until: board.now + length)
  }

  /// Kills the daemon at an arbitrary point, and starts it again.
  public func restart() throws {
    earlierFixes = fixes
    let state = try GeoPackageStore(path: path, durability: .onceInAWhile).trackerState()
    runtime = try Self.runtime(board, path, listener, change)
    begin(restoring: state)
  }

  /// Why nothing is stored; nil: no failure.
  public var storeFailure: String? { runtime.storeHealth.failure }
  /// How many fixes were accepted, by all runs of the daemon together.
  public var fixes: Int { earlierFixes + runtime.tracker.counters.fixesAccepted }
  private var earlierFixes = 0
  /// How often the receiver was switched on since the daemon's last start.
  public var sessions: Int { runtime.tracker.counters.sessions }
  public var people: PeopleDriver? { runtime.people }

  /// Another program edits the store.
  public func edit(_ place: Place) throws {
    let store = try GeoPackageStore(path: path)
    try PlaceEditor(store).put([PlaceRow(place)])
    try store.close()
  }

  /// An action of the board's owner on the command line.
  /// - Returns: what was refused.
  public func does(_ event: MessagingEvent, as person: PersonAddress) throws -> [MessagingRefusal] {
    let store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    var refusals: [MessagingRefusal] = []
    let date = board.time(at: board.now)
    try store.changeMessages { items in
      var messaging = MessagingState(
        of: person, hasBroker: true, restoring: items, at: runtime.tracker.sighting.location)
      let turn = messaging.step(event, at: board.now, date: date)
      refusals = turn.refusals
      return turn.change
    }
    try store.close()
    runtime.handle(runtime.people?.edited(at: board.now) ?? [], at: board.now)
    return refusals
  }

  /// The uplink delivers a message.
  package func take(_ mail: PeerMessageDelivery) -> String? {
    let (inputs, failure) = runtime.people?.deliver(mail, at: board.now) ?? ([], "nobody's")
    runtime.handle(inputs, at: board.now)
    return failure
  }

  /// One fact of each notice that the command received.
  public func told(_ fact: String = "TEXT") -> [String] { listener.told.map { $0[fact] ?? "-" } }
}
