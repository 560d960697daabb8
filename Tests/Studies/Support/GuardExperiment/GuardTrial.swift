import Records
import StoreStandIns
import Core
import Ports
import GNSS
import Runtime
import Tracking
import VirtualDevice

/// One board with a SAM-M8Q and the default policy, guarded or not, with the whole runtime.
public struct GuardTrial {
  /// From the first shaking to the first alarm; nil: there was no alarm or no removal.
  public let delayOfMovement: Seconds?
  /// From the true exit from the circle; negative if the alarm came earlier.
  public let delayOfCrossing: Seconds?
  /// Alarms before the removal.
  public let falseAlarms: Int
  public let duration: Seconds
  public let energy: Joules
  /// How long the receiver was on.
  public let on: Seconds

  /// - Parameters:
  ///   - hasMotion: whether the board has a motion sensor.
  ///   - isGuarded: whether the alert is armed, two minutes after arrival.
  public init(
    _ scene: GuardScene, length: Seconds, sky: Reception = .open, hasMotion: Bool,
    isGuarded: Bool = true, seed: UInt64
  ) {
    let truth = GuardTruth(scene, length: length, sky: sky, seed: seed)
    let board = VirtualBoard(
      groundTruth: truth, settings: VirtualBoardSettings(coarse: nil, seed: seed))
    let wiring = PowerWiring(
      mechanism: .lines, lines: [.supply], settle: 0, hasBackupSupply: true, sleepCommand: .none,
      family: .ubloxM8)
    let store = GuardStore(scene)
    var devices = Devices(
      receiver: board.receiver, powerSwitch: board.powerSwitch, monitor: board.monitor,
      evidence: hasMotion
        ? [ShakeSensor(on: truth, length: length, clock: board.clock, seed: seed)] : [],
      store: store)
    let arming = Arming(store, at: isGuarded ? Self.armedAt : nil)
    devices.endpoints = [arming]
    var settings = TrackerSettings(
      policy: .adaptive(AdaptiveSettings()), evidenceSources: devices.evidenceSources)
    settings.power = PowerSequencer(wiring).capabilities
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: settings.receiver, at: .zero), commits: CommitSettings(),
      wiring: wiring, devices: devices)
    arming.runtime = runtime
    let end = VirtualLoop(board, runtime: runtime).run(until: .zero + length)
    let totals = runtime.energy.totals(at: end)
    energy = totals.all.energy
    on = totals.on.duration
    duration = length
    let alarms = store.notices.compactMap { $0.time.map { $0 - GuardTruth.beginning } }
    let taken = truth.takenAt ?? Seconds(.infinity)
    falseAlarms = alarms.count { $0 < taken }
    let first = alarms.first { $0 >= taken }
    delayOfMovement = first.map { $0 - taken }
    let left = truth.leaves(scene.radius, since: Self.armedAt)
    delayOfCrossing = first.flatMap { first in left.map { first - $0 } }
  }

  private static let armedAt = GuardTruth.arrival + 120
}

/// A store with one alert, once it is armed.
private final class GuardStore: EmptyStore {
  override var name: String { "guard" }
  var isArmed = false
  private(set) var notices: [Notice] = []
  private let scene: GuardScene

  init(_ scene: GuardScene) { self.scene = scene }

  override func alerts() throws(PortError) -> StoredAlerts {
    var alert = StoredAlert(id: 1)
    alert.name = "guard"
    alert.kind = (scene.isBoat ? AlertKind.anchor : .moved).rawValue
    alert.isArmed = isArmed
    return StoredAlerts(rows: [alert])
  }

  override func write(_ records: [Record]) throws(PortError) {
    for case .notice(let notice) in records { notices.append(notice) }
  }
}

/// Arms the alert.
private final class Arming: Endpoint {
  let kind = "arming"
  let interest: Interest? = nil
  let fruitlessLimit = Int.max
  private(set) var due: BootInstant?
  weak var runtime: TrackerRuntime?
  private let store: GuardStore

  init(_ store: GuardStore, at moment: Seconds?) {
    self.store = store
    due = moment.map { .zero + $0 }
  }

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard let moment = due, now >= moment else { return Served(isFruitful: false) }
    due = nil
    store.isArmed = true
    return Served(runtime?.places.edited(at: now) ?? [], isFruitful: true)
  }
}
