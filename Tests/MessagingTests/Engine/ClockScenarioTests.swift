import Messaging
import PeopleExperiment
import Core
import Testing

/// Boards without a date: they boot in 1970, until a fix or the network provides it.
@Suite struct ClockScenarioTests {
  private let world = PeopleWorld()

  @Test("a letter written in 1970 has no date, and is delivered") func written() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    ben.clock = .none
    ben.does(
      .wrote(
        People.letter(written: UTCInstant(seconds: 40), text: "What is the time?")))
    world.pass(60)
    #expect(anna.delivered.count == 1)
    #expect(anna.messaging.letterRecords.first?.letter?.written == nil)
    #expect(ben.receipts.count == 1 && ben.published.isEmpty)
  }

  @Test("without a date nothing expires, and deliveries have no date") func delivered() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    anna.clock = .none
    ben.does(.wrote(People.letter(expires: 600)))
    ben.does(.wrote(People.letter(2)))
    world.pass(60)
    ben.isOn = false
    world.pass(3600)
    #expect(anna.standing(1) == .waiting, "that it is over nobody here knows")
    anna.goes(to: 0)
    world.pass(60)
    #expect(Set(anna.delivered) == [People.id(1), People.id(2)])
    #expect(anna.messaging.letterRecords.allSatisfy { $0.at == nil })
    ben.isOn = true
    world.pass(60)
    #expect(ben.receipts.contains { $0.letter == People.id(2) && $0.at == nil })
    #expect(world.topics("godwit-letters").isEmpty)
  }

  @Test("when the date becomes known, everything expired by then is settled") func known() {
    let anna = world.person(People.anna, at: 1000)
    let ben = world.person(People.ben, at: 5000)
    anna.clock = .none
    ben.does(.wrote(People.letter(expires: 600)))
    world.pass(60)
    ben.isOn = false
    world.pass(3600)
    anna.clock = .right
    world.pass(60)
    #expect(anna.standing(1) == .expired)
  }

  @Test("without a date no meeting is shown and none is joined") func meeting() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 5000)
    anna.clock = .none
    ben.does(.organized(People.meeting(starts: 600)))
    world.pass(1200)
    #expect(anna.news.isEmpty && anna.messaging.meetingRecords.count == 1)
    #expect(anna.does(.joined(People.meeting)).count == 1)
    anna.clock = .right
    world.pass(60)
    #expect(anna.meetingNews == [.meetingAppeared(People.meeting(starts: 600))])
  }

  @Test("a member who joins a group without a date is monitored once it is known")
  func group() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben)
    ben.clock = .none
    world.pass(60)
    anna.does(.guided(People.group()))
    world.pass(60)
    #expect(ben.does(.joined(People.group)).isEmpty && ben.isInGroup)
    world.pass(60)
    #expect(anna.groupNotification == [.joined(People.ben)])
    #expect(!world.topics("godwit-group-positions").contains { $0.hasSuffix("/ben") })
    ben.clock = .right
    world.pass(60)
    ben.goes(to: 2000)
    world.pass(300)
    #expect(anna.groupNotification.contains { if case .fellBehind = $0 { true } else { false } })
    #expect(ben.does(.left(People.group)).isEmpty)
    world.pass(60)
    #expect(anna.groupNotification.last == .left(People.ben))
  }
}
