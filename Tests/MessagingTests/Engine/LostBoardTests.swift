import Messaging
import Core
import PeopleExperiment
import Testing

/// "Users will be able to restore their messages and other content when losing or switching their
/// device" (Landsmann 2013, 4.4.1): a new board with the address of a lost one and an empty disk
/// gets the still valid content from the broker.
@Suite struct LostBoardTests {
  private let world = PeopleWorld()

  @Test(
    "the owner's letters are restored: receipts arrive, and the letters can be withdrawn"
  )
  func letters() {
    let lost = world.person(People.ben, at: 5000)
    let anna = world.person(People.anna, at: 1000)
    let carl = world.person(People.carl, at: 1000)
    lost.does(.wrote(People.letter(1, to: .people([People.anna, People.carl]))))
    lost.does(.wrote(People.letter(2, at: .circle(People.circle(2000)))))
    lost.does(.wrote(People.letter(3, to: .everybody)))
    lost.does(.wrote(People.letter(4, at: .circle(People.circle(9000)), expires: 7200)))
    world.pass(60)
    lost.isOn = false
    carl.goes(to: 0)
    world.pass(60)
    let ben = world.person(People.ben, at: 5000)
    world.pass(60)
    #expect(ben.published.map(\.letter.id) == [1, 2, 3, 4].map { People.id($0) })
    #expect(ben.receipts.map(\.by) == [People.carl], "what the lost board was not told")
    #expect(ben.refusals.isEmpty && ben.messaging.letterRecords.isEmpty)
    #expect(ben.does(.withdrew(People.id(2))).isEmpty)
    anna.goes(to: 0)
    world.pass(60)
    anna.goes(to: 2000)
    world.pass(60)
    #expect(anna.delivered == [People.id(1)] && anna.standing(2) == .withdrawn)
    #expect(ben.receipts.map(\.by) == [People.carl, People.anna])
    world.pass(7200)
    #expect(world.topics("godwit-letters").isEmpty, "the one that is over was taken away, too")
    #expect(ben.published.map(\.letter.id) == [People.id(3)])
    ben.does(.withdrew(People.id(3)))
    world.pass(60)
    #expect(world.topics("godwit-area-letters").isEmpty && ben.published.isEmpty)
    #expect(ben.isAsStored)
  }

  @Test("two boards of one person know each other's letters, and nothing is duplicated") func two()
  {
    let first = world.person(People.ben, at: 5000)
    let second = world.person(People.ben, at: 5000)
    let anna = world.person(People.anna, at: 1000)
    first.does(.wrote(People.letter(1)))
    second.does(.wrote(People.letter(2, at: .circle(People.circle(1000)))))
    first.does(.wrote(People.letter(3, from: People.ben, to: .people([People.ben, People.anna]))))
    world.pass(60)
    #expect(first.published == second.published && first.published.count == 2)
    #expect(anna.delivered == [People.id(2)])
    second.does(.withdrew(People.id(1)))
    world.pass(60)
    #expect(first.published.map(\.letter.id) == [People.id(3)])
    for board in [first, second] { board.isKilled() }
    anna.goes(to: 0)
    first.goes(to: 0)
    world.pass(120)
    #expect(anna.delivered == [People.id(2), People.id(3)] && first.delivered == [People.id(3)])
    for board in [first, second] {
      #expect(board.published.isEmpty && board.messaging.pending.isEmpty && board.isAsStored)
    }
    #expect(second.standing(3) == .delivered && second.delivered.isEmpty)
    #expect(world.topics("godwit-letters").isEmpty)
  }

  @Test("a guide's group is restored with its members: it continues, changes and ends")
  func groups() {
    let lost = world.person(People.anna)
    let ben = world.person(People.ben)
    lost.does(.guided(People.group(range: 300)))
    world.pass(60)
    ben.does(.joined(People.group))
    world.pass(60)
    lost.does(.guided(People.group(revision: 2, range: 400)))
    world.pass(60)
    lost.isOn = false
    // Fifty kilometres away, without anything of the group nearby.
    let anna = world.person(People.anna, at: 50_000)
    world.pass(60)
    let group = anna.messaging.groupStates.first
    #expect(group?.group.revision == 2 && group?.group.range == 400)
    #expect(group?.members.map(\.person) == [People.ben])
    #expect(anna.does(.guided(People.group(revision: 3, range: 500))).isEmpty)
    world.pass(60)
    let areas = Set(
      world.topics("godwit-area-groups").compactMap { $0.split(separator: "/").dropFirst().first })
    #expect(!areas.contains("\(TopicArea(of: PeopleWorld.place(0)))"), "it has gone from there")
    #expect(!areas.isEmpty)
    anna.does(
      .guided(People.group(revision: 4, range: 500, ends: Seconds(world.now) + 60)))
    world.pass(180)
    #expect(!ben.isInGroup && anna.messaging.groupStates.isEmpty && anna.isAsStored)
    #expect(world.topics("godwit-groups").isEmpty && world.topics("godwit-area-groups").isEmpty)
  }

  @Test("a meeting that has not begun is restored, and was not visible to others before")
  func meetings() {
    let lost = world.person(People.ben)
    let anna = world.person(People.anna)
    lost.does(.organized(People.meeting()))
    lost.does(.organized(People.meeting(revision: 2, spot: 30)))
    world.pass(60)
    #expect(anna.messaging.meetingRecords.isEmpty)
    lost.isOn = false
    let ben = world.person(People.ben)
    world.pass(60)
    #expect(ben.messaging.meetingRecords.map(\.meeting) == [People.meeting(revision: 2, spot: 30)])
    world.pass(3600)
    #expect(anna.meetingNews == [.meetingAppeared(People.meeting(revision: 2, spot: 30))])
    anna.does(.joined(People.meeting))
    world.pass(60)
    #expect(ben.messaging.meetingRecords[0].attendees == [People.anna])
    // The board is lost again during the meeting.
    ben.isOn = false
    let last = world.person(People.ben)
    world.pass(60)
    #expect(last.messaging.meetingRecords.first?.attendees == [People.anna])
    last.does(.organized(People.meeting(revision: 3, spot: 30, isCancelled: true)))
    world.pass(60)
    #expect(
      anna.meetingNews.last
        == .meetingOver(People.meeting(revision: 3, spot: 30, isCancelled: true), .cancelled))
    world.pass(10_800)
    #expect(world.topics("godwit-meetings").isEmpty)
    #expect(world.topics("godwit-area-meetings").isEmpty && last.isAsStored)
  }

  @Test(
    "a meeting cancelled before it began is not held by the organizer's other board")
  func cancelled() {
    let first = world.person(People.ben)
    let second = world.person(People.ben)
    let anna = world.person(People.anna)
    first.does(.organized(People.meeting()))
    world.pass(60)
    second.isOn = false
    first.does(.organized(People.meeting(revision: 2, isCancelled: true)))
    world.pass(60)
    second.isOn = true
    world.pass(4000)
    #expect(anna.meetingNews.isEmpty && anna.messaging.meetingRecords.isEmpty)
    world.pass(10_800)
    #expect(world.topics("godwit-meetings").isEmpty)
  }

  @Test("a group or meeting in the owner's topic is accepted only from its owner")
  func others() {
    let anna = world.person(People.anna)
    let group = People.group(guide: People.ben, allowed: .people([People.carl]))
    world.broker.inject(
      "godwit-groups/anna/ben/\(group.id)", PeerMessage.group(group).bytes, at: world.now)
    let meeting = People.meeting(by: People.mallory)
    world.broker.inject(
      "godwit-meetings/ben/ben/\(meeting.id)", PeerMessage.meeting(meeting).bytes, at: world.now)
    world.pass(60)
    #expect(anna.messaging.groupStates.isEmpty && anna.refusals.count == 1)
  }
}
