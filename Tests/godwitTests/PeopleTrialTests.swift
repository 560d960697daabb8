import CarriedBoards
import TestSupport
import Testing

/// Whole boards around a broker that loses messages, with kills.
@Suite struct PeopleTrialTests {
  @Test("letters are delivered at their places, and each is reported once") func letters() throws {
    let trial = try PeopleTrial(
      .letters, people: 3, days: 2, seed: 21, in: try ScratchFolder(inMemory: true))
    #expect(trial.letters.written == 6 && trial.letters.met > 0)
    #expect(trial.letters.told == trial.letters.delivered)
    #expect(trial.letters.elsewhere == 0 && trial.letters.missed == 0)
    #expect(trial.restarts > 10)
  }

  @Test("each member behind on a walk is reported to all, and no other") func walk() throws {
    let trial = try PeopleTrial(
      .walks, people: 3, days: 1, from: 5, seed: 22, in: try ScratchFolder(inMemory: true))
    #expect(trial.walks.due > 0 && trial.walks.missed == 0)
    #expect(trial.walks.right == trial.walks.due)
    #expect(trial.walks.wrong == 0)
  }
}
