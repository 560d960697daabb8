import Core
import Testing

@testable import Delivery

@Suite struct HoldTests {
  private static let start = UTCInstant(seconds: 1_777_593_600)

  @Test("the pause doubles with every failure, up to an hour", arguments: [0.0, 0.3, 1])
  func doubling(chance: Double) throws {
    var hold: TransportBackOff?
    var pauses: [Double] = []
    for _ in 0..<12 {
      let next = TransportBackOff(after: hold, at: Self.start, because: "x", chance: chance)
      pauses.append(next.remaining(at: Self.start).value)
      hold = next
    }
    let most = [30.0, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600, 3600]
    let expected = most.map { $0 * (0.5 + chance / 2) }
    #expect(zip(pauses, expected).allSatisfy { abs($0 - $1) < 1e-3 }, "\(pauses)")
    #expect(hold?.failures == 12)
  }

  @Test("a pause requested by the other side applies, up to a day") func asked() {
    func pause(_ asked: Seconds) -> Seconds {
      TransportBackOff(after: nil, at: Self.start, because: "x", asked: asked, chance: 1)
        .remaining(at: Self.start)
    }
    #expect(pause(5) == 30)
    #expect(pause(7200) == 7200)
    #expect(pause(.hours(24 * 365)) == .hours(24))
  }

  @Test("it ends, and a clock set back does not prolong it") func clock() {
    let hold = TransportBackOff(after: nil, at: Self.start, because: "x", chance: 1)
    #expect(hold.remaining(at: Self.start + 10) == 20)
    #expect(hold.remaining(at: Self.start + 31) == 0)
    #expect(hold.remaining(at: Self.start - .hours(24 * 365)) == 0)
  }
}
