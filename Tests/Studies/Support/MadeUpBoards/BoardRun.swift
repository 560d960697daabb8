import Records
import StoreStandIns
import Ports
import GNSS
import Core
import Runtime
import Tracking
import VirtualDevice

/// Some days of a generated board with the whole runtime.
public struct BoardRun {
  /// The records in the store.
  public let segments: [PowerSegment]
  public let sessions: [GnssSession]
  public let accuracies: [Int64: Metres]
  /// The energy according to the meter.
  public let energy: Joules
  /// The true energy.
  public let trueEnergy: Joules

  /// - Parameters:
  ///   - receiver: the true receiver.
  ///   - settings: the receiver as the settings describe it, and the requested policy.
  public init(
    _ board: MadeUpBoard, receiver: ReceiverEnergyModel, monitor: VirtualMonitorSettings,
    settings: TrackerSettings, truth: any GroundTruth, days: Double
  ) {
    let virtual = VirtualBoard(
      groundTruth: truth,
      settings: VirtualBoardSettings(
        receiver: VirtualReceiverSettings(
          model: receiver, supply: board.sleeps ? .permanent : .switched,
          hasBackup: board.hasBackup),
        lines: board.sleeps ? [] : [.supply], coarse: nil, monitor: monitor, seed: board.seed))
    let wiring = PowerWiring(
      mechanism: board.sleeps ? .command : .lines, lines: board.sleeps ? [] : [.supply],
      settle: 0, hasBackupSupply: board.hasBackup, sleepCommand: board.sleeps ? .auto : .none,
      navigationBackup: .none, family: .mediatek)
    var settings = settings
    settings.power = PowerSequencer(wiring).capabilities
    let store = MemoryStore()
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: settings.receiver, at: .zero), commits: CommitSettings(),
      wiring: wiring,
      devices: Devices(
        receiver: virtual.receiver, powerSwitch: virtual.powerSwitch, monitor: virtual.monitor,
        evidence: [], store: store))
    runtime.systemDate = {
      SystemDate(
        date: virtual.time(at: virtual.clock.now), read: virtual.clock.now, isSynchronized: true)
    }
    let world = MeteredWorld(virtual)
    let end = VirtualLoop(world, runtime: runtime).run(until: .zero + .days(days))
    energy = runtime.energy.totals(at: end).all.energy
    trueEnergy = world.energy
    segments = store.segments
    sessions = store.sessions.values.sorted { $0.id < $1.id }
    accuracies = store.accuracies
  }
}

/// The virtual board as the world that the loop drives, with a meter that makes no error.
private final class MeteredWorld: VirtualWorld {
  private let board: VirtualBoard
  private(set) var energy: Joules = 0

  init(_ board: VirtualBoard) { self.board = board }

  var now: BootInstant { board.clock.now }
  var nextEvent: BootInstant? { board.nextEvent }
  var end: BootInstant? { board.end }

  func advance(to instant: BootInstant) {
    let before = board.clock.now
    let model = board.receiver.model
    let power = model.current(in: board.receiver.gnssState) * model.supply
    board.advance(to: instant)
    energy += power * (board.clock.now - before)
  }
}

/// A store in memory that keeps what a fit reads.
private final class MemoryStore: EmptyStore {
  private(set) var segments: [PowerSegment] = []
  private(set) var sessions: [Int64: GnssSession] = [:]
  private(set) var accuracies: [Int64: Metres] = [:]

  override func write(_ records: [Record]) throws(PortError) {
    for record in records {
      switch record {
      case .powerSegment(let segment): segments.append(segment)
      case .session(let session): sessions[session.id] = session
      case .trackPoint(let point):
        if let session = point.session, accuracies[session] == nil {
          accuracies[session] = point.location.accuracy
        }
      default: break
      }
    }
  }
}
