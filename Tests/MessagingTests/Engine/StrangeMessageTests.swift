import Messaging
import Core
import PeopleExperiment
import TestSupport
import Testing

/// Invalid and spoofed messages.
@Suite struct StrangeMessageTests {
  private let world = PeopleWorld()

  private static func topic(
    _ kind: String = "godwit-letters", _ addressee: String = "anna", _ sender: String = "ben",
    _ number: Int = 1
  ) -> String { "\(kind)/\(addressee)/\(sender)/\(People.id(number))" }

  private static func bytes(_ letter: Letter) -> [UInt8] { PeerMessage.letter(letter).bytes }

  /// Anna with a waiting letter, a box, a group that she is in, and a meeting that she joined.
  private func anna() -> VirtualBoard {
    let anna = world.person(People.anna, welcome: .everybody)
    let ben = world.person(People.ben)
    world.pass(60)
    ben.does(.wrote(People.letter(1, at: .circle(People.circle(3000)))))
    ben.does(.box(People.box(at: 3000)))
    ben.does(.guided(People.group(guide: People.ben)))
    ben.does(.organized(People.meeting(starts: 0, ends: 20_000)))
    world.pass(120)
    anna.does(.joined(People.group))
    anna.does(.joined(People.meeting))
    world.pass(120)
    ben.isOn = false
    return anna
  }

  @Test("an invalid message is refused with a reason, and changes nothing") func malformed() {
    let anna = anna()
    let (before, disk) = (anna.refusals.count, anna.disk.items)
    let payloads: [[UInt8]] = [
      Array("{".utf8), Array("no JSON".utf8), [0xFF, 0xFE], Array("{}".utf8), Array("[]".utf8),
      Array("{\"type\":\"letter\",\"version\":1}".utf8),
      Array("{\"type\":\"letter\",\"version\":2}".utf8), Array(repeating: 0x20, count: 100_000),
    ]
    let topics = [
      Self.topic(), Self.topic("godwit-letterboxes"), Self.topic("godwit-letter-receipts"),
      Self.topic("godwit-groups"), Self.topic("godwit-meetings"), Self.topic("godwit-attendance"),
      "godwit-group-positions/\(People.group)/ben", "godwit-letters/anna", "other/topic", "",
      "godwit-letters/anna/Ben/\(People.id(1))", "godwit-letters/anna/ben/no-id",
    ]
    for topic in topics {
      for payload in payloads { anna.does(.arrived(topic: topic, payload: payload)) }
    }
    #expect(anna.refusals.count == before + topics.count * payloads.count)
    #expect(anna.refusals.allSatisfy { !$0.description.isEmpty })
    #expect(anna.disk.items == disk)
  }

  @Test("a letter with a wrong sender, recipient or id for its topic is refused")
  func spoofedLetters() {
    let anna = anna()
    let letter = Self.bytes(People.letter(2))
    for topic in [
      Self.topic("godwit-letters", "anna", "mallory", 2),
      Self.topic("godwit-letters", "carl", "ben", 2),
      Self.topic("godwit-letters", "anna", "ben", 3),
      Self.topic("godwit-letterboxes", "anna", "ben", 2),
    ] {
      #expect(anna.does(.arrived(topic: topic, payload: letter)).count == 1)
    }
    // A letter for others is not kept, whatever its source.
    let other = People.letter(2, to: .people([People.carl]))
    #expect(anna.does(.imported(.letter(other))).count == 1)
    world.pass(60)
    #expect(anna.delivered.isEmpty && anna.messaging.letterRecords.count { $0.letter != nil } == 1)
  }

  @Test("a foreign letter can neither be withdrawn nor kept out by one with the same id")
  func spoofedWithdrawals() {
    let anna = anna()
    anna.does(.arrived(topic: Self.topic("godwit-letters", "anna", "mallory"), payload: []))
    let same = People.letter(1, from: People.mallory, at: .circle(People.circle(3000)))
    anna.does(
      .arrived(
        topic: Self.topic("godwit-letters", "anna", "mallory", 1), payload: Self.bytes(same)))
    anna.goes(to: 3000)
    world.pass(60)
    #expect(anna.delivered.count { $0 == People.id(1) } >= 1)
    #expect(
      anna.news.contains {
        if case .delivered(let letter) = $0 { letter.from == People.ben } else { false }
      })
  }

  @Test("an answer marks its letter as read, and no other one of the same id")
  func answered() throws {
    let anna = world.person(People.anna, welcome: .everybody)
    let ben = world.person(People.ben, at: 5000)
    let mallory = world.person(People.mallory, at: 5000)
    mallory.does(.wrote(People.letter(from: People.mallory)))
    world.pass(60)
    ben.does(.wrote(People.letter()))
    world.pass(60)
    #expect(anna.delivered.count == 2)
    let answer = try People.letter().answer(
      id: People.id(2), from: People.anna, written: anna.date, text: "Thank you.")
    anna.does(.wrote(answer))
    let standings = anna.messaging.letterRecords.map { "\($0.key.from) \($0.status)" }
    #expect(standings == ["mallory delivered", "ben read"])
  }

  @Test("foreign boxes, groups and meetings cannot be changed or removed")
  func spoofedOthers() throws {
    let anna = anna()
    let known = (
      anna.messaging.letterboxes, anna.messaging.groupStates, anna.messaging.meetingRecords
    )
    let box = People.box(owner: People.mallory, revision: 9, at: 100)
    let group = People.group(revision: 9, guide: People.mallory)
    let meeting = People.meeting(revision: 9, by: People.mallory, starts: 0)
    let area = try #require(
      anna.messaging.subscriptions(around: PeopleWorld.place(0)).first {
        $0.hasPrefix("godwit-area-groups/")
      }?.split(separator: "/")[1])
    let meetingArea = try #require(meeting.region.areas.first)
    let deeds: [MessagingEvent] = [
      .arrived(
        topic: Self.topic("godwit-letterboxes", "anna", "mallory", 500),
        payload: PeerMessage.box(box).bytes),
      .arrived(
        topic: "godwit-area-groups/\(area)/mallory/\(People.group)",
        payload: PeerMessage.group(group).bytes),
      .arrived(
        topic: "godwit-area-meetings/\(meetingArea)/mallory/\(People.meeting)",
        payload: PeerMessage.meeting(meeting).bytes),
    ]
    for action in deeds { #expect(anna.does(action).count == 1) }
    for kind in ["godwit-letterboxes/anna", "godwit-groups/anna", "godwit-meetings/anna"] {
      for number in [500, 700, 800] {
        anna.does(.arrived(topic: "\(kind)/mallory/\(People.id(number))", payload: []))
      }
    }
    anna.does(.arrived(topic: "godwit-area-groups/\(area)/mallory/\(People.group)", payload: []))
    #expect(anna.messaging.letterboxes == known.0 && anna.messaging.groupStates == known.1)
    #expect(anna.messaging.meetingRecords == known.2 && anna.isInGroup)
  }

  @Test("joining, leaving, ending and moving in another's name are refused")
  func spoofedAttendance() throws {
    let anna = anna()
    let known = anna.messaging.groupStates
    for person in [People.anna, People.ben] {
      let leave = MembershipChange(.leave, .group, People.group, person: person, at: world.date)
      let topic = "godwit-attendance/ben/mallory/\(People.group)"
      #expect(
        anna.does(.arrived(topic: topic, payload: PeerMessage.attendance(leave).bytes)).count == 1)
    }
    let position = try GroupPosition(
      PeopleWorld.place(9000), accuracy: 5, at: world.date, of: People.ben, in: People.group)
    let bytes = PeerMessage.position(position).bytes
    for topic in [
      "godwit-group-positions/\(People.group)/mallory",
      "godwit-group-positions/\(People.id(9))/ben",
    ] {
      #expect(anna.does(.arrived(topic: topic, payload: bytes)).count == 1)
    }
    // An unknown person is not in the group, but may join it in their own name.
    let own = try GroupPosition(
      PeopleWorld.place(9000), accuracy: 5, at: world.date, of: People.mallory, in: People.group)
    #expect(
      anna.does(
        .arrived(
          topic: MessageTopic.topic(of: own), payload: PeerMessage.position(own).bytes)
      ).isEmpty)
    #expect(anna.messaging.groupStates == known && anna.isInGroup)
  }

  @Test("a receipt from a person who is not a recipient changes nothing") func spoofedReceipt()
    throws
  {
    let ben = world.person(People.ben, at: 5000)
    ben.does(.wrote(People.letter()))
    world.pass(60)
    let receipt = try LetterReceipt(
      letter: People.id(1), to: People.ben, by: People.mallory, .delivered, at: nil)
    ben.does(
      .arrived(
        topic: MessageTopic.topic(of: receipt), payload: PeerMessage.receipt(receipt).bytes))
    world.pass(60)
    #expect(ben.receipts.isEmpty && world.topics("godwit-letters").count == 1)
  }

  @Test("a letter without recipients is refused, and one in another's name is not sent")
  func nobody() throws {
    #expect(throws: MessageError.self) {
      try Letter(
        id: People.id(1), from: People.ben, to: .people([]), at: .circle(People.circle()),
        written: nil, text: "Hello")
    }
    let ben = world.person(People.ben)
    #expect(ben.does(.wrote(People.letter(from: People.anna))).count == 1)
    #expect(ben.does(.wrote(People.letter())).isEmpty)
    #expect(ben.does(.wrote(People.letter())).count == 1, "of that id there is one")
    #expect(ben.published.count == 1)
  }

  @Test("no refusal contains terminal control characters") func terminal() {
    let anna = world.person(People.anna)
    let refusals = anna.does(.arrived(topic: "godwit-letters/\u{1B}[2J/x/y", payload: [1]))
    #expect(refusals.count == 1)
    #expect(!refusals[0].description.unicodeScalars.contains("\u{1B}"))
  }

  @Test("any bytes leave the board working", arguments: 1...4 as ClosedRange<UInt64>)
  func anyBytes(seed: UInt64) {
    var chance = SplitMix(seed: seed)
    let anna = anna()
    let topics = world.broker.topics(at: world.now)
    let news = anna.news.count
    for _ in 0..<300 {
      let topic = topics.randomElement(using: &chance) ?? ""
      var payload = world.broker.payload(topic) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &chance) where !payload.isEmpty {
        let index = Int.random(in: 0..<payload.count, using: &chance)
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: payload[index] = UInt8.random(in: 0...255, using: &chance)
        case 1: payload.removeLast(payload.count - index)
        default: payload.insert(UInt8.random(in: 0x20...0x7E, using: &chance), at: index)
        }
      }
      guard !payload.isEmpty else { continue }
      anna.does(.arrived(topic: topic, payload: payload))
    }
    #expect(anna.isAsStored && anna.news.count >= news)
  }
}
