import Core
import Testing

@testable import VirtualDevice

/// The lives on which schedules are tested: valid for any seed.
struct LifeTests {
  private static let monday = UTCInstant(seconds: 1_777_852_800)
  private static let names = Life.all.map(\.name)

  private func week(_ name: String, seed: UInt64, days: Int = 7) throws -> PlannedTruth {
    let life = try #require(Life.named(name))
    let truth = PlannedTruth(
      life.itinerary(seed: seed), from: Self.monday, days: days, seed: seed)
    // Reading the last state generates everything that has begun by then.
    _ = truth.state(at: Self.monday + .days(Double(days)) - 1)
    return truth
  }

  @Test("a week has detectable stays, one after the other", arguments: names)
  func weekHasStays(_ name: String) throws {
    for seed in UInt64(1)...5 {
      let stays = try week(name, seed: seed).completedStays
      #expect(stays.count { $0.departure - $0.arrival >= .minutes(5) } >= 10)
      for (stay, next) in zip(stays, stays.dropFirst()) {
        #expect(stay.arrival < stay.departure)
        #expect(stay.departure < next.arrival)
      }
    }
  }

  @Test("no life moves faster than a fast train", arguments: names)
  func speedsArePossible(_ name: String) throws {
    let stays = try week(name, seed: 7).completedStays
    for (stay, next) in zip(stays, stays.dropFirst()) {
      let distance = Sphere.distance(stay.place.position, next.place.position)
      #expect(distance / (next.arrival - stay.departure) < 45)
    }
  }

  @Test("the board is where its stay is, except for an anchor's play", arguments: names)
  func staysAreTrue(_ name: String) throws {
    let truth = PlannedTruth(
      try #require(Life.named(name)).itinerary(seed: 3), from: Self.monday, days: 7, seed: 3)
    for stay in try week(name, seed: 3).completedStays {
      let middle = stay.arrival + (stay.departure - stay.arrival) * 0.5
      let state = try #require(truth.state(at: middle))
      #expect(Sphere.distance(state.position, stay.place.position) <= stay.place.swing * 1.2 + 1)
      #expect(state.reception == stay.place.reception)
    }
  }

  @Test(
    "a seed gives the same life twice, another seed a different one", arguments: names.dropFirst())
  func seedsDecide(_ name: String) throws {
    let first = try week(name, seed: 11).completedStays
    #expect(try week(name, seed: 11).completedStays == first)
    #expect(try week(name, seed: 12).completedStays.map(\.place) != first.map(\.place))
  }

  @Test("a train enters tunnels, and leaves them") func tunnels() throws {
    var random = SeededRandom(seed: 1)
    let start = Coordinate(latitude: 45, longitude: 5)
    let journey = Journey(
      from: start, to: Coordinate(latitude: 45.3, longitude: 5), by: .train, at: Self.monday,
      random: &random)
    let length = Int((journey.arrival - journey.departure).value)
    let skies = (0..<length).map { journey.state(at: Self.monday + Seconds(Double($0))).reception }
    let dark = Double(skies.count { $0 == .none }) / Double(skies.count)
    #expect((0.05...0.3).contains(dark))
    #expect(skies.last == .street)
  }
}
