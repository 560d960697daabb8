import Messaging
import PeopleExperiment
import Testing

/// "Create digital letterboxes at places where letters can be submitted" (Landsmann 2013, 4.2).
@Suite struct LetterboxScenarioTests {
  private let world = PeopleWorld()

  @Test("a box collects letters: a visitor gets all its letters in one report")
  func collects() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    let carl = world.person(People.carl, at: 6000)
    #expect(ben.does(.box(People.box(for: [People.anna, People.carl]))).isEmpty)
    ben.does(.wrote(People.letter(1, at: .box(People.id(500)))))
    carl.does(.wrote(People.letter(2, from: People.carl, at: .box(People.id(500)))))
    world.pass(60)
    #expect(anna.messaging.letterboxes.map(\.name) == ["The oak"])
    anna.goes(to: 0)
    world.pass(60)
    #expect(Set(anna.delivered) == [People.id(1), People.id(2)] && anna.nearNotices == 1)
    #expect(anna.disk.notices.first?.text == "2 letters from ben, carl are near: The oak")
    #expect(ben.receipts.count == 1 && carl.receipts.count == 1)
  }

  @Test("a moved box keeps its letters") func moved() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.box(People.box()))
    ben.does(.wrote(People.letter(at: .box(People.id(500)))))
    ben.does(.box(People.box(revision: 2, at: 2000)))
    world.pass(60)
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered.isEmpty)
    anna.goes(to: 2000)
    world.pass(60)
    #expect(anna.delivered.count == 1)
  }

  @Test("a letter that arrives before its box waits for it") func before() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter(at: .box(People.id(500)))))
    world.pass(60)
    #expect(anna.delivered.isEmpty)
    ben.does(.box(People.box()))
    world.pass(60)
    #expect(anna.delivered.count == 1)
  }

  @Test("a deleted box delivers nothing more, and the writers of its letters get reports")
  func deleted() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    let carl = world.person(People.carl, at: 6000)
    ben.does(.box(People.box()))
    carl.does(.wrote(People.letter(from: People.carl, at: .box(People.id(500)))))
    world.pass(60)
    #expect(ben.does(.removedBox(People.id(500))).isEmpty)
    world.pass(60)
    #expect(anna.messaging.letterboxes.isEmpty && world.topics("godwit-letterboxes").isEmpty)
    #expect(carl.receipts.map(\.outcome) == [.refused])
    #expect(carl.receipts.first?.reason?.contains("letterbox was removed") == true)
    // A letter written to it now waits until it expires, and its writer gets the reason.
    carl.does(
      .wrote(
        People.letter(2, from: People.carl, at: .box(People.id(500)), expires: 7200)))
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered.isEmpty)
    world.pass(3600)
    let told = carl.receipts.filter { $0.letter == People.id(2) }
    #expect(told.count == 1 && told[0].outcome == .refused)
    #expect(told[0].reason?.contains("letterbox is unknown") == true)
    world.pass(3600)
    #expect(anna.standing(2) == .expired && world.topics("godwit-letters/anna/carl").count == 1)
    carl.does(.withdrew(People.id(1)))
    world.pass(60)
    #expect(world.topics("godwit-letters").isEmpty)
  }

  @Test("a person who may no longer use a box gets nothing from it, and that board forgets it")
  func excluded() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.box(People.box(for: [People.anna, People.carl])))
    ben.does(.wrote(People.letter(at: .box(People.id(500)))))
    world.pass(60)
    ben.does(.box(People.box(revision: 2, for: [People.carl])))
    world.pass(60)
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered.isEmpty && anna.messaging.letterboxes.isEmpty)
    #expect(world.topics("godwit-letterboxes/anna").isEmpty)
    #expect(world.topics("godwit-letterboxes/carl").count == 1)
  }

  @Test("only the owner creates or removes a box") func others() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben)
    ben.does(.box(People.box()))
    world.pass(60)
    #expect(anna.does(.box(People.box())).count == 1)
    #expect(anna.does(.removedBox(People.id(500))).count == 1)
    #expect(ben.does(.box(People.box(revision: 1, at: 50))).isEmpty, "an old one changes nothing")
    world.pass(60)
    #expect(
      anna.messaging.letterboxes == [People.box()] && ben.messaging.letterboxes == [People.box()])
  }

  @Test("a broker's old copy does not restore a box that was deleted meanwhile")
  func deletedOffline() {
    let ben = world.person(People.ben)
    ben.does(.box(People.box()))
    world.pass(60)
    ben.isOnline = false
    world.pass(60)
    ben.does(.removedBox(People.id(500)))
    ben.isOnline = true
    world.pass(60)
    #expect(ben.messaging.letterboxes.isEmpty && world.topics("godwit-letterboxes").isEmpty)
  }
}
