import Messaging
import PeopleExperiment
import Core
import Testing

/// "A service provides a way to communicate meeting details with others nearby" (Chughtai 2015,
/// 4.3.1).
@Suite struct MeetingScenarioTests {
  private let world = PeopleWorld()

  private func isSeen(_ board: VirtualBoard) -> Bool {
    board.messaging.visibleMeetings(at: world.date).contains { $0.id == People.meeting }
  }

  private func pass(to second: Double) { world.pass(second - world.now) }

  @Test("an open meeting is found in its region at its time, and not before") func found() {
    let anna = world.person(People.anna, at: 100)
    let ben = world.person(People.ben, at: 5000)
    let carl = world.person(People.carl, at: 2000)
    #expect(ben.does(.organized(People.meeting())).isEmpty)
    pass(to: 3590)
    #expect(world.topics("godwit-area-meetings").isEmpty && anna.messaging.meetingRecords.isEmpty)
    pass(to: 3660)
    #expect(isSeen(anna) && anna.meetingNews == [.meetingAppeared(People.meeting())])
    #expect(anna.disk.notices.map(\.text) == ["ben holds a meeting nearby: Festival"])
    #expect(!isSeen(carl) && carl.news.isEmpty)
    // The board's position is monitored where its arrival would be reported.
    #expect(carl.messaging.targets(around: PeopleWorld.place(2000), date: world.date).count == 1)
    carl.goes(to: 300, taking: 600)
    pass(to: 5000)
    #expect(isSeen(carl) && carl.meetingNews.count == 1 && anna.meetingNews.count == 1)
    pass(to: 11_000)
    #expect(!isSeen(anna) && !isSeen(carl) && !isSeen(ben))
    #expect(world.topics("godwit-area-meetings").isEmpty)
    #expect(anna.meetingNews.count == 1, "who has not joined need not know that it is over")
  }

  @Test("a private meeting is shown only to invited people") func invited() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    let carl = world.person(People.carl)
    ben.does(.organized(People.meeting(invited: .people([People.anna]))))
    pass(to: 3700)
    #expect(isSeen(anna) && !isSeen(carl) && carl.messaging.meetingRecords.isEmpty)
    // Another person is invited, and the first one no longer.
    anna.does(.joined(People.meeting))
    ben.does(.organized(People.meeting(revision: 2, invited: .people([People.carl]))))
    pass(to: 3800)
    #expect(!isSeen(anna) && isSeen(carl))
    #expect(anna.meetingNews.count == 2, "that it was seen, and that it is over")
  }

  @Test("an attendee gets every change, and the position of the meeting") func changed() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    let carl = world.person(People.carl)
    ben.does(.organized(People.meeting()))
    pass(to: 3700)
    #expect(anna.does(.joined(People.meeting)).isEmpty)
    pass(to: 3800)
    #expect(ben.messaging.meetingRecords.first?.attendees == [People.anna])
    #expect(ben.meetingNews.count == 1 && ben.disk.notices.isEmpty)
    // An attendee still sees the meeting from outside its region.
    anna.goes(to: 3000)
    ben.does(.organized(People.meeting(revision: 2, spot: 200)))
    pass(to: 3900)
    #expect(isSeen(anna))
    #expect(
      anna.meetingNews.last == .meetingChanged(People.meeting(revision: 2, spot: 200), [.spot]))
    #expect(carl.meetingNews.count == 1, "who has not joined is told nothing")
    #expect(
      anna.disk.notices.map(\.text) == [
        "ben holds a meeting nearby: Festival", "Festival has changed: its spot",
      ])
  }

  @Test("a cancelled meeting ends for all attendees, also those who were away")
  func cancelled() {
    let anna = world.person(People.anna)
    let carl = world.person(People.carl)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.organized(People.meeting()))
    pass(to: 3700)
    for board in [anna, carl] { board.does(.joined(People.meeting)) }
    pass(to: 3800)
    carl.isOnline = false
    ben.does(.organized(People.meeting(revision: 2, isCancelled: true)))
    pass(to: 4000)
    #expect(!isSeen(anna) && isSeen(carl))
    carl.isOnline = true
    pass(to: 4100)
    #expect(!isSeen(carl))
    for board in [anna, carl] {
      #expect(
        board.meetingNews.last
          == .meetingOver(People.meeting(revision: 2, isCancelled: true), .cancelled))
    }
    pass(to: 11_000)
    #expect(world.topics("godwit-area-meetings").isEmpty && ben.messaging.pending.isEmpty)
  }

  @Test("after leaving a meeting no report of it is given") func left() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.organized(People.meeting()))
    pass(to: 3700)
    anna.does(.joined(People.meeting))
    pass(to: 3800)
    #expect(anna.does(.left(People.meeting)).isEmpty)
    pass(to: 3900)
    #expect(ben.messaging.meetingRecords.first?.attendees == [])
    #expect(ben.meetingNews.count == 2)
    ben.does(.organized(People.meeting(revision: 2, spot: 200)))
    pass(to: 11_000)
    #expect(anna.meetingNews == [.meetingAppeared(People.meeting())])
    #expect(anna.does(.left(People.meeting)).count == 1)
  }

  @Test("after a meeting nothing of it and of its attendees is left") func over() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.organized(People.meeting()))
    pass(to: 3700)
    anna.does(.joined(People.meeting))
    pass(to: 11_000)
    #expect(anna.meetingNews.last == .meetingOver(People.meeting(), .ended))
    #expect(world.broker.topics(at: world.now).isEmpty)
    for board in [anna, ben] { board.isLocating = false }
    world.pass(200_000)
    for board in [anna, ben] { board.isLocating = true }
    world.pass(60)
    for board in [anna, ben] {
      #expect(board.messaging.meetingRecords.isEmpty && board.disk.count(.meeting) == 0)
      #expect(board.messaging.pending.isEmpty && board.disk.count(.publication) == 0)
    }
  }

  @Test("invisible meetings cannot be joined, and foreign ones cannot be changed") func refused() {
    let anna = world.person(People.anna, at: 2000)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.organized(People.meeting()))
    pass(to: 3700)
    #expect(anna.does(.joined(People.meeting)).count == 1)
    #expect(anna.does(.joined(People.id(999))).count == 1)
    #expect(anna.does(.organized(People.meeting(revision: 2))).count == 1)
    #expect(anna.does(.organized(People.meeting(revision: 2, by: People.anna))).count == 1)
    #expect(ben.does(.organized(People.meeting())).count == 1)
    #expect(ben.messaging.meetingRecords.map(\.meeting) == [People.meeting()])
  }

  @Test("boards killed at any time report a meeting once") func killed() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    ben.does(.organized(People.meeting()))
    var hasJoined = false
    while world.now < 12_000 {
      world.pass(97)
      for board in [anna, ben] { board.isKilled() }
      world.pass(3)
      if isSeen(anna), !hasJoined { hasJoined = anna.does(.joined(People.meeting)).isEmpty }
    }
    #expect(
      anna.meetingNews
        == [.meetingAppeared(People.meeting()), .meetingOver(People.meeting(), .ended)])
    #expect(ben.meetingNews.count == 1 && anna.isAsStored && ben.isAsStored)
  }
}
