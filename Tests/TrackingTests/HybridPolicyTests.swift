import Core
import Records
import Testing
import Tracking

/// A reference to a policy, so that mutating calls work inside expectations.
private final class Scripted {
  /// As in the paper.
  private static let example: HybridSettings = {
    var settings = HybridSettings()
    settings.swapAfter = 120
    settings.travelled = 100
    return settings
  }()

  var policy: HybridPolicy

  init(coarse: Bool) {
    policy = HybridPolicy(Self.example, hasCoarseSource: coarse)
    policy.started(at: .zero)
  }

  func gnssLocation(_ location: Location, at now: BootInstant) -> Bool {
    policy.gnssLocation(location, at: now)
  }

  func coarseLocation(_ location: Location, at now: BootInstant) -> Bool {
    policy.coarseLocation(location, at: now)
  }

  func searchFailed(at now: BootInstant) { policy.searchFailed(at: now) }
  func demand(at now: BootInstant) -> GnssDemand { policy.demand(at: now) }
}

/// Checks Stylianou's Algorithm 1, line by line.
@Suite struct HybridPolicyTests {
  static let home = Coordinate(latitude: 35.1856, longitude: 33.3823)

  static func location(metresEast: Double, accuracy: Double = 5) -> Location {
    Location(
      time: UTCInstant(seconds: 1_700_000_000),
      position: Sphere.destination(from: home, bearing: 90, distance: Metres(metresEast)),
      accuracy: Metres(accuracy))
  }

  static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  private func isOn(_ policy: Scripted, _ seconds: Double) -> Bool {
    policy.demand(at: Self.at(seconds)).mode == .on
  }

  @Test("the first location comes from GNSS") func firstLocationComesFromGnss() {
    #expect(isOn(Scripted(coarse: true), 0))
    #expect(isOn(Scripted(coarse: false), 0))
  }

  @Test("two GNSS locations without travel end the search for more")
  func stopsAfterTwoGnssLocationsThatShowNoTravel() {
    let policy = Scripted(coarse: true)
    #expect(policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(5)))
    // GPS_Loc is 1: the text arms the timer where the pseudo-code does not.
    #expect(policy.demand(at: Self.at(6)).mode == .off(until: Self.at(125)))
    #expect(isOn(policy, 125))
    #expect(policy.gnssLocation(Self.location(metresEast: 10), at: Self.at(127)))
    // GPS_Loc is 2 and 10 m were travelled: arrived, no timer, and SLU decides next.
    #expect(policy.demand(at: Self.at(128)).mode == .off(until: nil))
    #expect(policy.demand(at: Self.at(90_000)).mode == .off(until: nil))
  }

  @Test("travel is followed at every interval") func goesOnWhileTravelling() {
    let policy = Scripted(coarse: true)
    var now = 5.0
    for step in 0..<20 {
      #expect(policy.gnssLocation(Self.location(metresEast: Double(step) * 400), at: Self.at(now)))
      #expect(policy.demand(at: Self.at(now + 1)).mode == .off(until: Self.at(now + 120)))
      now += 120
    }
  }

  @Test("travel is measured over the last three locations") func distanceIsTakenOverTheLastThree() {
    // 60 m and 60 m: neither leg alone reaches D, but the path over the last three locations does.
    let policy = Scripted(coarse: true)
    _ = policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(0))
    _ = policy.gnssLocation(Self.location(metresEast: 60), at: Self.at(120))
    #expect(policy.demand(at: Self.at(121)).mode == .off(until: nil))
    let further = Scripted(coarse: true)
    _ = further.gnssLocation(Self.location(metresEast: 0), at: Self.at(0))
    _ = further.gnssLocation(Self.location(metresEast: 110), at: Self.at(120))
    _ = further.gnssLocation(Self.location(metresEast: 50), at: Self.at(240))
    #expect(further.demand(at: Self.at(241)).mode == .off(until: Self.at(360)))
  }

  @Test("a coarse location demands GNSS again, for two locations at least")
  func coarseLocationArmsTheTimerAndResetsTheCounter() {
    let policy = Scripted(coarse: true)
    _ = policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(0))
    _ = policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(120))
    #expect(policy.coarseLocation(Self.location(metresEast: 3000, accuracy: 150), at: Self.at(900)))
    #expect(policy.demand(at: Self.at(901)).mode == .off(until: Self.at(1020)))
    // The counter restarts: one GNSS location that shows arrival is not enough.
    _ = policy.gnssLocation(Self.location(metresEast: 3010), at: Self.at(1022))
    #expect(policy.demand(at: Self.at(1023)).mode == .off(until: Self.at(1142)))
  }

  @Test("of one burst only the first fix is a location")
  func laterFixesOfOneBurstAreNotLocations() {
    let policy = Scripted(coarse: true)
    #expect(policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(5)))
    #expect(!policy.gnssLocation(Self.location(metresEast: 2), at: Self.at(6)))
    #expect(!policy.gnssLocation(Self.location(metresEast: 3), at: Self.at(30)))
  }

  @Test("without a coarse source bursts check for travel, ever less often at rest")
  func standInBurstsReplaceTheCoarseSource() {
    let policy = Scripted(coarse: false)
    _ = policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(0))
    _ = policy.gnssLocation(Self.location(metresEast: 4), at: Self.at(120))
    // Arrived: the next burst replaces SLU 300 s later.
    #expect(policy.demand(at: Self.at(121)).mode == .off(until: Self.at(420)))
    // Not moved: nothing is stored, and the pause to the next burst grows, up to the longest
    // interval.
    #expect(!policy.gnssLocation(Self.location(metresEast: 8), at: Self.at(420)))
    #expect(policy.demand(at: Self.at(421)).mode == .off(until: Self.at(420 + 450)))
    #expect(!policy.gnssLocation(Self.location(metresEast: 8), at: Self.at(870)))
    #expect(policy.demand(at: Self.at(871)).mode == .off(until: Self.at(870 + 600)))
    // Moved: a significant location, and the timer of Algorithm 1 is armed.
    #expect(policy.gnssLocation(Self.location(metresEast: 250), at: Self.at(1470)))
    #expect(policy.demand(at: Self.at(1471)).mode == .off(until: Self.at(1590)))
  }

  @Test("a short trip that ended before the next burst is found")
  func aShortTripThatEndedBeforeTheNextBurstIsFound() {
    let policy = Scripted(coarse: false)
    _ = policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(0))
    _ = policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(120))
    // 300 m away and at rest again at the time of the burst: SLU's 500 m would have missed it.
    #expect(policy.gnssLocation(Self.location(metresEast: 300), at: Self.at(420)))
    #expect(policy.gnssLocation(Self.location(metresEast: 300), at: Self.at(540)))
    #expect(policy.gnssLocation(Self.location(metresEast: 300), at: Self.at(660)))
    #expect(policy.demand(at: Self.at(661)).mode == .off(until: Self.at(960)))
  }

  @Test("a failed search is tried again") func failedSearchIsTriedAgain() {
    let policy = Scripted(coarse: true)
    _ = policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(0))
    policy.searchFailed(at: Self.at(200))
    #expect(policy.demand(at: Self.at(201)).mode == .off(until: Self.at(320)))
  }

  @Test("coarse locations that come more often than the timer ends do not put GNSS off")
  func fastBoardIsLocatedByGnss() {
    let policy = Scripted(coarse: true)
    _ = policy.gnssLocation(Self.location(metresEast: 0), at: Self.at(0))
    var located: [Double] = []
    // 15 m/s, a location every 500 m.
    for seconds in stride(from: 0.0, through: 1200, by: 1) {
      let metres = seconds * 15
      if metres.truncatingRemainder(dividingBy: 500) < 15 {
        _ = policy.coarseLocation(
          Self.location(metresEast: metres, accuracy: 150), at: Self.at(seconds))
      }
      guard isOn(policy, seconds) else { continue }
      #expect(policy.gnssLocation(Self.location(metresEast: metres), at: Self.at(seconds)))
      located.append(seconds)
    }
    let pauses = zip(located, located.dropFirst()).map { $1 - $0 }
    #expect(located.count == 10)
    #expect(pauses.allSatisfy { $0 == 120 })
  }
}
