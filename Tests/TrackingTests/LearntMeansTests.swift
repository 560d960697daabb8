import Energy
import Quantities
import ReceiverProtocols
import Records
import Testing

@testable import Tracking

/// What the receiver turned out to be able to do.
@Suite struct LearntMeansTests {
  @Test("ephemeris that could not be kept over a cut is forgotten when that is learnt")
  func forgottenEphemeris() {
    var turn = Turn(at: .zero, clock: UTCClock())
    var search = GnssSearch(AcquisitionSettings(), receiver: .ubloxM8, lastID: 0)
    var lowPower = LowPowerPlanner(PowerCapabilities(), model: .ubloxM8, maxRetryPause: 1800)
    search.open(because: "a test", &turn)
    turn = Turn(at: .zero + 5, clock: UTCClock())
    search.accepted(at: turn.now, &turn)
    search.switchedOff(at: turn.now)
    lowPower.powerDown(
      after: .fixObtained, until: turn.now + 400, search: &search, &turn)
    search.close(.fixObtained, &turn)
    #expect(turn.effects.contains { $0.powerState == .off })
    func next() -> Seconds {
      search.forecast(pause: 10, hasBackup: true, at: turn.now).afterSleep
    }
    let cold = search.forecast(pause: 10, hasBackup: false, at: turn.now).afterCut
    #expect(next() < cold)
    lowPower.learn(PowerCapabilities(hasBackup: false), search: &search)
    #expect(next() == cold)
  }
}
