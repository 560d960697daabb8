import Messaging
import PeopleExperiment
import Testing

/// "Set privacy: define who is allowed to read what" (Landsmann 2013, 4.2), and to leave letters.
@Suite struct WelcomeScenarioTests {
  private let world = PeopleWorld()

  @Test("with contacts only, an unknown person's letter is dropped without any answer")
  func contacts() {
    let anna = world.person(People.anna)
    let mallory = world.person(People.mallory, at: 5000)
    mallory.does(.wrote(People.letter(from: People.mallory)))
    world.pass(60)
    #expect(anna.delivered.isEmpty && anna.standing(1) == .refused)
    let reason = LetterRefusal.unknownSender.text(of: People.mallory)
    #expect(anna.refusals.map(\.error.reason) == [reason])
    #expect(mallory.receipts.isEmpty && world.topics("godwit-letter-receipts").isEmpty)
  }

  @Test("waiting letters of a new contact are delivered at the next connection")
  func becomesContact() throws {
    let anna = world.person(People.anna)
    let mallory = world.person(People.mallory, at: 5000)
    mallory.does(.wrote(People.letter(from: People.mallory)))
    world.pass(60)
    var contacts = People.contacts()
    try contacts.add("Mallory", People.mallory)
    anna.does(.contacts(contacts))
    anna.isOnline = false
    world.pass(60)
    anna.isOnline = true
    world.pass(60)
    #expect(anna.delivered.count == 1 && mallory.receipts.map(\.outcome) == [.delivered])
  }

  @Test("a blocked person leaves nothing, and earlier letters are dropped") func blocked() throws {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter(1)))
    world.pass(60)
    var contacts = People.contacts()
    try contacts.block(People.ben)
    anna.does(.contacts(contacts))
    ben.does(.wrote(People.letter(2)))
    world.pass(60)
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered.isEmpty && ben.receipts.isEmpty)
    #expect(anna.standing(1) == .refused && anna.standing(2) == .refused)
    // After a power failure the person is still blocked.
    anna.isKilled()
    world.pass(60)
    #expect(anna.delivered.isEmpty)
    #expect(anna.messaging.contacts.blocked == [People.ben])
  }

  @Test("a blocked person's groups and meetings are hidden") func blockedHost() throws {
    let anna = world.person(People.anna)
    let carl = world.person(People.carl)
    let ben = world.person(People.ben)
    var contacts = People.contacts()
    try contacts.block(People.ben)
    anna.does(.contacts(contacts))
    world.pass(60)
    ben.does(.guided(People.group(guide: People.ben)))
    ben.does(.organized(People.meeting(starts: 0)))
    world.pass(120)
    #expect(carl.messaging.groupStates.count == 1 && carl.meetingNews.count == 1)
    #expect(anna.messaging.groupStates.isEmpty && anna.meetingNews.isEmpty && anna.news.isEmpty)
  }

  @Test("if letters from others are not welcome, one's own notes still work") func nobody() {
    let anna = world.person(People.anna, welcome: .nobody)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter(1)))
    anna.does(.wrote(People.letter(2, from: People.anna)))
    world.pass(60)
    #expect(anna.delivered == [People.id(2)] && anna.standing(1) == .refused)
  }

  @Test("with everybody welcome anybody may leave letters") func everybody() {
    let anna = world.person(People.anna, welcome: .everybody)
    let mallory = world.person(People.mallory, at: 5000)
    mallory.does(.wrote(People.letter(from: People.mallory)))
    world.pass(60)
    #expect(anna.delivered.count == 1)
  }
}
