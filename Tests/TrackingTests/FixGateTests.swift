import Quantities
import ReceiverProtocols
import Testing
import Tracking

@Suite struct FixGateTests {
  static func reasons(_ fixes: [Fix]) -> [RejectionReason?] {
    var gate = FixGate(GateSettings())
    return fixes.map { fix in
      guard case .rejected(let reason) = gate.judge(fix) else { return nil }
      return reason
    }
  }

  @Test func aSingleJumpIsRefusedButNotANewPlace() {
    let jump = [Carrier.fix(0, 0), Carrier.fix(1, 16_000), Carrier.fix(2, 1)]
    #expect(Self.reasons(jump) == [nil, .impliedSpeed, nil])
    let moved = [Carrier.fix(0, 0)] + (1...5).map { Carrier.fix(Double($0), 16_000 + Double($0)) }
    let jumps: [RejectionReason?] = [.impliedSpeed, .impliedSpeed, .impliedSpeed, .impliedSpeed]
    #expect(Self.reasons(moved) == [nil] + jumps + [nil])
  }
}
