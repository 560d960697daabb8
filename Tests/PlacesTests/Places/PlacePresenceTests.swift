import Core
import Records
import Testing

@testable import Places

/// The place is a circle of 100 m around a point; locations are east of it.
@Suite struct PlacePresenceTests {
  struct Bench {
    var presence: PlacePresence

    init(_ state: PlacePresence.State = .unknown, minimumAccuracy: Metres? = nil) {
      let region = PlaceRegion(.circle(radius: 100), around: ContainmentTests.centre)
      presence = PlacePresence(region, minimumAccuracy: minimumAccuracy, state: state)
    }

    @discardableResult
    mutating func locate(
      _ second: Double, east: Double, accuracy: Double = 10
    ) -> PresenceChange? {
      presence.step(
        .located(ContainmentTests.location(accuracy, east: east)), at: at(second))
    }

    mutating func hear(_ event: PresenceEvent, _ second: Double) {
      #expect(presence.step(event, at: at(second)) == nil)
    }

    func at(_ second: Double) -> BootInstant { .zero + Seconds(second) }
  }

  static func at(_ second: Double) -> BootInstant { .zero + Seconds(second) }

  // MARK: Every state and every event

  static let states: [PlacePresence.State] = [.unknown, .inside, .outside]

  @Test("one location that is certainly inside is an arrival", arguments: states)
  func surelyInside(state: PlacePresence.State) {
    var bench = Bench(state)
    let change = bench.locate(0, east: 10)
    #expect(change?.to == (state == .inside ? nil : .inside))
    #expect(change?.from == (state == .inside ? nil : state))
    #expect(bench.presence.state == .inside)
  }

  @Test(
    "two probably inside are an arrival, and a contrary one in between undoes it",
    arguments: states)
  func probablyInside(state: PlacePresence.State) {
    // 80 m from the centre with 30 m: probability 0.81.
    var bench = Bench(state)
    #expect(bench.locate(0, east: 80, accuracy: 30) == nil)
    #expect(bench.presence.state == state)
    #expect((bench.locate(30, east: 80, accuracy: 30) != nil) == (state != .inside))
    #expect(bench.presence.state == .inside)

    bench = Bench(state)
    bench.locate(0, east: 80, accuracy: 30)
    bench.locate(30, east: 130, accuracy: 30)
    #expect(bench.locate(60, east: 80, accuracy: 30) == nil)
    #expect(bench.presence.state == state)
  }

  @Test(
    "with detected movement two locations outside are a departure, one is not", arguments: states)
  func outside(state: PlacePresence.State) {
    var bench = Bench(state)
    bench.hear(.moving(since: Self.at(-20)), -10)
    #expect(bench.locate(0, east: 150) == nil)
    #expect(bench.presence.state == state)
    #expect((bench.locate(30, east: 160) != nil) == (state != .outside))
    #expect(bench.presence.state == .outside)
  }

  @Test("without detected movement it takes three, and one more after a refutation")
  func unfelt() {
    var bench = Bench(.inside)
    #expect(bench.locate(0, east: 150) == nil)
    #expect(bench.locate(30, east: 150) == nil)
    #expect(bench.locate(60, east: 0) == nil)
    for second in [90.0, 120, 150] { #expect(bench.locate(second, east: 150) == nil) }
    #expect(bench.locate(180, east: 150) != nil)
    bench = Bench(.inside)
    for second in [90.0, 120] { #expect(bench.locate(second, east: 150) == nil) }
    #expect(bench.locate(180, east: 150) != nil)
  }

  @Test("one far away is a departure by itself", arguments: states)
  func farAway(state: PlacePresence.State) {
    var bench = Bench(state)
    #expect((bench.locate(0, east: 700) != nil) == (state != .outside))
    #expect(bench.presence.state == .outside)
  }

  @Test("a location that could be either changes nothing", arguments: states)
  func either(state: PlacePresence.State) {
    var bench = Bench(state)
    for second in 0..<20 {
      #expect(bench.locate(Double(second) * 30, east: 100, accuracy: 20) == nil)
    }
    #expect(bench.presence.state == state)
  }

  @Test("a location of 300 m decides nothing about a place of 100 m", arguments: states)
  func coarse(state: PlacePresence.State) {
    var bench = Bench(state)
    for (index, east) in [0.0, 200, 300, 400, 500, 600, 300, 500].enumerated() {
      #expect(bench.locate(Double(index) * 60, east: east, accuracy: 300) == nil)
    }
    #expect(bench.presence.state == state)
  }

  @Test("no signal, rest, movement and invalid locations are not crossings", arguments: states)
  func noCrossing(state: PlacePresence.State) {
    var bench = Bench(state)
    bench.hear(.searchFailed, 0)
    bench.hear(.resting(since: Self.at(10)), 20)
    bench.hear(.searchFailed, 30)
    bench.hear(.moving(since: Self.at(40)), 50)
    bench.hear(.moving(since: Self.at(60)), 70)
    bench.hear(.searchFailed, 80)
    #expect(bench.locate(90, east: .nan) == nil)
    #expect(bench.locate(100, east: 10, accuracy: .nan) == nil)
    #expect(bench.locate(110, east: 10, accuracy: -1) == nil)
    #expect(bench.presence.state == state)
  }

  @Test("a location worse than the minimum accuracy decides nothing", arguments: states)
  func minimumAccuracy(state: PlacePresence.State) {
    var bench = Bench(state, minimumAccuracy: 20)
    for second in [0.0, 30, 60] { #expect(bench.locate(second, east: 900, accuracy: 21) == nil) }
    for second in [90.0, 120] { #expect(bench.locate(second, east: 0, accuracy: 21) == nil) }
    #expect(bench.presence.state == state)
    #expect((bench.locate(300, east: 0, accuracy: 20) != nil) == (state != .inside))
  }

  // MARK: Errors

  @Test("two errors in quick succession count as one") func oneReflection() {
    var bench = Bench(.inside)
    bench.hear(.moving(since: Self.at(-20)), -10)
    for second in [0.0, 1, 2, 19] { #expect(bench.locate(second, east: 160) == nil) }
    #expect(bench.locate(21, east: 160) != nil)
  }

  @Test("an accuracy that was bad a moment ago is distrusted") func doubt() {
    var bench = Bench(.inside)
    bench.hear(.moving(since: Self.at(-20)), -10)
    bench.locate(0, east: 0, accuracy: 300)
    // Distrusted as 210, 147 and 103; 72 and 50 count, and are outside.
    for second in [60.0, 120, 180, 240] { #expect(bench.locate(second, east: 220) == nil) }
    #expect(bench.locate(300, east: 220) != nil)
  }

  @Test("after a search without signal a good accuracy is distrusted") func darkDoubt() {
    var bench = Bench(.inside)
    bench.hear(.searchFailed, 0)
    #expect(bench.locate(60, east: 180) == nil)
    bench.hear(.searchFailed, 90)
    #expect(bench.locate(120, east: 180) == nil)
    bench.hear(.searchFailed, 150)
    #expect(bench.locate(180, east: 0) == nil)
    #expect(bench.presence.state == .inside)
  }

  // MARK: Rest

  @Test("rest keeps the state determined during it until the rest ends") func held() {
    var bench = Bench()
    bench.locate(0, east: 10)
    bench.hear(.resting(since: Self.at(30)), 60)
    #expect(!bench.presence.isHeld)
    bench.locate(90, east: 10)
    #expect(bench.presence.isHeld)
    for second in stride(from: 120.0, to: 3600, by: 60) {
      #expect(bench.locate(second, east: 800) == nil)
    }
    bench.hear(.moving(since: Self.at(3600)), 3610)
    let change = bench.locate(3660, east: 800)
    #expect(change?.earliest == Self.at(3600))
    #expect(change?.latest == Self.at(3660))
  }

  @Test("a board that moves out and rests elsewhere has left") func restElsewhere() {
    var bench = Bench()
    bench.locate(0, east: 10)
    bench.hear(.moving(since: Self.at(20)), 30)
    bench.hear(.resting(since: Self.at(120)), 200)
    #expect(bench.locate(300, east: 180) == nil)
    let change = bench.locate(360, east: 180)
    #expect(change?.from == .inside)
    #expect(change?.to == .outside)
    #expect(change?.earliest == Self.at(0))
    #expect(change?.latest == Self.at(120))
  }

  @Test("rest does not keep a place that moves away") func movingPlace() {
    let region = PlaceRegion(.circle(radius: 100), around: ContainmentTests.centre)
    var presence = PlacePresence(region, isFixed: false)
    let here = ContainmentTests.location(10, east: 0)
    #expect(presence.step(.located(here), at: Self.at(0))?.to == .inside)
    #expect(presence.step(.resting(since: Self.at(0)), at: Self.at(10)) == nil)
    presence.moved(
      to: PlaceRegion(
        .circle(radius: 100), around: ContainmentTests.location(1, east: 900).position))
    #expect(!presence.isHeld)
    #expect(presence.step(.located(here), at: Self.at(60))?.to == .outside)
  }

  // MARK: Evidence

  @Test("a change has its location, its probability and its bounds") func evidence() throws {
    var bench = Bench()
    let first = bench.locate(0, east: 10)
    let arrival = try #require(first)
    #expect(arrival.from == .unknown)
    #expect(arrival.earliest == nil)
    #expect(arrival.latest == Self.at(0))
    bench.locate(60, east: 20)
    // Probably inside is not certain enough to bound a crossing.
    bench.locate(120, east: 85, accuracy: 30)
    bench.hear(.moving(since: Self.at(130)), 140)
    bench.locate(180, east: 150)
    let second = bench.locate(240, east: 170)
    let departure = try #require(second)
    #expect(departure.from == .inside)
    #expect(departure.to == .outside)
    #expect(departure.earliest == Self.at(60))
    #expect(departure.latest == Self.at(240))
    #expect(departure.location == ContainmentTests.location(10, east: 170))
    #expect(abs(departure.containment.signedDistance.value - 70) < 0.1)
    #expect(departure.containment.probabilityOutside > 0.99)
    let back = bench.locate(300, east: 0)
    #expect(back?.earliest == Self.at(240))
  }
}
