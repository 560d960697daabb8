import Core
import Records
import Testing

@testable import Places

/// Fixes at unreachable positions, and the last metres before a place.
@Suite struct SpeedPlausibilityTests {
  private static let home = Drawing.at(52, 5)

  private static func location(
    _ east: Metres, accuracy: Metres = 30, speed: MetresPerSecond? = nil,
    source: Location.Source = .gnss
  ) -> Location {
    Location(
      time: UTCInstant(seconds: 1_780_000_000),
      position: Sphere.destination(from: home, bearing: 90, distance: east), accuracy: accuracy,
      speed: speed, track: nil, altitude: nil, source: source)
  }

  private static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  @Test("a jump is rejected unless it persists") func jump() {
    var way = SpeedPlausibility()
    let ways: [(Metres, Double, Bool)] = [
      (0, 0, true), (400, 1, false), (5, 2, true), (400, 3, false), (400, 25, true),
    ]
    for (east, seconds, isCredible) in ways {
      let answer = way.isCredible(Self.location(east), at: Self.at(seconds))
      #expect(answer == isCredible, "\(east) at \(seconds) s")
    }
  }

  @Test("a board observed at high speed has moved fast") func train() {
    var way = SpeedPlausibility()
    for (east, seconds, isCredible) in [(0.0, 0.0, true), (590, 10, true), (1500, 20, false)] {
      let location = Self.location(Metres(east), accuracy: 5, speed: 40)
      let answer = way.isCredible(location, at: Self.at(seconds))
      #expect(answer == isCredible)
    }
  }

  private static func presence(radius: Metres = 100) -> PlacePresence {
    var presence = PlacePresence(PlaceRegion(.circle(radius: radius), around: home))
    _ = presence.step(.located(location(2000, accuracy: 5)), at: at(0))
    _ = presence.step(.located(location(2000, accuracy: 5)), at: at(30))
    return presence
  }

  @Test(
    "an arrival takes two locations under a weak signal, and one under a good signal",
    arguments: [true, false])
  func arrival(isWeak: Bool) {
    var presence = Self.presence()
    let accuracy: Metres = isWeak ? 31 : 8
    let first = presence.step(.located(Self.location(0, accuracy: accuracy)), at: Self.at(600))
    #expect((first == nil) == isWeak)
    let soon = presence.step(.located(Self.location(0, accuracy: accuracy)), at: Self.at(605))
    #expect(soon == nil, "the same reflection")
    let later = presence.step(.located(Self.location(0, accuracy: accuracy)), at: Self.at(630))
    #expect((later != nil) == isWeak)
  }

  @Test("at an unreachable position no single location suffices") func incredible() {
    var presence = Self.presence()
    let location = Self.location(0, accuracy: 5)
    let first = presence.step(.located(location), at: Self.at(31), isCredible: false)
    #expect(first == nil && presence.isInDoubt)
    let second = presence.step(.located(location), at: Self.at(60))
    #expect(second?.to == .inside)
  }

  @Test("a relocated access point is not a departure, however often it is reported")
  func coarse() {
    var presence = Self.presence()
    _ = presence.step(.located(Self.location(0, accuracy: 5)), at: Self.at(600))
    _ = presence.step(.moving(since: Self.at(601)), at: Self.at(601))
    let elsewhere = Self.location(7800, accuracy: 33, source: .coarse)
    for count in 1...3 {
      let told = presence.step(.located(elsewhere), at: Self.at(600 + Double(count) * 60))
      #expect(told == nil && presence.isInDoubt)
    }
    let last = presence.step(.located(elsewhere), at: Self.at(900))
    #expect(last?.to == .outside)
  }

  @Test("the receiver stays on before a place, but not for ever") func approach() {
    var approach = FinalApproach()
    let coming = Self.location(0, accuracy: 5, speed: 5)
    let standing = Self.location(0, accuracy: 5, speed: 0.1)
    let looks: [(Location, Double, Metres?, Bool)] = [
      (coming, 0, 300, false), (coming, 30, 150, true), (coming, 149, 100, true),
      // It moves along the edge.
      (coming, 151, 100, false),
      (coming, 200, 1000, false), (coming, 300, 100, true), (standing, 301, 20, false),
      (coming, 302, nil, false),
    ]
    for (location, seconds, gap, isOn) in looks {
      let answer = approach.goesOn(location, at: Self.at(seconds), gap: gap)
      #expect(answer == isOn, "after \(seconds) s")
    }
  }

  @Test("the nearest few are in order, in whatever order they are added") func nearest() {
    var nearest = NearestPlaces(3)
    #expect(nearest.limit == Metres(.infinity))
    for (index, distance) in [50.0, 20, 90, 20, 10].enumerated() {
      nearest.consider(index, atLeast: Metres(distance))
    }
    #expect(nearest.indices == [4, 1, 3] && nearest.limit == 20)
    nearest.consider(9, atLeast: 20)
    #expect(nearest.indices == [4, 1, 3])
  }
}
