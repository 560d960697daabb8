import BeaconExperiment
import Core
import Testing

/// Lives among beacons, in virtual time and through the whole runtime.
@Suite struct BeaconExperimentTests {
  @Test(
    "arrivals are reported within seconds, departures after half a minute, with no false ones",
    arguments: BeaconListening.allCases)
  func street(listening: BeaconListening) throws {
    let trial = try BeaconTrial("street", listening, days: 1, seed: 11)
    let comings = trial.passages.filter { $0.way == .coming }
    #expect(comings.count >= 3)
    #expect(comings.allSatisfy { ($0.delay ?? 999) <= 10 }, "\(comings)")
    // After rest, the delay includes the time until a motion sensor reports the first step.
    let goings = trial.passages.filter { $0.way == .going }
    #expect(goings.allSatisfy { (15...50).contains($0.delay ?? 999) }, "\(goings)")
    #expect(trial.falseGoings == 0)
  }

  @Test("the room is found if each room has a beacon") func office() throws {
    let trial = try BeaconTrial("office", .discovery, days: 1, seed: 12)
    #expect(try #require(trial.roomShare) > 0.8, "\(trial.roomShare ?? 0)")
  }

  @Test("the radio listens only near beacons, and wakes the board less than one that always does")
  func home() throws {
    let careful = try BeaconTrial("home", .discovery, days: 1, seed: 13)
    let always = try BeaconTrial("home", .always, days: 1, seed: 13)
    #expect(careful.falseGoings == 0 && careful.passages.allSatisfy { $0.told != nil })
    #expect(careful.listened < always.listened * 0.6)
    #expect(careful.wakes * 3 < always.wakes * 2)
  }
}
