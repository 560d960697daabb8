import Core
import TestSupport
import Testing

@testable import Messaging

/// The organizer's side of a meeting.
@Suite struct MeetingOrganizerTests {
  private typealias Bench = MeetingBench

  private func published(_ bench: Bench) -> [Int] {
    bench.told.compactMap {
      if case .publish(let meeting, _) = $0 { meeting.revision } else { nil }
    }
  }

  @Test("nothing of a meeting is published before it begins, and at its end it is removed")
  func times() throws {
    var bench = Bench(for: Bench.olga)
    bench.step(.organized(Bench.meeting()))
    bench.step(.organized(Bench.meeting(revision: 2, spot: 10)))
    #expect(bench.told.isEmpty)
    try bench.restart()
    bench.step(.timePassed)
    #expect(bench.wake.map { ($0.seconds - 3600).magnitude < 0.01 } == true)
    bench.now = 3600
    bench.step(.timePassed)
    #expect(published(bench) == [2], "the first revision nobody has seen")
    bench.step(.organized(Bench.meeting(revision: 3, spot: 20)))
    try bench.restart()
    bench.step(.timePassed)
    #expect(published(bench) == [2, 3])
    bench.now = 10_800
    bench.step(.timePassed)
    bench.step(.timePassed)
    let topics = MessageTopic.topics(of: Bench.meeting())
    #expect(bench.told.count == 3 && bench.told.last == .clear(topics.sorted()))
    #expect(bench.secured.map(\.revision) == [1, 2, 3])
    #expect(bench.released == [Bench.id(1)])
  }

  @Test("a meeting cancelled before it begins is never published") func cancelledEarly() {
    var bench = Bench(for: Bench.olga)
    bench.step(.organized(Bench.meeting()))
    bench.step(.organized(Bench.meeting(revision: 2, isCancelled: true)))
    bench.now = 4000
    bench.step(.timePassed)
    #expect(bench.told.isEmpty)
    #expect(bench.secured.last?.isCancelled == true, "another board must not hold it")
  }

  @Test("the organizer's other board shows the meeting at its time, unless it is cancelled")
  func anotherBoard() throws {
    var bench = Bench(for: Bench.olga)
    bench.step(.received(Bench.meeting()))
    try bench.restart()
    #expect(bench.told.isEmpty)
    bench.step(.received(Bench.meeting(2)))
    bench.step(.received(Bench.meeting(2, revision: 2, isCancelled: true)))
    bench.now = 3600
    bench.step(.timePassed)
    let topics = MessageTopic.topics(of: Bench.meeting())
    #expect(bench.told == [.publish(Bench.meeting(), under: topics.sorted())])
    // A meeting left over by a lost board is removed.
    bench.now = 11_000
    bench.step(.received(Bench.meeting(3)))
    let cleared = bench.told.flatMap { told -> [String] in
      if case .clear(let topics) = told { topics } else { [] }
    }
    let ids = try cleared.map { try MessageTopic(parsing: $0).id }
    #expect(Set(ids) == [Bench.id(1), Bench.id(2), Bench.id(3)])
  }

  @Test("a person no longer invited does not find the meeting at its old topic")
  func uninvited() throws {
    var bench = Bench(for: Bench.olga)
    bench.now = 4000
    bench.step(.organized(Bench.meeting(invited: .people([Bench.anna, Bench.ben]))))
    try bench.restart()
    let fewer = Bench.meeting(revision: 2, invited: .people([Bench.ben]))
    bench.step(.organized(fewer))
    #expect(
      bench.told.suffix(2) == [
        .publish(fewer, under: ["godwit-meetings/ben/olga/\(fewer.id)"]),
        .clear(["godwit-meetings/anna/olga/\(fewer.id)"]),
      ])
  }

  @Test("joining and leaving are reported once, and uninvited people are refused") func attendees()
    throws
  {
    var bench = Bench(for: Bench.olga)
    bench.now = 4000
    bench.step(.organized(Bench.meeting(invited: .people([Bench.anna]))))
    func attendance(_ person: PersonAddress, _ action: MembershipChange.Action, _ at: Seconds)
      -> MembershipChange
    {
      MembershipChange(action, .meeting, Bench.id(1), person: person, at: Bench.date + at)
    }
    let events = [
      attendance(Bench.anna, .join, 10), attendance(Bench.anna, .join, 10),
      attendance(Bench.ben, .join, 11), attendance(Bench.anna, .leave, 20),
      attendance(Bench.anna, .join, 15), attendance(Bench.anna, .leave, 20),
    ]
    for event in events {
      bench.step(.attendance(event))
      try bench.restart()
    }
    let told = bench.told.compactMap { effect -> MembershipChange? in
      if case .attended(_, let one) = effect { one } else { nil }
    }
    #expect(told == [events[0], events[3]] && bench.refused == ["person: ben is not invited"])
    #expect(bench.meetings.records[0].attendees == [])
  }

  @Test("an attendee who joined with a clock years ahead can leave with a correct one")
  func wrongClock() throws {
    var bench = Bench(for: Bench.olga)
    bench.now = 4000
    bench.step(.organized(Bench.meeting()))
    for (action, at) in [
      (MembershipChange.Action.join, 300_000_000.0), (.leave, 4000), (.join, 3000),
    ] {
      bench.step(
        .attendance(
          MembershipChange(
            action, .meeting, Bench.id(1), person: Bench.anna, at: Bench.date + Seconds(at))))
      try bench.restart()
    }
    #expect(bench.meetings.records[0].attendees == [])
  }

  @Test("a hundred people can attend, whoever else has left or never came, despite any flood")
  func room() throws {
    var bench = Bench(for: Bench.olga)
    bench.now = 4000
    bench.step(.organized(Bench.meeting()))
    func hear(_ names: String, _ numbers: Range<Int>, _ action: MembershipChange.Action) throws {
      for number in numbers {
        bench.now += 1
        bench.step(
          .attendance(
            MembershipChange(
              action, .meeting, Bench.id(1), person: try PersonAddress("\(names)\(number)"),
              at: Bench.date + Seconds(bench.now))))
      }
    }
    try hear("never", 0..<200, .leave)
    #expect(bench.meetings.records[0].attendance.writers.isEmpty && bench.refused.isEmpty)
    try hear("p", 0..<101, .join)
    #expect(bench.meetings.records[0].attendees.count == 100 && bench.refused.count == 1)
    try hear("p", 0..<90, .leave)
    try hear("q", 0..<91, .join)
    #expect(bench.meetings.records[0].attendees.count == 100 && bench.refused.count == 2)
    try hear("q", 0..<90, .leave)
    try hear("r", 0..<90, .join)
    #expect(bench.meetings.records[0].attendees.count == 100 && bench.refused.count == 2)
    #expect(
      bench.meetings.records[0].attendance.writers.count == 200,
      "those who left last are remembered")
  }

  @Test("meetings in another's name, with an old revision or too late are refused")
  func refusals() {
    var bench = Bench(for: Bench.olga)
    bench.step(.organized(Bench.meeting(by: Bench.ben)))
    bench.step(.organized(Bench.meeting(revision: 2)))
    bench.step(.organized(Bench.meeting(revision: 2)))
    bench.now = 20_000
    bench.step(.organized(Bench.meeting(2)))
    #expect(
      bench.refused.map { $0.prefix { $0 != ":" } } == ["organizer", "revision", "ends"])
  }

  @Test("there are at most 256 meetings, and ended ones make room") func bounded() {
    var bench = Bench(for: Bench.olga)
    for number in 0..<257 { bench.step(.organized(Bench.meeting(number))) }
    #expect(bench.stored.count == 256 && bench.refused.count == 1)
    bench.now = 10_800
    bench.step(.timePassed)
    bench.step(.organized(Bench.meeting(999, ends: 99_999)))
    #expect(bench.stored.count == 256 && bench.refused.count == 1)
  }
}
