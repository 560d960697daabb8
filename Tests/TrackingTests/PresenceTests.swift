import Core
import Records
import Testing

@testable import Tracking

@Suite struct PresenceTests {
  static let rules = StayRules(DwellSettings())

  /// A location this many seconds after the start, this many metres east of the stay's centre.
  static func seen(
    _ second: Double, east: Double = 0, speed: Double = .nan
  ) -> PlanarLocation {
    PlanarLocation(
      time: 1_750_000_000_000_000_000 + Int64(second * 1e9), x: east, y: 0, speed: speed, sigma: 5)
  }

  static func presence(confirmed: Bool) -> Presence {
    var presence = Presence(seen(0), vehicle: nil)
    for second in stride(from: 60.0, through: 600, by: 60) {
      let isAtRest = presence.addIfAtRest(seen(second), rules)
      #expect(isAtRest)
    }
    if confirmed {
      let isVisit = presence.confirmIfLong(seen(600), along: RecentPath(), rules)
      #expect(isVisit)
    }
    return presence
  }

  private static func absence(_ elsewhere: StayHypothesis) -> Absence {
    Absence(elsewhere, seen: seen(900), distance: 450, isOutOfReach: false)
  }

  @Test("one location elsewhere proves nothing")
  func oneLocationElsewhere() {
    var presence = Self.presence(confirmed: true)
    let away = presence.weigh(Self.seen(660, east: 900), vehicle: nil, Self.rules)
    #expect(away == .undecided)
    #expect(presence.absence?.locations == 1)
    let back = presence.weigh(Self.seen(720), vehicle: nil, Self.rules)
    #expect(back == .here)
    #expect(presence.absence == nil)
  }

  @Test("a visit ends only after the minimum absence")
  func absenceLasts() {
    var presence = Self.presence(confirmed: true)
    for second in stride(from: 660.0, through: 780, by: 60) {
      let conclusion = presence.weigh(Self.seen(second, east: 900), vehicle: nil, Self.rules)
      #expect(conclusion == .undecided)
    }
    let last = presence.weigh(Self.seen(840, east: 900), vehicle: nil, Self.rules)
    #expect(last == .gone)
    let left = presence.moveOn()
    #expect(left?.stay.last == Self.seen(600).time)
    #expect(presence.stay.first == Self.seen(660).time)
    #expect(presence.absence == nil)
  }

  @Test("a stay too short for a visit is dropped at the second location elsewhere")
  func shortStay() {
    var presence = Presence(Self.seen(0), vehicle: nil)
    let first = presence.weigh(Self.seen(20, east: 300), vehicle: nil, Self.rules)
    #expect(first == .undecided)
    let second = presence.weigh(Self.seen(40, east: 600), vehicle: nil, Self.rules)
    #expect(second == .gone)
  }

  @Test("without a location elsewhere there is no departure")
  func nowhereElse() {
    var presence = Self.presence(confirmed: false)
    let left = presence.moveOn()
    #expect(left == nil)
    #expect(presence.stay.last == Self.seen(600).time)
  }

  @Test("the stay includes all the time that the way to the next location did not need")
  func unwatchedDeparture() {
    let stay = Self.presence(confirmed: true).stay
    let elsewhere = StayHypothesis(Self.seen(7200, east: 450), before: nil, vehicle: nil)
    let departure = Self.rules.departure(from: stay, Self.absence(elsewhere))
    // 420 m on foot at 1.4 m/s.
    #expect((departure - Self.seen(7200 - 300).time).magnitude < 1000)
  }

  @Test("after a gap the stay of a board last seen in a vehicle is unknown")
  func unwatchedRide() {
    var presence = Self.presence(confirmed: true)
    let isAtRest = presence.addIfAtRest(Self.seen(660, speed: 12), Self.rules)
    #expect(isAtRest)
    let elsewhere = StayHypothesis(Self.seen(7200, east: 450), before: nil, vehicle: nil)
    let departure = Self.rules.departure(from: presence.stay, Self.absence(elsewhere))
    #expect(departure == Self.seen(660).time)
  }
}

@Suite struct VisitLedgerTests {
  static func visit(_ id: Int64) -> Visit {
    Visit(
      id: id, arrival: .init(exactly: .init(nanoseconds: 0)),
      position: .init(latitude: 47, longitude: 15), accuracy: 5, confidence: 0.5, locations: 1)
  }

  @Test("a visit that continues keeps its id, the next one gets another")
  func reopening() {
    var ledger = VisitLedger(nextID: 7)
    let begun = ledger.begin(Self.visit(ledger.nextID))
    #expect(begun == .began(Self.visit(7)))
    let ended = ledger.end(Self.visit(7), at: GroundTruth.home, time: GroundTruth.time(0))
    #expect(ended == .ended(Self.visit(7)))
    #expect(ledger.open == nil)
    let reopened = ledger.reopen(Self.visit(7))
    #expect(reopened == .updated(Self.visit(7)))
    #expect(ledger.ended == nil)
    #expect(ledger.nextID == 8)
  }

  @Test("an announced visit is withdrawn once")
  func withdrawing() {
    var ledger = VisitLedger(nextID: 1)
    #expect(ledger.isEmpty)
    _ = ledger.begin(Self.visit(1))
    #expect(!ledger.isEmpty)
    let first = ledger.withdraw()
    #expect(first == .withdrawn(id: 1))
    let second = ledger.withdraw()
    #expect(second == nil)
    #expect(ledger.isEmpty)
  }

  @Test("a rest that is reported repeatedly is counted once") func toldAgain() {
    var stay = StayHypothesis.blank
    for second in 1...100 {
      let proof = RestProof(isMonitored: second > 60, delay: 0)
      stay.proveRest(proof, until: Int64(second) * 1_000_000_000)
    }
    #expect(stay.proven == 100_000_000_000)
    stay.proveRest(RestProof(isMonitored: true, delay: 0), until: 50_000_000_000)
    #expect(stay.proven == 100_000_000_000)
    #expect(stay.watched == 40_000_000_000)
  }
}
