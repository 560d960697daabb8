import Messaging
import PeopleExperiment
import Testing

/// Letters stored at places until their recipients come there (Landsmann 2013, 4.1 to 4.4).
@Suite struct LetterScenarioTests {
  private let world = PeopleWorld()

  @Test(
    "a letter stays at its place until its recipient comes there, and its writer gets a receipt")
  func one() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter()))
    world.pass(300)
    #expect(anna.standing(1) == .waiting && anna.news.isEmpty)
    #expect(world.topics("godwit-letters").count == 1)
    anna.goes(to: 0, taking: 600)
    world.pass(900)
    #expect(anna.delivered == [People.id(1)] && anna.standing(1) == .delivered)
    #expect(ben.receipts.map(\.outcome) == [.delivered])
    // After delivery no copy of the letter is published any more.
    #expect(world.topics("godwit-letters").isEmpty && ben.published.isEmpty)
    #expect(anna.messaging.pending.isEmpty && ben.messaging.pending.isEmpty)
  }

  @Test("a letter to several people waits for each of them") func several() {
    let anna = world.person(People.anna, at: 1000)
    let carl = world.person(People.carl, at: 2000)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter(to: .people([People.anna, People.carl]))))
    world.pass(60)
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered.count == 1 && carl.delivered.isEmpty)
    #expect(world.topics("godwit-letters") == ["godwit-letters/carl/ben/\(People.id(1))"])
    carl.goes(to: 0)
    world.pass(60)
    #expect(carl.delivered.count == 1 && ben.receipts.map(\.by) == [People.anna, People.carl])
    #expect(world.topics("godwit-letters").isEmpty && ben.published.isEmpty)
  }

  @Test("a letter to everybody is found by each board that welcomes letters from everybody")
  func everybody() {
    let anna = world.person(People.anna, at: 1000, welcome: .everybody)
    let carl = world.person(People.carl, at: 2000)
    let ben = world.person(People.ben, at: 5000, welcome: .everybody)
    ben.does(.wrote(People.letter(to: .everybody, expires: 3600)))
    for board in [anna, carl, ben] { board.goes(to: 0, taking: 600) }
    world.pass(900)
    #expect(anna.delivered.count == 1 && carl.delivered.isEmpty && ben.delivered.isEmpty)
    #expect(ben.receipts.map(\.by) == [People.anna])
    // It stays published for others until it expires.
    #expect(!world.topics("godwit-area-letters").isEmpty)
    world.pass(3600)
    #expect(world.topics("godwit-area-letters").isEmpty && ben.published.isEmpty)
  }

  @Test("a letter to everybody in the area is found at any distance of the starting point")
  func area() {
    let anna = world.person(People.anna, at: -25_000, welcome: .everybody)
    let ben = world.person(People.ben)
    ben.does(.wrote(People.letter(to: .everybody)))
    world.pass(60)
    anna.goes(to: 0, taking: 1800)
    world.pass(2000)
    #expect(anna.delivered.count == 1)
    // Away, and back to another letter that was written in the meantime.
    anna.goes(to: 60_000, taking: 1800)
    world.pass(2000)
    ben.does(.wrote(People.letter(2, to: .everybody)))
    world.pass(60)
    anna.goes(to: 0, taking: 1800)
    world.pass(2000)
    #expect(anna.delivered.count == 2)
  }

  @Test("a letter within 20 m is reported as near once, and again after the board has left")
  func near() {
    let anna = world.person(People.anna, at: 100)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter()))
    world.pass(60)
    #expect(anna.nearNotices == 0)
    anna.goes(to: 10)
    world.pass(300)
    #expect(anna.nearNotices == 1)
    anna.goes(to: 30)
    world.pass(300)
    anna.goes(to: 10)
    world.pass(300)
    #expect(anna.nearNotices == 1, "at the edge nobody has left")
    anna.goes(to: 200)
    world.pass(300)
    anna.goes(to: 10)
    world.pass(300)
    anna.isKilled()
    world.pass(300)
    #expect(anna.nearNotices == 2 && anna.delivered.count == 1)
    #expect(anna.disk.notices.map(\.kind) == [.letter, .letter])
    #expect(anna.disk.notices.first?.text == "a letter from ben is near")
  }

  @Test("a read letter is no longer reported as near, and an answer marks it as read")
  func read() throws {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    for number in 1...2 { ben.does(.wrote(People.letter(number))) }
    world.pass(60)
    #expect(anna.standing(1) == .delivered && anna.nearNotices == 2)
    anna.does(.read(LetterKey(People.id(1), from: People.ben)))
    #expect(anna.standing(1) == .read && anna.standing(2) == .delivered)
    let answer = try People.letter(2).answer(
      id: People.id(3), from: People.anna, at: .circle(People.circle(4000)),
      written: anna.date, text: "Found it.")
    #expect(anna.does(.wrote(answer)).isEmpty && anna.standing(2) == .read)
    anna.goes(to: 500)
    world.pass(60)
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.nearNotices == 2)
    ben.goes(to: 4000)
    world.pass(60)
    #expect(ben.delivered == [People.id(3)])
    #expect(ben.messaging.letterRecords.first?.letter?.answers == People.id(2))
    #expect(anna.receipts.map(\.outcome) == [.delivered])
  }

  @Test("an expired letter is not delivered, and its writer's board removes it")
  func expired() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    ben.isLocating = false
    ben.does(.wrote(People.letter(expires: 600)))
    world.pass(60)
    anna.isOn = false
    world.pass(600)
    #expect(world.topics("godwit-letters").isEmpty && ben.published.isEmpty)
    anna.isOn = true
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered.isEmpty && anna.standing(1) == .expired)
  }

  @Test("a letter withdrawn before delivery is not delivered")
  func withdrawn() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter()))
    world.pass(60)
    ben.does(.withdrew(People.id(1)))
    world.pass(60)
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered.isEmpty && anna.standing(1) == .withdrawn)
    #expect(world.topics("godwit-letters").isEmpty && ben.published.isEmpty)
    #expect(ben.does(.withdrew(People.id(1))).count == 1, "twice it cannot be")
  }

  @Test("a note to oneself is delivered once, and then removed") func note() {
    let anna = world.person(People.anna, at: 1000)
    let other = world.person(People.anna, at: 1000)
    anna.does(.wrote(People.letter(from: People.anna)))
    world.pass(60)
    #expect(other.standing(1) == .waiting)
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered.count == 1 && anna.published.isEmpty)
    #expect(world.topics("godwit-letters").isEmpty)
    other.goes(to: 0)
    world.pass(60)
    #expect(other.delivered.isEmpty)
    #expect(anna.receipts.isEmpty, "who comes to the own note knows it")
  }

  @Test("a note to oneself can be withdrawn without a broker") func ownWithdrawn() {
    let anna = world.person(People.anna, at: 1000, hasBroker: false)
    anna.does(.wrote(People.letter(from: People.anna)))
    #expect(anna.standing(1) == .waiting)
    anna.does(.withdrew(People.id(1)))
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered.isEmpty && anna.standing(1) == .withdrawn)
  }

  @Test("while the broker is unreachable letters wait on both sides") func unreachable() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    world.broker.isReachable = false
    ben.does(.wrote(People.letter()))
    world.pass(3600)
    #expect(!ben.messaging.pending.isEmpty && anna.delivered.isEmpty)
    world.broker.isReachable = true
    world.pass(60)
    #expect(anna.delivered.count == 1)
    world.broker.isReachable = false
    ben.does(.wrote(People.letter(2, at: .circle(People.circle(100)))))
    ben.does(.withdrew(People.id(2)))
    world.broker.isReachable = true
    anna.goes(to: 100)
    world.pass(60)
    #expect(anna.delivered.count == 1 && ben.messaging.pending.isEmpty)
  }
}
