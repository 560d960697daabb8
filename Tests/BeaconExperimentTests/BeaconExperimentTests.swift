import BeaconExperiment
import Quantities
import Testing

/// Lives among beacons, in virtual time and through the whole runtime.
@Suite struct BeaconExperimentTests {
  @Test(
    "coming is told within seconds and going after half a minute, never for nothing",
    arguments: BeaconListening.allCases)
  func street(listening: BeaconListening) throws {
    let trial = try BeaconTrial("street", listening, days: 1, seed: 11)
    #expect(trial.entries.count >= 3 && trial.missed == 0)
    #expect(trial.entries.allSatisfy { $0 <= 10 }, "\(trial.entries)")
    // Where the board has rested, as much later as a motion sensor tells of the first step.
    #expect(trial.exits.allSatisfy { (15...50).contains($0) }, "\(trial.exits)")
    #expect(trial.falseExits == 0)
  }

  @Test("the room is found where each has a beacon") func office() throws {
    let trial = try BeaconTrial("office", .discovery, days: 1, seed: 12)
    #expect(try #require(trial.roomShare) > 0.8, "\(trial.roomShare ?? 0)")
  }

  @Test("the radio listens only near beacons, and wakes the board less than one that always does")
  func home() throws {
    let careful = try BeaconTrial("home", .discovery, days: 1, seed: 13)
    let always = try BeaconTrial("home", .always, days: 1, seed: 13)
    #expect(careful.falseExits == 0 && careful.missed == 0)
    #expect(careful.listened < always.listened * 0.6)
    #expect(careful.wakes * 3 < always.wakes * 2)
  }
}
