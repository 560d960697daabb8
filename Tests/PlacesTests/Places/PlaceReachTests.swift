import Core
import Records
import Testing

@testable import Places

@Suite struct PlaceReachTests {
  static func circle(_ radius: Double, east: Double) -> PlaceReach.Candidate {
    let location = ContainmentTests.location(1, east: east)
    return .init(PlaceRegion(.circle(radius: Metres(radius)), around: location.position))
  }

  let reach = PlaceReach(speed: 10, leastPause: 10, restPause: 1800)
  let now = BootInstant(nanoseconds: 1_000_000_000)

  @Test("the time is the distance to the edge minus the error, divided by the speed") func time() {
    let here = ContainmentTests.location(20, east: 0)
    let time = reach.time(to: Self.circle(100, east: 2120), from: here)
    #expect(abs(time.value - 200) < 0.01)
    #expect(abs(reach.time(to: Self.circle(320, east: 0), from: here).value - 30) < 0.01)
    #expect(reach.time(to: Self.circle(100, east: 110), from: here) == 0)
  }

  @Test("the nearest edge decides, from inside and from outside") func nearest() throws {
    let here = ContainmentTests.location(20, east: 0)
    let candidates = [
      Self.circle(100, east: 2120), Self.circle(1020, east: 0), Self.circle(50, east: -5000),
    ]
    let look = try #require(reach.nextFix(after: here, at: now, among: candidates))
    #expect(look.index == 1)
    #expect(abs((look.at - now).value - 100) < 0.01)
    #expect(abs(look.distance.value - 1020) < 0.01)
    #expect(look.accuracy == 100)
    #expect(reach.nextFix(after: here, at: now, among: []) == nil)
  }

  @Test(
    "changes possible within the shortest pause share one fix, as accurate as the smallest needs")
  func shared() throws {
    let here = ContainmentTests.location(5, east: 0)
    let candidates = [Self.circle(100, east: 110), Self.circle(30, east: -100)]
    let look = try #require(reach.nextFix(after: here, at: now, among: candidates))
    #expect(look.at - now == 10)
    #expect(abs(look.accuracy.value - 15) < 0.01)
  }

  @Test("rest delays the fix, but not for ever") func rest() throws {
    let here = ContainmentTests.location(20, east: 0)
    func pause(_ candidates: [PlaceReach.Candidate]) throws -> Double {
      let look = reach.nextFix(after: here, at: now, isResting: true, among: candidates)
      return (try #require(look).at - now).value
    }
    #expect(try pause([Self.circle(100, east: 2120)]) == 1800)
    #expect(abs(try pause([Self.circle(100, east: 30_120)]) - 3000) < 1)
    var moving = Self.circle(100, east: 2120)
    moving.speed = 5
    #expect(abs(try pause([moving]) - 400) < 0.01)
    #expect(abs(reach.time(to: moving, from: here).value - 133.33) < 0.1)
    #expect(
      !reach.time(to: Self.circle(100, east: 2120), from: here, isResting: true).isFinite)
  }
}
