import GuardExperiment
import Core
import Testing

/// Parked and anchored objects, in virtual time.
@Suite struct GuardExperimentTests {
  private static let scenes: [GuardScene] = [.ridden, .pushed, .loaded, .dragging, .adrift]

  @Test("a removal is reported, with a motion sensor and without", arguments: scenes)
  func taken(scene: GuardScene) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      for hasMotion in [true, false] {
        let trial = GuardTrial(scene, length: .hours(8), hasMotion: hasMotion, seed: seed)
        let delay = try #require(trial.delayOfCrossing, "\(scene) \(seed) \(hasMotion)")
        #expect(delay < (hasMotion && !scene.isBoat ? 300 : 900), "\(scene) \(seed) \(delay)")
        #expect(trial.falseAlarms == 0)
      }
    }
  }

  @Test("without a removal there is no alarm", arguments: [GuardScene.parked, .anchored])
  func stays(
    scene: GuardScene
  ) {
    for hasMotion in [true, false] {
      let trial = GuardTrial(scene, length: .days(2), hasMotion: hasMotion, seed: 4)
      #expect(trial.falseAlarms == 0, "\(scene) \(hasMotion)")
      #expect(trial.delayOfMovement == nil)
    }
  }

  @Test(
    "with a motion sensor, guarding a parked vehicle costs little",
    arguments: 5...7 as ClosedRange<UInt64>)
  func energy(seed: UInt64) {
    let idle = GuardTrial(
      .parked, length: .days(2), hasMotion: true, isGuarded: false, seed: seed)
    let felt = GuardTrial(.parked, length: .days(2), hasMotion: true, seed: seed)
    #expect(felt.energy < idle.energy * 1.5)
  }
}
