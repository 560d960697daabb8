import Messaging
import PeopleExperiment
import Testing

/// Blocking a person some of whose data is already here.
@Suite struct BlockedPeopleTests {
  private let world = PeopleWorld()

  /// Anna's board, which knows a letterbox, a group and a meeting of Ben's.
  private func anna(joins: Bool) -> VirtualBoard {
    let (anna, ben) = (world.person(People.anna), world.person(People.ben))
    world.pass(60)
    ben.does(.box(People.box(at: 3000)))
    ben.does(.guided(People.group(guide: People.ben)))
    ben.does(.organized(People.meeting(starts: 0)))
    world.pass(120)
    if joins {
      anna.does(.joined(People.group))
      anna.does(.joined(People.meeting))
      world.pass(120)
    }
    return anna
  }

  private func block(at board: VirtualBoard) throws {
    var contacts = People.contacts()
    try contacts.block(People.ben)
    #expect(board.does(.contacts(contacts)).isEmpty)
  }

  private func isEmpty(_ board: VirtualBoard) -> Bool {
    board.messaging.letterboxes.isEmpty && board.messaging.groupStates.isEmpty
      && board.messaging.meetingRecords.isEmpty && board.disk.count(.letterbox) == 0
      && board.disk.count(.group) == 0 && board.disk.count(.meeting) == 0
  }

  @Test("nothing of a blocked person is kept, and nothing is accepted again")
  func blocked() throws {
    let anna = anna(joins: false)
    #expect(anna.messaging.letterboxes.count == 1 && anna.messaging.groupStates.count == 1)
    #expect(anna.messaging.meetingRecords.count == 1)
    try block(at: anna)
    #expect(isEmpty(anna) && anna.messaging.pending.isEmpty)
    anna.isKilled()
    world.pass(600)
    #expect(isEmpty(anna) && anna.isAsStored && anna.messaging.wantedAccuracy == nil)
  }

  @Test("the joined groups and meetings are left, and none is waited for")
  func joined() throws {
    let anna = anna(joins: true)
    let ben = try #require(world.boards.first { $0.me == People.ben })
    #expect(ben.messaging.meetingRecords.first?.attendees == [People.anna])
    #expect(ben.messaging.groupStates.first?.members.map(\.person) == [People.anna])
    try block(at: anna)
    #expect(isEmpty(anna))
    world.pass(120)
    #expect(ben.messaging.meetingRecords.first?.attendees == [])
    #expect(ben.messaging.groupStates.first?.members.isEmpty == true)
    #expect(world.topics("godwit-group-positions/\(People.group)/anna").isEmpty)
    #expect(isEmpty(anna) && anna.isAsStored && anna.messaging.pending.isEmpty)
    // An unblocked person is found again.
    anna.does(.contacts(People.contacts()))
    anna.isKilled()
    world.pass(120)
    #expect(anna.messaging.groupStates.count == 1 && !anna.isInGroup)
    #expect(anna.messaging.meetingRecords.count == 1 && anna.messaging.letterboxes.count == 1)
  }
}
