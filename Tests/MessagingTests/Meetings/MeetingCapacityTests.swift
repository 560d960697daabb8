import Core
import Testing

@testable import Messaging

/// However many meetings unknown people hold, they displace neither others' nor one's own.
@Suite struct MeetingCapacityTests {
  private typealias Bench = MeetingBench
  private static let eve = try! PersonAddress("eve")

  /// The maximum for Anna's board: 32 meetings of each of eight unknown people.
  private func full() throws -> Bench {
    var bench = Bench()
    for number in 0..<256 {
      let stranger = try PersonAddress("stranger\(number / 32)")
      bench.step(.received(Bench.meeting(number, by: stranger, starts: 0)))
    }
    #expect(bench.stored.count == 256 && bench.refused.isEmpty)
    return bench
  }

  private func contacts(blocking people: [PersonAddress]) throws -> Contacts {
    var contacts = Contacts()
    for person in people { try contacts.block(person) }
    return contacts
  }

  private func count(_ bench: Bench, of organizer: PersonAddress) -> Int {
    bench.stored.values.count { $0.meeting.organizer == organizer }
  }

  @Test("one unknown person has room for 32 meetings, and gets no more by repeating them")
  func oneStranger() {
    var bench = Bench()
    for number in 0..<256 { bench.step(.received(Bench.meeting(number, by: Self.eve))) }
    #expect(count(bench, of: Self.eve) == 32 && bench.refused.count == 224)
    bench.step(.organized(Bench.meeting(500, by: Bench.anna)))
    bench.step(.received(Bench.meeting(501)))
    #expect(bench.stored.count == 34 && bench.refused.count == 224)
    // Cancelled meetings make room, and come back.
    for number in 0..<256 {
      bench.step(.received(Bench.meeting(number, by: Self.eve)))
      bench.step(.received(Bench.meeting(number, revision: 2, by: Self.eve, isCancelled: true)))
    }
    for number in 0..<256 {
      bench.step(.received(Bench.meeting(number, revision: 3, by: Self.eve)))
    }
    #expect(bench.stored.values.count { !$0.isOver && $0.meeting.organizer == Self.eve } == 32)
    #expect(bench.stored[Bench.id(500)] != nil && bench.stored[Bench.id(501)] != nil)
  }

  @Test("with all room taken, others' and one's own meetings find some, and joined ones stay")
  func manyStrangers() throws {
    var bench = try full()
    bench.come(0)
    bench.step(.join(Bench.id(255)))
    bench.step(.organized(Bench.meeting(500, by: Bench.anna)))
    bench.step(.received(Bench.meeting(501, by: Bench.ben)))
    #expect(bench.refused.isEmpty && bench.stored.count == 256)
    for id in [255, 500, 501] { #expect(bench.stored[Bench.id(id)] != nil) }
    // Meetings dropped for them arrive again from the broker, and displace no others.
    let before = bench.stored
    for number in 0..<255 {
      let stranger = try PersonAddress("stranger\(number / 32)")
      bench.step(.received(Bench.meeting(number, by: stranger, starts: 0)))
    }
    #expect(bench.stored == before && bench.refused.count == 2)
  }

  @Test("of too many meetings distant ones go first, and of these the last to end")
  func order() {
    var bench = Bench()
    bench.come(0)
    for number in 0..<32 {
      let ends = Seconds(Double(10_000 + number))
      bench.step(.received(Bench.meeting(number, by: Self.eve, ends: ends)))
    }
    bench.step(.received(Bench.meeting(100, by: Self.eve, ends: 9000)))
    #expect(bench.stored[Bench.id(31)] == nil && bench.stored[Bench.id(100)] != nil)
    bench.step(.received(Bench.meeting(101, by: Self.eve, ends: 99_999)))
    #expect(bench.stored[Bench.id(101)] == nil && bench.refused.count == 1)
    bench.come(5000)
    bench.step(.received(Bench.meeting(102, by: Self.eve, ends: 9000)))
    #expect(bench.stored[Bench.id(30)] == nil && bench.stored[Bench.id(102)] != nil)
  }

  @Test("one's own and joined meetings are never dropped: then no more are accepted") func kept() {
    var bench = Bench()
    for number in 0..<256 { bench.step(.organized(Bench.meeting(number, by: Bench.anna))) }
    bench.step(.organized(Bench.meeting(256, by: Bench.anna)))
    bench.step(.received(Bench.meeting(257)))
    #expect(bench.stored.count == 256 && bench.refused.count == 2)
    #expect(count(bench, of: Bench.anna) == 256 && bench.stored[Bench.id(256)] == nil)
  }

  @Test("a blocked person's meetings are dropped, joined ones are left, and room is free again")
  func blocked() throws {
    var bench = try full()
    let stranger = try PersonAddress("stranger7")
    bench.come(0)
    bench.step(.join(Bench.id(255)))
    bench.step(.contacts(try contacts(blocking: [stranger, Bench.anna])))
    #expect(bench.stored.count == 224 && count(bench, of: stranger) == 0)
    let leave = MembershipChange(
      .leave, .meeting, Bench.id(255), person: Bench.anna, at: Bench.date)
    #expect(bench.told.last == .send(leave, to: stranger))
    bench.step(.organized(Bench.meeting(500, by: Bench.anna)))
    bench.step(.contacts(try contacts(blocking: [Bench.anna])))
    #expect(bench.stored[Bench.id(500)] != nil, "one's own stays whoever is blocked")
    try bench.restart()
    #expect(bench.meetings.records.count == 225)
  }
}
