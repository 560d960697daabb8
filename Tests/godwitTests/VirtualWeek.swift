import Records
import StoreStandIns
import Ports
import GNSS
import Core
import Runtime
import Tracking
import VirtualDevice

@testable import godwit

/// A week of a synthetic life with the whole program on a virtual board.
struct VirtualWeek {
  let stays: [PlannedStay]
  let visits: [Visit]
  let totals: EnergyTotals
  /// Warnings in the journal.
  let mishaps: [String]

  var onShare: Double { totals.on.duration / .days(7) }

  /// - Parameters:
  ///   - hasBackup: whether the receiver's navigation data survives a power cut.
  ///   - sleeps: whether it may be put to sleep by command.
  init(
    _ policy: PolicySettings, coarse: Bool, seed: UInt64, hasBackup: Bool = true,
    sleeps: Bool = false
  ) {
    let start = UTCInstant(seconds: 1_777_852_800)  // Monday 2026-05-04
    let groundTruth = PlannedTruth(DayPlan.townDweller, from: start, days: 7, seed: seed)
    let board = VirtualBoard(
      groundTruth: groundTruth,
      settings: VirtualBoardSettings(
        receiver: VirtualReceiverSettings(hasBackup: hasBackup),
        coarse: coarse ? VirtualCoarseSettings() : nil, seed: seed))
    let book = VisitBook()
    let wiring = PowerWiring(
      mechanism: .lines, lines: [.supply], settle: 0, hasBackupSupply: hasBackup,
      sleepCommand: sleeps ? .auto : .none, family: .mediatek)
    var settings = TrackerSettings(policy: policy)
    settings.coarseSources = board.coarse.map { [CoarseSource($0.name)] } ?? []
    settings.power = PowerSequencer(wiring).capabilities
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: settings.receiver, at: .zero), commits: CommitSettings(),
      wiring: wiring,
      devices: Devices(
        receiver: board.receiver, powerSwitch: board.powerSwitch, monitor: board.monitor,
        evidence: board.coarse.map { [$0] } ?? [], store: book))
    var mishaps: [String] = []
    runtime.onLog = { logEvent, _ in
      if logEvent.level == .warning { mishaps.append("\(logEvent.kind): \(logEvent.reason)") }
    }
    let end = VirtualLoop(board, runtime: runtime).run(until: .zero + .days(7))
    stays = groundTruth.stays
    visits = book.visits.values.sorted { $0.id < $1.id }
    totals = runtime.energy.totals(at: end)
    self.mishaps = mishaps.filter { $0.contains("sleep") || $0.contains("receiver") }
  }
}

/// Keeps the newest state of every visit in memory.
final class VisitBook: EmptyStore {
  var visits: [Int64: Visit] = [:]

  override func write(_ records: [Record]) throws(PortError) {
    for record in records {
      switch record {
      case .visit(let visit): visits[visit.id] = visit
      case .visitWithdrawn(let id): visits[id] = nil
      default: break
      }
    }
  }
}
