import Core
import TestSupport
import Testing

@testable import Messaging

/// "Create digital letterboxes at places where letters can be submitted" (Landsmann 2013, 4.2).
@Suite struct LetterboxTests {
  private typealias Bench = LetterBench

  private static func box(
    revision: Int = 1, owner: PersonAddress = Bench.ben, east: Metres = 0,
    for people: Addressees = .people([Bench.anna, Bench.carl])
  ) -> Letterbox {
    try! Letterbox(
      id: Bench.id(500), owner: owner, revision: revision, name: "Kitchen door", for: people,
      at: Bench.circle(east))
  }

  private static func letter(_ number: Int, to: Addressees = .people([Bench.anna])) -> Letter {
    Bench.letter(number, to: to, at: .box(box().id))
  }

  @Test("all letters in a box are reported together, and delivered") func collected() throws {
    var bench = Bench()
    try bench.step(.box(Self.box()))
    try bench.step(.arrived(Self.letter(1)))
    try bench.step(.arrived(Self.letter(2, to: .people([Bench.carl]))))
    try bench.step(.arrived(Self.letter(3, to: .people([Bench.anna, Bench.carl]))))
    try bench.come(5)
    let keys = [Self.letter(1).key, Self.letter(3).key]
    #expect(bench.delivered == keys)
    #expect(bench.notices.map(\.letters) == [keys] && bench.notices[0].place == "Kitchen door")
    #expect(bench.refused.map(\.reason) == [.notForMe])
  }

  @Test("letters wait for an unknown box, wherever it will be") func boxLater() throws {
    var bench = Bench()
    try bench.step(.arrived(Self.letter(1)))
    try bench.come(0)
    #expect(bench.delivered.isEmpty && bench.inbox.circles(around: Bench.home) == [])
    try bench.restart()
    try bench.step(.box(Self.box()))
    try bench.come(0)
    #expect(bench.delivered == [Self.letter(1).key])
  }

  @Test("the writer gets one report if the box does not arrive, and the letter still waits")
  func noBox() throws {
    var bench = Bench()
    bench.hasDate = false
    try bench.step(.arrived(Self.letter(1)))
    #expect(bench.wake == nil)
    bench.hasDate = true
    try bench.step(.timePassed)
    let due = try #require(bench.wake)
    #expect(due > .boot(bench.now + 3590) && due < .boot(bench.now + 3610))
    bench.now += 1800
    try bench.restart()
    try bench.step(.timePassed)
    #expect(bench.receipts.isEmpty)
    bench.now += 1800
    try bench.step(.timePassed)
    #expect(bench.receipts.map(\.outcome) == [.refused])
    #expect(bench.receipts[0].reason?.contains("letterbox is unknown") == true)
    try bench.restart()
    for _ in 0..<3 {
      bench.now += 7200
      try bench.step(.arrived(Self.letter(1)))
    }
    #expect(bench.receipts.count == 1 && bench.inbox.records.map(\.status) == [.waiting])
    try bench.step(.box(Self.box()))
    #expect(bench.inbox.records[0].reason == nil)
    try bench.come(0)
    #expect(bench.receipts.map(\.outcome) == [.refused, .delivered])
  }

  @Test("a clock set back does not make a letter give up on its box early") func setBack() throws {
    var bench = Bench()
    bench.now = 100_000
    try bench.step(.arrived(Self.letter(1)))
    let later = try #require(bench.inbox.records.first?.missedSince)
    // The same boot, with the date corrected by a day.
    bench.setBack = 86_400
    try bench.step(.timePassed)
    #expect(bench.inbox.records.first?.missedSince.map { $0 < later } == true)
    bench.now += 3600
    try bench.step(.timePassed)
    #expect(bench.receipts.count == 1)
  }

  @Test("a moved box keeps its letters, and an old revision does not move it back")
  func moved() throws {
    var bench = Bench()
    try bench.step(.box(Self.box(revision: 2, east: 1000)))
    try bench.step(.arrived(Self.letter(1)))
    try bench.step(.box(Self.box(revision: 1)))
    try bench.come(0)
    #expect(bench.delivered.isEmpty)
    try bench.come(1000)
    #expect(bench.delivered.count == 1)
  }

  @Test("only the owner changes or removes a box") func owner() throws {
    var bench = Bench()
    try bench.step(.box(Self.box()))
    try bench.step(.box(Self.box(revision: 9, owner: Bench.mallory, east: 5000)))
    try bench.step(.boxRemoved(Self.box().id, by: Bench.mallory))
    #expect(
      bench.boxErrors.map(\.description)
        == ["owner: its owner is ben: only the owner can change it"])
    try bench.step(.arrived(Self.letter(1)))
    try bench.come(0)
    #expect(bench.delivered.count == 1)
  }

  @Test("letters in a removed box, or one no longer shared with this person, are returned")
  func removed() throws {
    var bench = Bench()
    try bench.step(.box(Self.box()))
    try bench.step(.arrived(Self.letter(1)))
    try bench.step(.boxRemoved(Self.box().id, by: Bench.ben))
    #expect(
      bench.refused.map(\.reason) == [.boxGone] && bench.receipts.map(\.outcome) == [.refused])
    #expect(bench.inbox.records.map(\.status) == [.waiting], "it could be put up again")
    try bench.step(.box(Self.box()))
    try bench.step(.arrived(Self.letter(2)))
    try bench.step(.box(Self.box(revision: 2, for: .people([Bench.carl]))))
    #expect(bench.refused.last?.reason == .notOfBox)
    try bench.come(0)
    #expect(bench.delivered.isEmpty)
  }

  @Test("foreign boxes and boxes of blocked people are dropped, and one owner has at most 32")
  func bounded() throws {
    var bench = Bench()
    try bench.step(.box(Self.box(for: .people([Bench.carl]))))
    var contacts = Contacts(welcome: .everybody)
    try contacts.block(Bench.ben)
    try bench.step(.contacts(contacts))
    try bench.step(.box(Self.box()))
    #expect(bench.boxErrors.count == 2 && bench.inbox.letterboxes.isEmpty)
    try contacts.add("Carl", Bench.carl)
    try bench.step(.contacts(contacts))
    for number in 0...64 {
      let box = try Letterbox(
        id: Bench.id(number), owner: Bench.carl, name: "\(number)", for: .everybody,
        at: Bench.circle())
      try bench.step(.box(box))
    }
    #expect(bench.inbox.letterboxes.count == 32 && bench.boxErrors.count == 2 + 33)
  }

  @Test("whatever boxes others make, there is room for one's own, and for 64 in total")
  func ownRoom() throws {
    var contacts = Contacts(welcome: .everybody)
    try contacts.add("Ben", Bench.ben)
    try contacts.add("Carl", Bench.carl)
    var bench = Bench(contacts: contacts)
    func put(_ numbers: Range<Int>, _ owner: PersonAddress) throws {
      for number in numbers {
        let box = try Letterbox(
          id: Bench.id(number), owner: owner, name: "\(number)", for: .everybody,
          at: Bench.circle())
        try bench.step(.box(box))
      }
    }
    try put(0..<40, Bench.ben)
    try put(100..<140, Bench.carl)
    #expect(bench.inbox.letterboxes.count == 48 && bench.boxErrors.count == 8 + 24)
    try put(200..<216, Bench.anna)
    #expect(bench.inbox.letterboxes.count == 64 && bench.boxErrors.count == 32)
    try put(216..<217, Bench.anna)
    #expect(bench.inbox.letterboxes.count == 64 && bench.boxErrors.count == 33)
  }

  @Test("boxes of people no longer welcome are dropped, and others' letters in them wait")
  func blocked() throws {
    var bench = Bench()
    try bench.step(.box(Self.box()))
    let letter = Bench.letter(1, from: Bench.carl, at: .box(Self.box().id))
    try bench.step(.arrived(letter))
    var contacts = Contacts(welcome: .everybody)
    try contacts.block(Bench.ben)
    try bench.step(.contacts(contacts))
    #expect(bench.inbox.letterboxes.isEmpty && bench.storedBoxes.isEmpty)
    try bench.come(0)
    #expect(bench.delivered.isEmpty && bench.inbox.records.map(\.status) == [.waiting])
    // It is restored when its owner is unblocked.
    try bench.step(.contacts(Contacts(welcome: .everybody)))
    try bench.step(.box(Self.box()))
    try bench.come(0)
    #expect(bench.delivered == [letter.key])
  }
}
