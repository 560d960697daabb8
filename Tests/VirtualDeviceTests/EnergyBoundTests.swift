import Records
import Core
import Testing

@testable import VirtualDevice

/// The least energy that any schedule needs on whole days.
@Suite struct EnergyBoundTests {
  private func bound(
    _ life: String = "city-resident", seed: UInt64 = 3, days: Int = 1, within limits: ErrorLimits
  ) throws -> EnergyBound {
    let life = try #require(Life.named(life))
    let truth = PlannedTruth(life.itinerary(seed: seed), from: morning, days: days, seed: seed)
    return bound(truth, seed: seed, within: limits, for: .days(Double(days)))
  }

  private func bound(
    _ truth: any GroundTruth, seed: UInt64 = 1, within limits: ErrorLimits = ErrorLimits(),
    for time: Seconds
  ) -> EnergyBound {
    let board = VirtualBoard(groundTruth: truth, settings: .init(coarse: nil, seed: seed))
    let search = board.energyBoundSearch(within: limits)
    // At an arbitrary pace of the search.
    search.follow(to: truth.start + time * 0.3)
    return search.bound(at: truth.start + time, after: time)
  }

  @Test("the same truth gives the same bound, and wider limits a lower one")
  func widerLimitsAreCheaper() throws {
    let bounds = try [50.0, 100, 100, 300].map {
      try bound(within: ErrorLimits(trajectory: Metres($0)))
    }
    #expect(bounds[1] == bounds[2])
    for (narrow, wide) in [(bounds[0], bounds[1]), (bounds[1], bounds[3])] {
      #expect(wide.clairvoyant < narrow.clairvoyant)
      #expect(wide.perfectMotion < narrow.perfectMotion)
    }
    #expect(bounds.allSatisfy { $0.clairvoyant < $0.perfectMotion })
  }

  @Test("without movement no fix is needed, whatever the reception")
  func restingNeedsNoFix() {
    let standing = StandingTruth()
    let bound = bound(standing, for: .days(1))
    let resting: Joules = Amperes(milliamperes: 0.015) * Volts(3.3) * Seconds.days(1)
    #expect((bound.clairvoyant - resting).magnitude < 1e-9)
    #expect(bound.clairvoyant == bound.perfectMotion)
  }

  @Test("a straight way between two stays needs a cold start and a fix at each end")
  func twoStays() {
    // Ten minutes of rest, a minute of 10 m/s, ten minutes of rest.
    let samples = (0...1260).map { second in
      let metres = Double(max(0, min(second - 600, 60)) * 10)
      return TruthSample(
        time: morning + Seconds(Double(second)),
        position: Coordinate(latitude: Degrees(53 + metres / 111_195), longitude: 6),
        speed: second > 600 && second <= 660 ? 10 : 0)
    }
    let board = VirtualReceiverSettings()
    let prices = FixPrices(board)
    let found = bound(TraceTruth(samples)!, for: 1260)
    // One fix on the way is within a minute of both ends.
    let one =
      prices.resting * Seconds(1260) + prices.firstSearch + prices.search(epochs: 1)
    #expect((found.clairvoyant - one).magnitude < 1e-6, "\(found.clairvoyant), not \(one)")
    #expect(found.perfectMotion >= found.clairvoyant)
  }

  @Test("unknowable facts are not required")
  func darkness() throws {
    let truth = StandingTruth(reception: .none)
    #expect(
      bound(truth, for: 3600).clairvoyant
        == Amperes(milliamperes: 0.015) * 3.3 * Seconds(3600))
    // The walls of the nurse's buildings block all signals: her fixes are all outside.
    let nurse = try bound("night-nurse", within: ErrorLimits())
    #expect(nurse.clairvoyant > 0)
    #expect(nurse.clairvoyant.value.isFinite && nurse.perfectMotion.value.isFinite)
  }

  @Test("no search of the receiver is shorter than the shortest one")
  func theShortestSearch() {
    let prices = FixPrices(VirtualReceiverSettings())
    var random = SeededRandom(seed: 1)
    let model = ReceiverEnergyModel.ubloxM8
    for _ in 0..<20_000 {
      for kind in StartKind.allCases {
        let time = model.searchTime(kind, knownShare: 1, random: &random)
        #expect(time >= prices.minSearch)
        guard kind == .warm else { continue }
        // An epoch is charged as a whole.
        let extra = model.acquiring * model.supply * (time - prices.minSearch)
        #expect(prices.renewal(after: 0) <= extra)
      }
    }
  }
}
