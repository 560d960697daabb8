import Messaging
import PeopleExperiment
import Core
import Testing

/// "Users will be able to restore their messages and other content when losing or switching their
/// device" (Landsmann 2013, 4.4.1), and go with two.
@Suite struct SeveralBoardsTests {
  private let world = PeopleWorld()

  @Test("a new board gets the letters waiting for its owner, and no delivered ones")
  func newBoard() {
    let old = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter(1)))
    ben.does(.box(People.box(at: 2000)))
    ben.does(.wrote(People.letter(2, at: .box(People.id(500)))))
    world.pass(60)
    #expect(old.delivered == [People.id(1)])
    old.isOn = false
    let new = world.person(People.anna)
    world.pass(60)
    #expect(new.delivered.isEmpty && new.standing(2) == .waiting)
    new.goes(to: 2000)
    world.pass(60)
    #expect(new.delivered == [People.id(2)] && ben.published.isEmpty)
    ben.isOn = false
    let other = world.person(People.ben, at: 5000)
    world.pass(60)
    #expect(
      other.messaging.letterboxes == [People.box(at: 2000)], "a new board knows one's own boxes")
  }

  @Test("a letter delivered by one board is not delivered by the other") func two() {
    let first = world.person(People.anna, at: 1000)
    let second = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter()))
    world.pass(60)
    // Switched off, so that neither removes the letter meanwhile.
    ben.isOn = false
    second.isOn = false
    first.goes(to: 0)
    world.pass(60)
    second.isOn = true
    second.isLocating = false
    world.pass(60)
    second.isLocating = true
    second.goes(to: 0)
    world.pass(60)
    #expect(first.delivered.count == 1 && second.delivered.isEmpty)
    #expect(second.standing(1) == .delivered)
    ben.isOn = true
    world.pass(60)
    #expect(ben.receipts.count == 1 && world.topics("godwit-letters").isEmpty)
  }

  @Test("two boards active before their receipts cross may each deliver once")
  func crossing() {
    world.broker.faults = VirtualFaults(loss: 0, repetition: 0, delay: 5...10)
    let first = world.person(People.anna)
    let second = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter()))
    world.pass(300)
    #expect((1...2).contains(first.delivered.count + second.delivered.count))
    #expect(first.delivered.count <= 1 && second.delivered.count <= 1)
    #expect(ben.receipts.count == 1 && ben.published.isEmpty)
    #expect(world.topics("godwit-letters").isEmpty)
  }

  @Test("a board killed at any moment resumes from its disk") func killed() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    ben.failure = .after
    ben.does(.wrote(People.letter(1)))
    ben.failure = .before
    ben.does(.wrote(People.letter(2)))
    world.pass(60)
    anna.failure = .before
    anna.goes(to: 0)
    world.pass(60)
    anna.failure = .after
    anna.goes(to: 1000)
    world.pass(60)
    #expect(Set(anna.delivered) == [People.id(1), People.id(2)] && anna.delivered.count == 2)
    #expect(ben.receipts.count == 2 && ben.messaging.pending.isEmpty)
    #expect(anna.isAsStored && ben.isAsStored && (anna.remarks + ben.remarks).isEmpty)
  }

  @Test("unreadable records on the disk are reported, and the rest is restored") func damaged() {
    let anna = world.person(People.anna)
    anna.does(.wrote(People.letter(from: People.anna, at: .circle(People.circle(500)))))
    let items = anna.disk.items.map { item in
      item.key.kind == .contacts ? .init(item.key, "{\"type\":\"contacts\"") : item
    }
    let messaging = MessagingState(of: People.anna, hasBroker: true, restoring: items)
    #expect(
      messaging.remarks.count == 1
        && messaging.remarks[0].hasPrefix("contacts contacts cannot be read"))
    #expect(
      messaging.letterRecords == anna.messaging.letterRecords
        && messaging.pending == anna.messaging.pending)
  }

  // MARK: Without a broker

  @Test("without a broker letters go by files, and receipts come back by files")
  func files() {
    let anna = world.person(People.anna, hasBroker: false)
    let ben = world.person(People.ben, at: 5000, hasBroker: false)
    ben.does(.box(People.box(at: 100)))
    ben.does(.wrote(People.letter(1)))
    ben.does(.wrote(People.letter(2, at: .box(People.id(500)))))
    world.pass(60)
    // Imported twice.
    for message in ben.messaging.letterFile + ben.messaging.letterFile {
      anna.does(.imported(message))
    }
    world.pass(60)
    #expect(anna.delivered == [People.id(1)])
    anna.goes(to: 100)
    world.pass(60)
    #expect(anna.delivered == [People.id(1), People.id(2)])
    anna.isKilled()
    for message in anna.messaging.letterFile { ben.does(.imported(message)) }
    #expect(ben.receipts.map(\.outcome) == [.delivered, .delivered])
    #expect(ben.published.isEmpty)
    #expect(ben.messaging.letterFile == [.box(People.box(at: 100))])
  }

  @Test("a letter sent by a file is withdrawn by the next one") func fileWithdrawn() {
    let anna = world.person(People.anna, at: 1000, hasBroker: false)
    let ben = world.person(People.ben, at: 5000, hasBroker: false)
    ben.does(.wrote(People.letter(1, expires: 86_400)))
    ben.does(.wrote(People.letter(2)))
    for message in ben.messaging.letterFile { anna.does(.imported(message)) }
    ben.does(.withdrew(People.id(1)))
    ben.isKilled()
    for message in ben.messaging.letterFile { anna.does(.imported(message)) }
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.delivered == [People.id(2)] && anna.standing(1) == .withdrawn)
    // It has expired by then, and no report is needed.
    world.pass(90_000)
    #expect(ben.published.map(\.letter.id) == [People.id(2)])
  }

  @Test("after many withdrawals by files new letters are still possible") func muchWithdrawn() {
    let ben = world.person(People.ben, hasBroker: false)
    for number in 0..<300 {
      #expect(ben.does(.wrote(People.letter(number))).isEmpty)
      ben.does(.withdrew(People.id(number)))
    }
    #expect(ben.published.count <= MessagingLimits.outgoing / 2 && ben.isAsStored)
  }

  @Test("a file is read as it is written") func fileText() {
    let ben = world.person(People.ben, hasBroker: false)
    ben.does(.wrote(People.letter(1, text: "One,\n\"two\"")))
    let lines = ben.messaging.letterFile.flatMap { LetterFile.line($0) }
    let read = LetterFileReader.entries(of: lines).compactMap { try? $0.message.get() }
    #expect(read == ben.messaging.letterFile && !read.isEmpty)
  }
}
