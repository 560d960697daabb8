import Energy
import Ports
import PowerControl
import Quantities
import ReceiverProtocols
import Runtime
import Testing
import Tracking
import VirtualDevice

@testable import godwit

/// Whole weeks of a made-up life in virtual time, against what the carrier really did.
@Suite struct ScenarioTests {
  /// Keeps the newest state of every visit in memory.
  private final class VisitBook: StorePort {
    let name = "memory"
    var visits: [Int64: Visit] = [:]

    func write(_ records: [Record]) throws(StoreError) {
      for record in records {
        switch record {
        case .visit(let visit): visits[visit.id] = visit
        case .visitWithdrawn(let id): visits[id] = nil
        default: break
        }
      }
    }

    func tidy(now: UTCInstant) throws(StoreError) -> String? { nil }
    func trackerState() throws(StoreError) -> String? { nil }
    func lastIdentifiers() throws(StoreError) -> StoreIdentifiers { StoreIdentifiers() }
    func destinations() throws(StoreError) -> [Destination] { [] }
  }

  private struct Week {
    let stays: [PlannedStay]
    let visits: [Visit]
    let onShare: Double
  }

  private func week(_ policy: PolicySettings, coarse: Bool, seed: UInt64) -> Week {
    let start = UTCInstant(seconds: 1_777_852_800)  // Monday 2026-05-04
    let carrier = PlannedCarrier(.townDweller, from: start, days: 7, seed: seed)
    let board = VirtualBoard(
      carrier: carrier,
      settings: VirtualBoardSettings(coarse: coarse ? VirtualCoarseSettings() : nil, seed: seed))
    let book = VisitBook()
    var settings = TrackerSettings(policy: policy)
    settings.hasCoarseSource = coarse
    let conductor = Conductor(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: settings.receiver, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(means: .lines, lines: [.supply], settle: 0),
      board: Board(
        receiver: board.receiver, powerSwitch: board.powerSwitch, monitor: board.monitor,
        coarse: board.coarse, store: book))
    let end = VirtualLoop(BoardWorld(board), conductor: conductor)
      .run(until: .zero + .days(7), clock: nil)
    let on = conductor.meter.totals(at: end).on.duration
    return Week(
      stays: carrier.stays, visits: book.visits.values.sorted { $0.id < $1.id },
      onShare: on / .days(7))
  }

  private func overlap(_ stay: PlannedStay, _ visit: Visit) -> Seconds {
    let end = min(stay.departure, visit.departure?.estimate ?? stay.departure)
    return end - max(stay.arrival, visit.arrival.estimate)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func hybridFindsTheStaysOfAWeek(seed: UInt64) {
    let week = week(.hybrid(HybridSettings()), coarse: true, seed: seed)
    // Shorter ones are waits at bus stops.
    let long = week.stays.filter { $0.departure - $0.arrival >= .minutes(10) }
    let found = long.filter { stay in
      week.visits.contains { overlap(stay, $0) >= (stay.departure - stay.arrival) * 0.5 }
    }
    #expect(long.count >= 15)
    #expect(Double(found.count) >= 0.85 * Double(long.count), "\(found.count) of \(long.count)")
    #expect(week.onShare < 0.06, "GNSS was on for \(week.onShare)")
    let invented = week.visits.filter { visit in
      !week.stays.contains { overlap($0, visit) > 60 }
    }
    #expect(invented.count <= 1, "\(invented)")
  }

  /// What the schedule did not watch is not invented: the truth lies within the bounds.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func theTruthLiesWithinTheBounds(seed: UInt64) {
    let week = week(.hybrid(HybridSettings()), coarse: true, seed: seed)
    // Where exactly a stay begins is a matter of taste: a house has a door and a garden.
    let blur = Seconds(90)
    var inside = 0
    var all = 0
    for visit in week.visits {
      guard let stay = week.stays.max(by: { overlap($0, visit) < overlap($1, visit) }),
        overlap(stay, visit) > .minutes(5)
      else { continue }
      for (truth, told) in [
        (stay.arrival, Optional(visit.arrival)), (stay.departure, visit.departure),
      ] {
        guard let told, truth > week.stays[0].arrival else { continue }
        all += 1
        if truth >= told.earliest - blur, truth <= told.latest + blur { inside += 1 }
      }
    }
    #expect(all >= 20)
    #expect(Double(inside) >= 0.9 * Double(all), "\(inside) of \(all)")
  }
}
