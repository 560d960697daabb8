import IndoorStays
import Core
import Testing

/// Stays in a building as in Dias 2011, section 5.4: none of them is a departure.
@Suite struct IndoorStayTests {
  private static func stays(
    _ rule: IndoorStay.Rule, drifts: Bool = false, count: UInt64 = 1000
  ) -> [IndoorStay] {
    (1...count).map { IndoorStay(rule, drifts: drifts, seed: $0) }
  }

  @Test("a thousand stays with a weak signal give no departure; a plain circle gives thousands")
  func weakSignal() {
    #expect(Self.stays(.presence).allSatisfy { $0.falseDepartures == 0 })
    let naive = Self.stays(.circle)
    #expect(naive.count { $0.falseDepartures > 0 } > 900)
    #expect(naive.reduce(0) { $0 + $1.falseDepartures } > 5000)
  }

  @Test("with evidence of rest even a steady error gives none")
  func steadyError() {
    let stays = Self.stays(.presenceAtRest, drifts: true, count: 200)
    #expect(stays.allSatisfy { $0.falseDepartures == 0 })
    #expect(Self.stays(.circle, drifts: true, count: 200).allSatisfy { $0.falseDepartures > 0 })
  }

  @Test("real departures are still reported, within minutes, after a weak signal")
  func realDepartures() {
    for rule in [IndoorStay.Rule.presence, .presenceAtRest] {
      let delays = Self.stays(rule, count: 200).compactMap(\.delay)
      #expect(delays.count == 200 && (delays.max() ?? 0) <= 360)
    }
  }
}
