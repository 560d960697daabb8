import Records
import Ports
import GNSS
import Core
import Runtime
import Tracking
import VirtualDevice

@testable import godwit

/// Days of a synthetic life under the adaptive policy, with sources some of which may give false
/// reports.
struct WitnessedWeek {
  /// The stays of ten minutes and more of which a visit covers half, and their total.
  let found: Int
  let all: Int
  let energy: Joules
  let standings: [SourceHealth]

  func standing(_ name: String) -> SourceHealth? { standings.first { $0.name == name } }

  /// - Parameters:
  ///   - kinds: the truthful sources.
  ///   - heard: maps the reports of these to what arrives; nil: it is lost.
  ///   - liars: the other sources.
  init(
    _ kinds: Set<SourceKind> = [], life: String = "school-run", days: Double = 3, seed: UInt64 = 5,
    heard: ((Evidence, Seconds) -> Evidence?)? = nil, liars: [LyingSource] = []
  ) {
    let start = UTCInstant(seconds: 1_777_852_800)  // Monday 2026-05-04
    let itinerary = Life.named(life)?.itinerary(seed: seed)
    let truth = PlannedTruth(
      itinerary ?? DayPlan.townDweller, from: start, days: Int(days), seed: seed)
    let board = VirtualBoard(
      groundTruth: truth, settings: VirtualBoardSettings(sources: kinds, seed: seed))
    let book = VisitBook()
    let wiring = PowerWiring(
      mechanism: .lines, lines: [.supply], settle: 0, hasBackupSupply: true, sleepCommand: .none,
      family: .ubloxM8)
    var sources: [any EvidencePort] = board.sources
    if let heard {
      sources = sources.map { source in
        TamperedSource(source) { heard($0, board.clock.now - .zero) }
      }
    }
    var settings = TrackerSettings(policy: .adaptive(AdaptiveSettings()))
    settings.receiver = .ubloxM8
    settings.evidenceSources = (sources + liars).map(\.name)
    settings.power = PowerSequencer(wiring).capabilities
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: settings.receiver, at: .zero), commits: CommitSettings(),
      wiring: wiring,
      devices: Devices(
        receiver: board.receiver, powerSwitch: board.powerSwitch, monitor: board.monitor,
        evidence: sources + liars, store: book))
    let end = VirtualLoop(LyingWorld(board, liars), runtime: runtime).run(
      until: .zero + .days(days))
    let stays = truth.completedStays.filter { $0.departure - $0.arrival >= .minutes(10) }
    all = stays.count
    found =
      stays.count { stay in
        book.visits.values.contains { visit in
          let departure = visit.departure?.estimate ?? stay.departure
          let common = min(stay.departure, departure) - max(stay.arrival, visit.arrival.estimate)
          return common >= (stay.departure - stay.arrival) * 0.5
            && visit.arrival.estimate > stay.arrival - .hours(1)
        }
      }
    energy = runtime.energy.totals(at: end).all.energy
    standings = runtime.tracker.sources
  }
}

/// The virtual board, and the times of the false reports.
private final class LyingWorld: VirtualWorld {
  private let board: VirtualBoard
  private let liars: [LyingSource]

  init(_ board: VirtualBoard, _ liars: [LyingSource]) {
    self.board = board
    self.liars = liars
  }

  var now: BootInstant { board.clock.now }
  var nextEvent: BootInstant? {
    liars.reduce(board.nextEvent) { .earlier($0, $1.due) }
  }
  var end: BootInstant? { board.end }
  func advance(to instant: BootInstant) {
    board.advance(to: instant)
    for liar in liars { liar.advance(to: instant) }
  }
}
