import Geodesy
import Quantities
import Testing
import VirtualDevice

@Suite struct PlannedCarrierTests {
  func week(seed: UInt64 = 1, days: Int = 7) -> PlannedCarrier {
    PlannedCarrier(.townDweller, from: morning, days: days, seed: seed)
  }

  @Test func movesContinuouslyAndNoFasterThanItSays() throws {
    let carrier = week()
    var last = try #require(carrier.state(at: carrier.start))
    var fastest = 0.0
    for second in 1..<(3 * 86_400) {
      let now = try #require(carrier.state(at: carrier.start + Seconds(Double(second))))
      let distance = Sphere.distance(last.place, now.place).value
      let mean = (last.speed + now.speed).value / 2
      // Corners cut the distance; a start or a stop between two seconds changes the mean a little.
      #expect(distance <= mean + 1, "at second \(second)")
      #expect((now.speed - last.speed).magnitude < 2)
      fastest = max(fastest, now.speed.value)
      last = now
    }
    #expect((20...30).contains(fastest))
  }

  @Test func livesByThePlan() {
    let carrier = week()
    while !carrier.hasEnded, let stay = carrier.stays.last, let end = carrier.end {
      _ = carrier.state(at: stay.departure + 1)
      _ = carrier.state(at: min(end, stay.departure + .hours(2)))
    }
    let names = carrier.stays.map(\.place.name)
    // 2026-05-01 is a Friday without sports.
    #expect(
      names.starts(with: ["home", "bus stop near home", "bus stop near work", "work", "park"]))
    #expect(names.count { $0 == "sports hall" } == 2)
    #expect(names.count { $0 == "market" } == 1)
    for (stay, next) in zip(carrier.stays, carrier.stays.dropFirst()) {
      #expect(stay.arrival < stay.departure && stay.departure <= next.arrival)
    }
  }

  @Test func sameSeedSameLife() {
    func places(_ seed: UInt64) -> [CarrierState?] {
      let carrier = week(seed: seed)
      return stride(from: 0.0, to: 86_400, by: 60).map {
        carrier.state(at: carrier.start + Seconds($0))
      }
    }
    #expect(places(5) == places(5))
    #expect(places(5) != places(6))
  }

  @Test func endsWhenItsDaysAreOver() throws {
    let carrier = week(days: 1)
    let end = try #require(carrier.end)
    #expect(carrier.state(at: end - 1) != nil)
    #expect(!carrier.hasEnded)
    #expect(carrier.state(at: end) == nil)
    #expect(carrier.hasEnded)
  }

  @Test func accessPointsOnlyWhereTheyStand() {
    let carrier = week()
    #expect(carrier.accessPoint(at: carrier.start)?.place == DayPlan.townDweller.home.place)
    let leaves = carrier.stays[0].departure
    #expect(carrier.accessPoint(at: leaves - 1) != nil)
    #expect(carrier.accessPoint(at: leaves + 1) == nil)
  }
}
