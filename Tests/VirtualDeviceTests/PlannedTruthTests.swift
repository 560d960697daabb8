import Core
import Testing
import VirtualDevice

@Suite struct PlannedTruthTests {
  func week(seed: UInt64 = 1, days: Int = 7) -> PlannedTruth {
    PlannedTruth(DayPlan.townDweller, from: morning, days: days, seed: seed)
  }

  @Test("the position changes continuously and no faster than the speed")
  func movesContinuouslyAndNoFasterThanItSays() throws {
    let groundTruth = week()
    var last = try #require(groundTruth.state(at: groundTruth.start))
    var fastest = 0.0
    for second in 1..<(3 * 86_400) {
      let now = try #require(groundTruth.state(at: groundTruth.start + Seconds(Double(second))))
      let distance = Sphere.distance(last.position, now.position).value
      let mean = (last.speed + now.speed).value / 2
      // Shortcuts at corners reduce the distance; a start or stop between two seconds changes the
      // mean a little.
      #expect(distance <= mean + 1, "at second \(second)")
      #expect((now.speed - last.speed).magnitude < 2)
      fastest = max(fastest, now.speed.value)
      last = now
    }
    #expect((20...30).contains(fastest))
  }

  @Test("the resident follows the plan") func livesByThePlan() {
    let groundTruth = week()
    while !groundTruth.hasEnded, let stay = groundTruth.stays.last, let end = groundTruth.end {
      _ = groundTruth.state(at: stay.departure + 1)
      _ = groundTruth.state(at: min(end, stay.departure + .hours(2)))
    }
    let names = groundTruth.stays.map(\.place.name)
    // 2026-05-01 is a Friday without sports.
    #expect(
      names.starts(with: ["home", "bus stop near home", "bus stop near work", "work", "park"]))
    #expect(names.count { $0 == "sports hall" } == 2)
    #expect(names.count { $0 == "market" } == 1)
    for (stay, next) in zip(groundTruth.stays, groundTruth.stays.dropFirst()) {
      #expect(stay.arrival < stay.departure && stay.departure <= next.arrival)
    }
  }

  @Test("the same seed gives the same life") func sameSeedSameLife() {
    func states(_ seed: UInt64) -> [TrueState?] {
      let groundTruth = week(seed: seed)
      return stride(from: 0.0, to: 86_400, by: 60).map {
        groundTruth.state(at: groundTruth.start + Seconds($0))
      }
    }
    #expect(states(5) == states(5))
    #expect(states(5) != states(6))
  }

  @Test("a plan ends when its days are over") func endsWhenItsDaysAreOver() throws {
    let groundTruth = week(days: 1)
    let end = try #require(groundTruth.end)
    #expect(groundTruth.state(at: end - 1) != nil)
    #expect(!groundTruth.hasEnded)
    #expect(groundTruth.state(at: end) == nil)
    #expect(groundTruth.hasEnded)
  }

  @Test("an access point is connected only where it is") func accessPointsOnlyWhereTheyStand() {
    let groundTruth = week()
    #expect(
      groundTruth.accessPoint(at: groundTruth.start)?.position == DayPlan.townDweller.home.position)
    let leaves = groundTruth.stays[0].departure
    #expect(groundTruth.accessPoint(at: leaves - 1) != nil)
    #expect(groundTruth.accessPoint(at: leaves + 1) == nil)
  }
}
