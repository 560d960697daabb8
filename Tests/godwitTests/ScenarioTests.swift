import Core
import Records
import Testing
import Tracking
import VirtualDevice

/// Whole weeks of a synthetic life in virtual time, compared with the ground truth.
@Suite struct ScenarioTests {
  private func week(_ policy: PolicySettings, coarse: Bool, seed: UInt64) -> VirtualWeek {
    VirtualWeek(policy, coarse: coarse, seed: seed)
  }

  private func overlap(_ stay: PlannedStay, _ visit: Visit) -> Seconds {
    let end = min(stay.departure, visit.departure?.estimate ?? stay.departure)
    return end - max(stay.arrival, visit.arrival.estimate)
  }

  /// Shorter stays are waits at bus stops.
  private func long(_ stays: [PlannedStay]) -> [PlannedStay] {
    stays.filter { $0.departure - $0.arrival >= .minutes(10) }
  }

  private func found(_ week: VirtualWeek) -> [PlannedStay] {
    long(week.stays).filter { stay in
      week.visits.contains { overlap(stay, $0) >= (stay.departure - stay.arrival) * 0.5 }
    }
  }

  @Test(
    "the hybrid policy finds the stays of a week in 6 % of the time",
    arguments: [1, 2, 3] as [UInt64])
  func hybridFindsTheStaysOfAWeek(seed: UInt64) {
    let week = week(.hybrid(HybridSettings()), coarse: true, seed: seed)
    let long = long(week.stays)
    let found = found(week)
    #expect(long.count >= 15)
    #expect(Double(found.count) >= 0.85 * Double(long.count), "\(found.count) of \(long.count)")
    #expect(week.onShare < 0.06, "GNSS was on for \(week.onShare)")
    let invented = week.visits.filter { visit in
      !week.stays.contains { overlap($0, visit) > 60 }
    }
    #expect(invented.count <= 1, "\(invented)")
  }

  /// All current is assigned to the GNSS state at the time.
  @Test("the time without GNSS is coarse or off") func theTimeBesideGnssIsCoarseOrOff() {
    let listening = week(.hybrid(HybridSettings()), coarse: true, seed: 1).totals
    #expect(listening[.coarse].duration > listening[.off].duration)
    let alone = week(.hybrid(HybridSettings()), coarse: false, seed: 1).totals
    #expect(alone[.coarse].duration == 0)
    #expect(alone[.off].duration > .days(6))
    #expect((alone.all.duration - .days(7)).magnitude < 1)
    #expect((listening.all.duration - .days(7)).magnitude < 1)
  }

  /// A receiver without a backup supply loses all navigation data in a cut. Asleep it stays hot:
  /// the same week uses less energy, and yields the same stays as a receiver with a backup supply.
  @Test("sleep pays where a cut erases the navigation data")
  func sleepingPaysWhereACutMakesItForget() {
    let cut = VirtualWeek(.hybrid(HybridSettings()), coarse: true, seed: 2, hasBackup: false)
    let slept = VirtualWeek(
      .hybrid(HybridSettings()), coarse: true, seed: 2, hasBackup: false, sleeps: true)
    #expect(slept.totals[.sleeping].duration > .days(5))
    #expect(cut.totals[.sleeping].duration == 0)
    #expect(slept.totals.all.energy < cut.totals.all.energy * 0.8)
    let hot = VirtualWeek(.hybrid(HybridSettings()), coarse: true, seed: 2)
    let counts = (hot: found(hot).count, slept: found(slept).count)
    #expect(counts.slept >= counts.hot - 1, "\(counts)")
    #expect(slept.mishaps == [])
  }

  /// Nothing is invented for times without locations: the truth is within the bounds.
  @Test("the truth is within the bounds", arguments: [1, 2, 3] as [UInt64])
  func theTruthLiesWithinTheBounds(seed: UInt64) {
    let week = week(.hybrid(HybridSettings()), coarse: true, seed: seed)
    // The exact start of a stay is a matter of definition: a house has a door and a garden.
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
