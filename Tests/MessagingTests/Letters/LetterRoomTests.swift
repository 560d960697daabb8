import Core
import Records
import TestSupport
import Testing

@testable import Messaging

/// Everybody may leave letters: contacts keep their room, whatever unknown people send.
@Suite struct LetterRoomTests {
  private typealias Bench = LetterBench

  private static func contacts() throws -> Contacts {
    var contacts = Contacts(welcome: .everybody)
    try contacts.add("Ben", Bench.ben)
    try contacts.add("Carl", Bench.carl)
    return contacts
  }

  private static func unknownSenders(_ count: Int) throws -> [PersonAddress] {
    try (0..<count).map { try PersonAddress("stranger\($0)") }
  }

  private static func waiting(_ bench: Bench) -> [PersonAddress: Int] {
    let letters = bench.inbox.records.filter { $0.status == .waiting }
    return Dictionary(grouping: letters, by: \.key.from).mapValues(\.count)
  }

  private static let seeds = 1...3 as ClosedRange<UInt64>

  @Test(
    "in any order of arrival contacts' letters wait, and unknown people's share the rest",
    arguments: seeds)
  func orders(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let senders = try Self.unknownSenders(7)
    var letters =
      (0..<64).map { Bench.letter($0) } + (0..<64).map { Bench.letter($0, from: Bench.carl) }
    for sender in senders {
      let isPublic = random.next() % 2 == 0
      letters += (0..<64).map {
        Bench.letter($0, from: sender, to: isPublic ? .everybody : .people([Bench.anna]))
      }
    }
    letters.shuffle(using: &random)
    var bench = Bench(contacts: try Self.contacts())
    for letter in letters {
      try bench.step(.arrived(letter))
      let count = Self.waiting(bench).filter { senders.contains($0.key) }.values.reduce(0, +)
      #expect(count <= MessagingLimits.lettersOfUnknown)
    }
    let waiting = Self.waiting(bench)
    #expect(waiting[Bench.ben] == 64 && waiting[Bench.carl] == 64)
    #expect(senders.allSatisfy { (17...20).contains(waiting[$0] ?? 0) }, "\(waiting)")
    // Dropped letters arrive again from the broker, and displace no others.
    let before = bench.inbox.records
    for letter in letters { try bench.step(.arrived(letter)) }
    #expect(bench.inbox.records == before)
    try bench.come(0)
    #expect(bench.delivered.count { $0.from == Bench.ben || $0.from == Bench.carl } == 128)
  }

  @Test("the sender of the most letters loses the oldest first") func oldest() throws {
    let senders = try Self.unknownSenders(3)
    var bench = Bench(contacts: try Self.contacts())
    for sender in senders.prefix(2) {
      for number in 0..<64 { try bench.step(.arrived(Bench.letter(number, from: sender))) }
    }
    #expect(bench.refused.isEmpty)
    try bench.step(.arrived(Bench.letter(1, from: senders[2])))
    #expect(bench.refused.map(\.letter) == [Bench.letter(0, from: senders[0]).key])
    #expect(bench.receipts.map(\.to) == [senders[0]], "its writer is told")
    #expect(Self.waiting(bench)[senders[2]] == 1)
  }

  @Test("a contact's letters stay readable, however many unknown people's letters are delivered")
  func unread() throws {
    var bench = Bench(contacts: try Self.contacts())
    try bench.step(.arrived(Bench.letter(0)))
    try bench.come(0)
    for sender in try Self.unknownSenders(6) {
      for number in 0..<64 { try bench.step(.arrived(Bench.letter(number, from: sender))) }
      try bench.come(0)
    }
    let kept = bench.inbox.records.filter { $0.letter != nil }
    #expect(kept.contains { $0.key.from == Bench.ben })
    #expect(kept.count == 1 + MessagingLimits.lettersOfUnknown)
  }

  @Test("unknown people's letterboxes leave room for those of contacts, and one's own") func boxes()
    throws
  {
    var bench = Bench(contacts: try Self.contacts())
    func box(_ number: Int, _ owner: PersonAddress) throws -> Letterbox {
      try Letterbox(
        id: Bench.id(number), owner: owner, name: "Box", for: .everybody, at: Bench.circle())
    }
    for (index, sender) in try Self.unknownSenders(64).enumerated() {
      try bench.step(.box(try box(index, sender)))
    }
    #expect(bench.storedBoxes.count == MessagingLimits.boxesOfUnknown)
    for number in 100..<132 { try bench.step(.box(try box(number, Bench.ben))) }
    for number in 200..<216 { try bench.step(.box(try box(number, Bench.carl))) }
    for number in 300..<316 { try bench.step(.box(try box(number, Bench.anna))) }
    #expect(bench.storedBoxes.count == MessagingLimits.boxesOfUnknown + MessagingLimits.boxes)
  }

  @Test("when little room for receipts is left, it is for contacts") func receipts() throws {
    var inbox = LetterInbox(for: Bench.anna, contacts: try Self.contacts())
    let sender = try Self.unknownSenders(1)[0]
    // So many receipts are queued that the remaining room is reserved for contacts.
    var full = PublicationQueue()
    var result = MessagingResult()
    while full.roomForReceipts > MessagingLimits.receiptsForContacts {
      let receipt = try LetterReceipt(
        letter: Bench.id(full.count), to: Bench.carl, by: Bench.anna, .delivered, at: nil)
      full.publish(Publication(receipt), &result)
    }
    func step(_ event: LetterEvent, at time: Double) -> [LetterKey] {
      var step = MessagingStep(
        at: .boot(time), date: Bench.date + Seconds(time), hasBroker: true, full)
      inbox.step(event, &step)
      return step.result.notifications.compactMap {
        if case .delivered(let letter) = $0 { letter.key } else { nil }
      }
    }
    let letters = [Bench.letter(1), Bench.letter(2, from: sender)]
    for letter in letters { _ = step(.arrived(letter), at: 1) }
    let here = Location(time: Bench.date, position: Bench.home, accuracy: 5)
    #expect(step(.located(here), at: 2) == [letters[0].key])
  }
}
