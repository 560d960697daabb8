import Core
import GNSS
import Testing
import Tracking

@Suite struct FixGateTests {
  static func reasons(
    _ fixes: [Fix], poweredOn: Bool = false, settings: GateSettings = GateSettings()
  ) -> [RejectionReason?] {
    var gate = FixGate(settings)
    if poweredOn { gate.poweredOn(at: .zero) }
    return fixes.map { fix in
      guard case .rejected(let reason) = gate.evaluate(fix) else { return nil }
      return reason
    }
  }

  /// One fix with one flaw.
  static func flawed(_ flaw: (inout Fix) -> Void) -> [RejectionReason?] {
    var fix = GroundTruth.fix(0, 0)
    flaw(&fix)
    return reasons([fix])
  }

  @Test("every flaw of a fix is refused with its reason") func everyFlawHasItsReason() {
    #expect(Self.flawed { _ in } == [nil])
    #expect(Self.flawed { $0.mode = .none } == [.noFix])
    #expect(Self.flawed { $0.position = nil } == [.noFix])
    #expect(Self.flawed { $0.time = nil } == [.noTime])
    #expect(
      Self.flawed { $0.position = Coordinate(latitude: 0, longitude: 0) } == [.nullIsland])
    #expect(Self.flawed { $0.satellitesUsed = 2 } == [.fewSatellites])
    #expect(Self.flawed { $0.horizontalError = 5000 } == [.largeError])
  }

  @Test("the error is the receiver's, or else from HDOP, or else assumed")
  func theErrorIsTheReceiversElseFromHdopElseAssumed() {
    func accuracy(_ change: (inout Fix) -> Void) -> Metres? {
      var gate = FixGate(GateSettings())
      var fix = GroundTruth.fix(0, 0)
      change(&fix)
      guard case .accepted(let location, _) = gate.evaluate(fix) else { return nil }
      return location.accuracy
    }
    #expect(accuracy { $0.horizontalError = 7 } == 7)
    #expect(
      accuracy {
        $0.horizontalError = nil
        $0.hdop = 1.5
      } == 7.5)
    #expect(accuracy { $0.horizontalError = nil } == 10)
    #expect(accuracy { $0.horizontalError = Metres(.nan) } == 10)
  }

  @Test("a single jump is refused, a new place is accepted after some fixes")
  func aSingleJumpIsRefusedButNotANewPlace() {
    let jump = [GroundTruth.fix(0, 0), GroundTruth.fix(1, 16_000), GroundTruth.fix(2, 1)]
    #expect(Self.reasons(jump) == [nil, .impliedSpeed, nil])
    let moved =
      [GroundTruth.fix(0, 0)] + (1...5).map { GroundTruth.fix(Double($0), 16_000 + Double($0)) }
    let jumps: [RejectionReason?] = [.impliedSpeed, .impliedSpeed, .impliedSpeed, .impliedSpeed]
    #expect(Self.reasons(moved) == [nil] + jumps + [nil])
  }

  @Test("a jump with a small claimed error is refused") func aJumpThatClaimsToBeExactIsRefused() {
    var fixes = (0..<5).map { GroundTruth.fix(Double($0), 0) }
    fixes[3] = GroundTruth.fix(3, 200)
    fixes[3].horizontalError = 1.9
    #expect(Self.reasons(fixes) == [nil, nil, nil, .impliedAcceleration, nil])
  }

  @Test("a fix after a long tunnel is accepted at once")
  func whoComesOutOfATunnelIsBelievedAtOnce() {
    // 25 minutes and 40 km later: physically possible.
    #expect(Self.reasons([GroundTruth.fix(0, 0), GroundTruth.fix(1500, 40_000)]) == [nil, nil])
  }

  @Test("hard braking is no jump") func brakingHardIsNoJump() {
    // 50 m/s, braking at 9 m/s² to a halt, then accelerating at 4 m/s².
    var fixes: [Fix] = []
    var x = 0.0
    var v = 50.0
    for t in 0..<40 {
      fixes.append(GroundTruth.fix(Double(t), x))
      v = t < 10 ? max(0, v - 9) : min(50, v + 4)
      x += v
    }
    #expect(Self.reasons(fixes).allSatisfy { $0 == nil })
  }

  @Test("repeated, frozen and backward fixes are refused")
  func repeatedAndFrozenAndBackwardFixesAreRefused() {
    let repeated = [GroundTruth.fix(0, 0), GroundTruth.fix(0, 0), GroundTruth.fix(1, 1)]
    #expect(Self.reasons(repeated) == [nil, .duplicate, nil])
    let backward = [GroundTruth.fix(10, 0), GroundTruth.fix(5, 0), GroundTruth.fix(11, 1)]
    #expect(Self.reasons(backward) == [nil, .timeBackwards, nil])
    let frozen = (0..<8).map { second -> Fix in
      var fix = GroundTruth.fix(Double(second), 0)
      fix.speed = 12
      return fix
    }
    #expect(Self.reasons(frozen).last == .frozen)
  }

  @Test("one wrong date is refused, a leap second or a long pause is not")
  func oneWrongDateIsRefusedBySteadyClocks() {
    var fixes = (0..<5).map { GroundTruth.fix(Double($0), Double($0)) }
    fixes[2].time = GroundTruth.time(86_402)
    #expect(Self.reasons(fixes) == [nil, nil, .timeJump, nil, nil])
    // A receiver learns the leap seconds; bytes were delayed in a buffer; a month has passed.
    #expect(Self.reasons(Self.stepped(by: 18)) == [nil, nil])
    var late = [GroundTruth.fix(0, 0), GroundTruth.fix(300, 1)]
    late[1].received = late[0].received
    #expect(Self.reasons(late) == [nil, nil])
    #expect(Self.reasons([GroundTruth.fix(0, 0), GroundTruth.fix(2_600_000, 9)]) == [nil, nil])
  }

  private static func stepped(by step: Double) -> [Fix] {
    var fixes = [GroundTruth.fix(0, 0), GroundTruth.fix(1, 1)]
    fixes[1].time = GroundTruth.time(1 + step)
    return fixes
  }

  @Test("a time before 1970 is invalid") func timesWhoseDifferencesDoNotFitAreNone() {
    let early: [Int64] = [.min, -9_000_000_000_000_000_000, -1]
    for nanoseconds in early {
      #expect(Self.flawed { $0.time = UTCInstant(nanoseconds: nanoseconds) } == [.noTime])
    }
    #expect(Self.flawed { $0.time = UTCInstant(nanoseconds: 0) } == [nil])
  }

  @Test("a date in the future does not block for ever")
  func aDateFromTheFutureDoesNotBlockForEver() {
    let future = [GroundTruth.fix(600_000_000, 0)]
    let right = (0..<10).map { GroundTruth.fix(Double($0), Double($0)) }
    let reasons = Self.reasons(future + right)
    #expect(reasons[1] == .timeBackwards)
    #expect(reasons.last == .some(nil))
  }

  /// Fixes every ten seconds at one place, with the date ahead by `slip` from `start` until `end`.
  private static func slipping(
    by slip: Double, from start: Double, until end: Double, of total: Double
  ) -> [Fix] {
    stride(from: 0, to: total, by: 10).map { second in
      var fix = GroundTruth.fix(second, 0)
      if (start..<end).contains(second) { fix.time = GroundTruth.time(second + slip) }
      return fix
    }
  }

  @Test("an hour's offset for five minutes is refused, a lasting one is accepted")
  func slips() {
    for slip in [-3600.0, 3600] {
      let passing = Self.reasons(Self.slipping(by: slip, from: 900, until: 1200, of: 1500))
      #expect(passing.count { $0 != nil } == 30)
      #expect(passing.suffix(30).allSatisfy { $0 == nil })
      let lasting = Self.reasons(Self.slipping(by: slip, from: 900, until: 5000, of: 3000))
      #expect(lasting.count { $0 != nil } == 60)
      // A date that was valid only briefly is not defended for long.
      let early = Self.reasons(Self.slipping(by: slip, from: 60, until: 5000, of: 3000))
      #expect(early.count { $0 != nil } == 5)
    }
  }

  @Test("the first fixes settle, but not for long") func firstFixesSettleButOneIsAlwaysGiven() {
    func burst(_ errors: [Double], every seconds: Double = 1) -> [RejectionReason?] {
      Self.reasons(
        errors.enumerated().map { index, error in
          var fix = GroundTruth.fix(Double(index) * seconds, 0)
          fix.horizontalError = Metres(error)
          return fix
        }, poweredOn: true)
    }
    #expect(burst([90, 40, 8, 5]) == [.settling, .settling, nil, nil])
    #expect(burst([5]) == [nil])
    // It no longer improves; the third one; the time limit.
    #expect(burst([60, 60]) == [.settling, nil])
    #expect(burst([300, 200, 100, 50]) == [.settling, .settling, nil, nil])
    #expect(burst([300, 200, 100], every: 6) == [.settling, nil, nil])
  }
}
