import Records
import Core
import GNSS
import Testing

@testable import Tracking

/// The receiver's capabilities as observed.
@Suite struct LearntMeansTests {
  @Test("ephemeris that could not be retained over a cut is forgotten when that is learnt")
  func forgottenEphemeris() {
    var step = TrackerStep(at: .zero, clock: UTCClock())
    var search = GnssSearch(AcquisitionSettings(), receiver: .ubloxM8, lastID: 0)
    var lowPower = LowPowerPlanner(PowerCapabilities(), model: .ubloxM8, maxRetryPause: 1800)
    search.open(because: "a test", &step)
    step = TrackerStep(at: .zero + 5, clock: UTCClock())
    search.accepted(at: step.now, &step)
    search.switchedOff(at: step.now)
    lowPower.powerDown(
      after: .fixObtained, until: step.now + 400, search: &search, &step)
    search.close(.fixObtained, &step)
    #expect(step.effects.contains { $0.powerState == .off })
    func next() -> Seconds {
      search.forecast(pause: 10, hasBackup: true, at: step.now).afterSleep
    }
    let cold = search.forecast(pause: 10, hasBackup: false, at: step.now).afterCut
    #expect(next() < cold)
    lowPower.learn(PowerCapabilities(hasBackup: false), search: &search)
    #expect(next() == cold)
  }
}
