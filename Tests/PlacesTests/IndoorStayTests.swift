import Quantities
import Records
import TestSupport
import Testing

@testable import Places

/// Stays in a building as Dias 2011, section 5.4, had them: a place of 50 to 100 m, a signal that
/// comes and goes, and errors that grow to 300 m. None of them is a departure.
@Suite struct IndoorStayTests {
  struct Chance {
    private var numbers: SplitMix

    init(seed: UInt64) { numbers = SplitMix(seed: seed) }

    mutating func uniform(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &numbers)
    }

    mutating func gaussian() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + uniform(0...1) }
    }

    mutating func chance(_ probability: Double) -> Bool { uniform(0...1) < probability }
  }

  struct Tally {
    var leaves = 0
    var staysWithLeaves = 0
    var naive = 0
    var staysWithNaive = 0
    var locations = 0
  }

  /// One stay of two hours with a look every minute. The error's scale wanders between 5 and 300 m.
  /// - Parameter drifts: whether the receiver also tells for ten minutes a place 150 to 300 m away
  ///   with the best of accuracies, which only rest can refute.
  static func stay(seed: UInt64, isFelt: Bool, drifts: Bool, _ tally: inout Tally) {
    var chance = Chance(seed: seed)
    let radius = chance.uniform(50...100)
    let region = PlaceRegion(.circle(radius: Metres(radius)), around: ContainmentTests.centre)
    var presence = PlacePresence(region)
    func at(_ minute: Int) -> BootInstant { .zero + .minutes(Double(minute)) }
    _ = presence.step(.located(ContainmentTests.location(8, east: 0)), at: at(0))
    #expect(presence.state == .inside)
    if isFelt { _ = presence.step(.resting(since: at(0)), at: at(1)) }
    var scale = 8.0
    var isNaivelyInside = true
    let leaves = (tally.leaves, tally.naive)
    let drift = drifts ? Int(chance.uniform(20...100)) : .max
    for minute in 2...120 {
      scale = min(max(scale * chance.uniform(0.5...2.1), 5), 200)
      if chance.chance(0.15) {
        _ = presence.step(.searchFailed, at: at(minute))
        continue
      }
      var accuracy = scale * 1.51
      var (east, north) = (scale * chance.gaussian(), scale * chance.gaussian())
      if minute >= drift, minute < drift + 10 {
        (east, north, accuracy) = (chance.uniform(150...300), 0, 8)
      } else if chance.chance(0.08) {
        // An outlier: a reflection. Half of them tell of a good accuracy.
        east = chance.uniform(150...300)
        accuracy = chance.chance(0.5) ? chance.uniform(5...30) : 300
        // Reflections come with a weak signal.
        scale = max(scale, 80)
      }
      let length = (east * east + north * north).squareRoot()
      if length > 300 { (east, north) = (east * 300 / length, north * 300 / length) }
      let location = ContainmentTests.location(accuracy, east: east, north: north)
      tally.locations += 1
      if presence.step(.located(location), at: at(minute))?.to == .outside { tally.leaves += 1 }
      let isInside = region.contains(location.position)
      if isNaivelyInside, !isInside { tally.naive += 1 }
      isNaivelyInside = isInside
    }
    if tally.leaves > leaves.0 { tally.staysWithLeaves += 1 }
    if tally.naive > leaves.1 { tally.staysWithNaive += 1 }
  }

  @Test("a thousand stays with a weak signal give no departure, where a circle gives thousands")
  func weakSignal() {
    var tally = Tally()
    for seed in 1...1000 { Self.stay(seed: UInt64(seed), isFelt: false, drifts: false, &tally) }
    #expect(tally.leaves == 0)
    #expect(tally.staysWithNaive > 900)
    #expect(tally.naive > 5000)
  }

  @Test("with evidence of rest even a steady error gives none")
  func steadyError() {
    var tally = Tally()
    for seed in 1...200 { Self.stay(seed: UInt64(seed), isFelt: true, drifts: true, &tally) }
    #expect(tally.leaves == 0)
    #expect(tally.staysWithNaive == 200)
  }

  @Test("real departures are still told, within minutes, after a weak signal")
  func realDepartures() {
    var worst = 0
    for seed in 1...200 {
      var chance = Chance(seed: UInt64(seed))
      let region = PlaceRegion(.circle(radius: 100), around: ContainmentTests.centre)
      var presence = PlacePresence(region)
      func at(_ minute: Int) -> BootInstant { .zero + .minutes(Double(minute)) }
      _ = presence.step(.located(ContainmentTests.location(8, east: 0)), at: at(0))
      for minute in 1...10 {
        let location = ContainmentTests.location(
          chance.uniform(50...300), east: 50 * chance.gaussian())
        #expect(presence.step(.located(location), at: at(minute)) == nil)
      }
      // On foot, 75 m a minute.
      var left: Int?
      for minute in 1...15 where left == nil {
        let location = ContainmentTests.location(
          10, east: 75 * Double(minute) + 6 * chance.gaussian(), north: 6 * chance.gaussian())
        if let change = presence.step(.located(location), at: at(10 + minute)) {
          #expect(change.to == .outside)
          left = minute
        }
      }
      worst = max(worst, left ?? .max)
    }
    #expect(worst <= 6)
  }
}
