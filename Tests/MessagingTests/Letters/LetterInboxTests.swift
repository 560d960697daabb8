import Core
import Records
import TestSupport
import Testing

@testable import Messaging

/// Requirements for Landsmann's Letterbox (2013, chapter 4).
@Suite struct LetterInboxTests {
  private typealias Bench = LetterBench

  @Test("a letter is reported and delivered when its recipient is within 20 m, and not before")
  func near() throws {
    var bench = Bench()
    try bench.step(.arrived(Bench.letter()))
    try bench.come(3000)
    try bench.come(30)
    #expect(bench.notices.isEmpty && bench.delivered.isEmpty && bench.receipts.isEmpty)
    try bench.come(12)
    #expect(bench.notices.map(\.letters) == [[Bench.letter().key]])
    #expect(bench.delivered == [Bench.letter().key])
    #expect(bench.receipts.map(\.outcome) == [.delivered] && bench.receipts[0].to == Bench.ben)
    #expect(bench.receipts[0].at == Bench.date + 4)
  }

  @Test("nearness is reported again when the board has left and returns, until the letter is read")
  func rearmed() throws {
    var bench = Bench()
    try bench.step(.arrived(Bench.letter()))
    for east in [10.0, 100, 10, 100] { try bench.come(Metres(east)) }
    #expect(bench.notices.count == 2 && bench.delivered.count == 1)
    try bench.step(.read(Bench.letter().key))
    try bench.come(10)
    #expect(bench.notices.count == 2)
  }

  @Test(
    "position errors at the edge cause only one notice", arguments: 1...8 as ClosedRange<UInt64>)
  func noise(seed: UInt64) throws {
    var chance = SplitMix(seed: seed)
    var bench = Bench()
    try bench.step(.arrived(Bench.letter()))
    for _ in 0..<400 {
      // The sum of twelve is nearly normal, here with 6.6 m for an accuracy of 10 m.
      let error = (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0...1, using: &chance) }
      try bench.come(Metres(20 + error * 6.6), accuracy: 10)
    }
    #expect(bench.notices.count == 1 && bench.delivered.count == 1)
  }

  @Test("a position with 500 m accuracy does not decide about letters") func inaccurate() throws {
    var bench = Bench()
    try bench.step(.arrived(Bench.letter()))
    try bench.come(0, accuracy: 500)
    try bench.come(0, accuracy: Metres(.nan))
    #expect(bench.notices.isEmpty && bench.delivered.isEmpty)
    try bench.come(0, accuracy: 15)
    #expect(bench.delivered.count == 1)
    // It does not prove that the board has left, either.
    try bench.come(300, accuracy: 500)
    try bench.come(0)
    #expect(bench.notices.count == 1)
  }

  @Test("a small circle is reported at 20 m and delivered inside") func small() throws {
    var bench = Bench()
    try bench.step(.arrived(Bench.letter(at: .circle(Bench.circle(radius: 5)))))
    try bench.come(15, accuracy: 3)
    #expect(bench.notices.count == 1 && bench.delivered.isEmpty)
    try bench.come(2, accuracy: 3)
    #expect(bench.notices.count == 1 && bench.delivered.count == 1)
  }

  @Test("a letter that arrives at the board's position is delivered at once") func here() throws {
    var bench = Bench()
    try bench.come(0)
    try bench.step(.arrived(Bench.letter()))
    #expect(bench.delivered.count == 1)
    bench.now += 600
    try bench.step(.arrived(Bench.letter(2)))
    #expect(bench.delivered.count == 1, "where it was ten minutes ago is nothing")
  }

  @Test("a letter to several people is delivered to each of them, and to no others") func several()
    throws
  {
    let letter = Bench.letter(to: .people([Bench.anna, Bench.carl]))
    for (person, count) in [(Bench.anna, 1), (Bench.carl, 1), (Bench.mallory, 0)] {
      var bench = Bench(for: person)
      try bench.step(.arrived(letter))
      try bench.come(0)
      #expect(bench.delivered.count == count)
      #expect(bench.refused.map(\.reason) == (count == 0 ? [.notForMe] : []))
      #expect(bench.receipts.map(\.by) == (count == 0 ? [] : [person]))
    }
  }

  @Test("a letter to everybody is for nearby visitors, not for distant boards") func everybody()
    throws
  {
    let letter = Bench.letter(to: .everybody)
    var bench = Bench()
    try bench.come(50_000)
    try bench.step(.arrived(letter))
    #expect(bench.refused.map(\.reason) == [.elsewhere] && bench.stored.isEmpty)
    try bench.come(9000)
    try bench.step(.arrived(letter))
    #expect(bench.stored.count == 1)
    // Letters left behind make room, and arrive again.
    try bench.come(60_000)
    #expect(bench.stored.isEmpty)
    try bench.come(100)
    try bench.step(.arrived(letter))
    try bench.come(0)
    #expect(bench.delivered == [letter.key])
  }

  @Test("a letter to everybody is not delivered to its writer") func echo() throws {
    var bench = Bench()
    try bench.come(0)
    try bench.step(.arrived(Bench.letter(from: Bench.anna, to: .everybody)))
    #expect(bench.delivered.isEmpty && bench.stored.isEmpty && bench.refused.isEmpty)
  }

  @Test("only letters in the box of 20 km affect the required position accuracy")
  func distance() throws {
    var bench = Bench()
    for (number, east) in [(1, 9000.0), (2, 11_000), (3, -500)] {
      try bench.step(
        .arrived(Bench.letter(number, at: .circle(Bench.circle(Metres(east), radius: 100)))))
    }
    let circles = bench.inbox.circles(around: Bench.home)
    #expect(circles.map(\.centre) == [Bench.circle(-500).centre, Bench.circle(9000).centre])
    try bench.come(-500)
    #expect(bench.inbox.circles(around: Bench.home).map(\.centre) == [Bench.circle(9000).centre])
    #expect(bench.inbox.circles(around: Bench.position(100_000)) == [])
  }

  @Test("a blocked person leaves no letters, and is not informed of that") func blocked() throws {
    var bench = Bench()
    var contacts = Contacts(welcome: .everybody)
    try contacts.block(Bench.mallory)
    try bench.step(.contacts(contacts))
    let letter = Bench.letter(from: Bench.mallory)
    try bench.step(.arrived(letter))
    try bench.step(.arrived(letter))
    try bench.come(0)
    #expect(bench.refused.map(\.reason) == [.blocked], "once, however often it comes")
    #expect(bench.delivered.isEmpty && bench.receipts.isEmpty)
    // The letter arrives again after unblocking.
    try bench.step(.contacts(Contacts(welcome: .everybody)))
    try bench.step(.arrived(letter))
    try bench.come(0)
    #expect(bench.delivered == [letter.key])
  }

  @Test("with contacts only, the waiting letters of unknown people are dropped as well")
  func strangers() throws {
    var bench = Bench()
    try bench.step(.arrived(Bench.letter(1)))
    try bench.step(.arrived(Bench.letter(2, from: Bench.carl)))
    var contacts = Contacts(welcome: .contacts)
    try contacts.add("Carl", Bench.carl)
    try bench.step(.contacts(contacts))
    #expect(bench.refused == [Bench.Refusal(Bench.letter(1).key, .unknownSender)])
    try bench.step(.contacts(Contacts(welcome: .nobody)))
    #expect(bench.refused.last?.reason == .closed)
    try bench.step(.arrived(Bench.letter(3, from: Bench.anna)))
    try bench.come(0)
    #expect(bench.delivered.map(\.from) == [Bench.anna], "a note to oneself")
    #expect(bench.receipts.isEmpty)
  }

  @Test("an expired letter is not delivered, and its sender gets a report") func expired() throws {
    var bench = Bench()
    try bench.step(.arrived(Bench.letter(expires: Bench.date + 100)))
    let wake = try #require(bench.wake)
    #expect((wake.seconds - 100).magnitude < 0.01)
    bench.now = 98
    try bench.step(.timePassed)
    #expect(bench.receipts.isEmpty)
    try bench.come(0)
    #expect(bench.receipts.map(\.outcome) == [.expired] && bench.delivered.isEmpty)
    #expect(bench.wake == nil)
    try bench.step(.arrived(Bench.letter(expires: Bench.date + 100)))
    #expect(bench.receipts.count == 1)
  }

  @Test("while the date is unknown nothing expires") func undated() throws {
    var bench = Bench()
    bench.hasDate = false
    try bench.step(.arrived(Bench.letter(written: nil, expires: Bench.date - 100)))
    #expect(bench.wake == nil && bench.receipts.isEmpty)
    bench.hasDate = true
    try bench.step(.timePassed)
    #expect(bench.receipts.map(\.outcome) == [.expired])
  }

  @Test("a letter from a clock in 1970 has no date, but is delivered") func clock1970() throws {
    let letter = Bench.letter(
      written: UTCInstant(seconds: 192), expires: UTCInstant(seconds: 86_592))
    #expect(letter.written == nil && letter.expires == nil)
    var bench = Bench()
    try bench.step(.arrived(letter))
    try bench.come(0)
    #expect(bench.delivered == [letter.key])
    // The same holds on a board whose own clock is there.
    var early = LetterInbox(for: Bench.anna, contacts: Bench.contacts())
    var step = MessagingStep(at: .boot(1), date: UTCInstant(seconds: 30), hasBroker: true)
    early.step(.arrived(Bench.letter(expires: Bench.date + 1)), &step)
    #expect(early.records.map(\.status) == [.waiting])
  }

  @Test("a withdrawn letter is not delivered, and a delivered one cannot be withdrawn")
  func withdrawn() throws {
    var bench = Bench()
    for number in 1...3 { try bench.step(.arrived(Bench.letter(number))) }
    try bench.step(.withdrawn(LetterWithdrawal(Bench.letter(1).key)))
    // Only the writer can withdraw a letter.
    try bench.step(.withdrawn(LetterWithdrawal(LetterKey(Bench.id(2), from: Bench.mallory))))
    // The withdrawal may arrive before the letter.
    try bench.step(.withdrawn(LetterWithdrawal(Bench.letter(4).key)))
    try bench.step(.arrived(Bench.letter(4)))
    try bench.come(0)
    #expect(bench.delivered == [Bench.letter(2).key, Bench.letter(3).key])
    try bench.step(.withdrawn(LetterWithdrawal(Bench.letter(2).key)))
    #expect(bench.inbox.records.first { $0.key == Bench.letter(2).key }?.status == .delivered)
  }

  @Test("a letter delivered by this person's other board is not delivered again") func otherBoard()
    throws
  {
    var bench = Bench()
    try bench.step(.arrived(Bench.letter(1)))
    for number in 1...2 {
      let receipt = try LetterReceipt(
        letter: Bench.id(number), to: Bench.ben, by: Bench.anna, .delivered, at: nil)
      try bench.step(.receipt(receipt))
    }
    let foreign = try LetterReceipt(
      letter: Bench.id(3), to: Bench.ben, by: Bench.carl, .delivered, at: nil)
    try bench.step(.receipt(foreign))
    for number in 1...3 { try bench.step(.arrived(Bench.letter(number))) }
    try bench.come(0)
    #expect(bench.delivered == [Bench.letter(3).key])
  }

  @Test("an answer marks the letter as read, and goes to its writer") func answer() throws {
    var bench = Bench()
    let letter = Bench.letter()
    try bench.step(.arrived(letter))
    try bench.come(0)
    let answer = try letter.answer(
      id: Bench.id(9), from: Bench.anna, written: Bench.date, text: "Thank you!")
    #expect(answer.to == .people([Bench.ben]) && answer.answers == letter.id)
    #expect(answer.spot == letter.spot)
    thrown(MessageError.self) {
      try letter.answer(id: Bench.id(9), from: Bench.carl, written: nil, text: "Me, too!")
    }
    try bench.step(.answered(letter.key))
    #expect(bench.inbox.records.map(\.status) == [.read])
    // The letter can be read again.
    #expect(bench.inbox.records.map(\.letter) == [letter])
    var writer = Bench(for: Bench.ben)
    try writer.step(.arrived(answer))
    try writer.come(0)
    #expect(writer.delivered == [answer.key])
  }

  @Test("of the read letters the latest are kept for answering") func kept() throws {
    var bench = Bench()
    for number in 0..<MessagingLimits.readLetters + 5 {
      try bench.step(.arrived(Bench.letter(number)))
      try bench.come(0)
      try bench.step(.read(Bench.letter(number).key))
    }
    let kept = bench.inbox.records.filter { $0.letter != nil }
    #expect(bench.inbox.records.allSatisfy { $0.status == .read })
    #expect(kept.count == MessagingLimits.readLetters && kept.first?.key == Bench.letter(5).key)
    try bench.step(.arrived(Bench.letter(0)))
    #expect(bench.delivered.count == MessagingLimits.readLetters + 5)
  }

  @Test("no sender fills the cache for others, and a full cache is reported") func full() throws {
    var contacts = Bench.contacts()
    for name in ["ben", "p0", "p1", "p2", "p3"] { try contacts.add(name, try PersonAddress(name)) }
    var bench = Bench(contacts: contacts)
    for number in 0..<65 { try bench.step(.arrived(Bench.letter(number))) }
    #expect(bench.refused.map(\.reason) == [.tooManyOfSender])
    #expect(bench.receipts.map(\.outcome) == [.refused])
    for sender in 0..<4 {
      for number in 0..<64 {
        try bench.step(
          .arrived(Bench.letter(number, from: try PersonAddress("p\(sender)"))))
      }
    }
    #expect(bench.inbox.records.count { $0.status == .waiting } == MessagingLimits.letters)
    #expect(bench.refused.last?.reason == .noRoom)
    // When some are collected, it arrives again and finds room.
    try bench.come(0)
    try bench.come(500)
    try bench.step(.arrived(Bench.letter(64)))
    try bench.come(0)
    #expect(bench.delivered.last == Bench.letter(64).key)
  }

  @Test("a flood neither enlarges the inbox nor erases its record of deliveries") func flood()
    throws
  {
    var bench = Bench()
    try bench.step(.arrived(Bench.letter()))
    try bench.come(0)
    for number in 0..<1200 {
      try bench.step(
        .withdrawn(LetterWithdrawal(LetterKey(Bench.id(number), from: Bench.mallory))))
    }
    #expect(bench.stored.count < 600)
    try bench.step(.arrived(Bench.letter()))
    #expect(bench.delivered.count == 1)
  }
}
