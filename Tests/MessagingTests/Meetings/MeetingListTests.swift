import Core
import Places
import Records
import TestSupport
import Testing

@testable import Messaging

/// Requirements for the meeting organizer (Chughtai 2015, 4.3.1).
@Suite struct MeetingListTests {
  private typealias Bench = MeetingBench

  @Test("a festival meeting: found nearby at its time, joined, moved with a report, ended")
  func festival() throws {
    var bench = Bench()
    bench.step(.received(Bench.meeting()))
    bench.come(300)
    #expect(bench.told.isEmpty && bench.visible == [], "it has not begun")
    #expect(bench.wake.map { ($0.seconds - 3600).magnitude < 0.01 } == true)
    bench.now = 3600
    bench.step(.timePassed)
    #expect(bench.told == [.appeared(Bench.meeting())] && bench.visible == [Bench.id(1)])
    bench.step(.join(Bench.id(1)))
    let join = MembershipChange(
      .join, .meeting, Bench.id(1), person: Bench.anna, at: Bench.date + 3600)
    #expect(bench.told.last == .send(join, to: Bench.olga))

    let moved = Bench.meeting(revision: 2, spot: 350, description: "At the bar")
    bench.step(.received(moved))
    try bench.restart()
    bench.step(.received(moved))
    bench.step(.received(Bench.meeting()))
    #expect(bench.told.last == .changed(moved, [.description, .spot]) && bench.told.count == 3)
    bench.come(2000)
    #expect(bench.visible == [Bench.id(1)], "who has joined sees it from outside, too")

    bench.now = 10_800
    bench.step(.timePassed)
    #expect(bench.told.last == .over(moved, .ended) && bench.visible == [])
    bench.step(.received(moved))
    #expect(bench.told.count == 4)
    bench.now += 90_000
    bench.step(.timePassed)
    #expect(bench.stored.isEmpty, "nothing of it is kept for ever")
  }

  @Test("a private meeting is shown to invited people, and not reported to others")
  func invited() {
    let meeting = Bench.meeting(invited: .people([Bench.ben]))
    for (person, sees) in [(Bench.ben, true), (Bench.anna, false)] {
      var bench = Bench(for: person)
      bench.step(.received(meeting))
      bench.now = 4000
      bench.come(0)
      #expect(bench.visible == (sees ? [meeting.id] : []))
      bench.step(.join(meeting.id))
      #expect(bench.stored.isEmpty == !sees)
      #expect(bench.refused.isEmpty == sees)
      #expect(
        bench.refused.last?.hasPrefix("id: no meeting with this id is visible")
          == (sees ? nil : true))
    }
  }

  @Test("outside the region a meeting is invisible and cannot be joined, for any reason")
  func hidden() {
    var bench = Bench()
    bench.step(.received(Bench.meeting()))
    bench.come(0)
    bench.step(.join(Bench.id(1)))
    bench.now = 4000
    bench.come(600)
    bench.step(.join(Bench.id(1)))
    bench.step(.join(Bench.id(2)))
    bench.hasDate = false
    bench.come(0)
    bench.step(.join(Bench.id(1)))
    #expect(bench.refused.count == 4 && Set(bench.refused).count == 1)
    #expect(bench.told.count == 4)
  }

  @Test("position errors at the region's edge do not show and hide a meeting repeatedly")
  func edge() {
    var bench = Bench()
    bench.step(.received(Bench.meeting()))
    bench.now = 4000
    bench.come(495)
    for east in [503.0, 497, 505, 499] {
      bench.come(Metres(east), accuracy: 10)
      #expect(bench.visible == [Bench.id(1)])
    }
    bench.come(530)
    #expect(bench.visible == [])
    bench.come(495)
    #expect(bench.told == [.appeared(Bench.meeting())], "told once")
  }

  @Test("a polygonal region shows the meeting only inside") func polygon() throws {
    func corner(_ east: Double, _ north: Double) -> Coordinate {
      Coordinate(
        latitude: Bench.stage.latitude + Degrees(north / 111_195),
        longitude: Bench.place(Metres(east)).longitude)
    }
    let ring = [corner(-400, -20), corner(400, -20), corner(400, 20), corner(-400, 20)]
    let region = try MeetingRegion([PerimeterPolygon(outer: ring + [ring[0]])])
    let meeting = try Meeting(
      id: Bench.id(1), organizer: Bench.olga, name: "Fair", spot: Bench.stage, region: region,
      starts: Bench.date, ends: Bench.date + 9000)
    var bench = Bench()
    bench.step(.received(meeting))
    bench.come(380)
    #expect(bench.visible == [meeting.id])
    let beside = Location(time: Bench.date, position: corner(0, 60), accuracy: 5)
    bench.step(.located(beside))
    #expect(bench.visible == [])
    let message = PeerMessage.meeting(meeting)
    #expect(try PeerMessage(message.bytes) == message)
  }

  @Test(
    "old revisions that arrive late change nothing, in any order",
    arguments: 1...10 as ClosedRange<UInt64>)
  func revisions(seed: UInt64) throws {
    var chance = SplitMix(seed: seed)
    var bench = Bench()
    bench.step(.received(Bench.meeting()))
    bench.now = 4000
    bench.come(0)
    bench.step(.join(Bench.id(1)))
    var latest = 1
    var changes = 0
    for _ in 0..<60 {
      let revision = Int.random(in: 1...12, using: &chance)
      bench.step(.received(Bench.meeting(revision: revision, spot: Metres(Double(revision)))))
      if revision > latest {
        latest = revision
        changes += 1
      }
      if Bool.random(using: &chance) { try bench.restart() }
    }
    let told = bench.told.count { if case .changed = $0 { true } else { false } }
    #expect(told == changes && bench.meetings.records[0].meeting.revision == latest)
  }

  @Test("a cancelled meeting is reported once to attendees, and does not come back")
  func cancelled() {
    var bench = Bench()
    bench.step(.received(Bench.meeting()))
    bench.now = 4000
    bench.come(0)
    bench.step(.join(Bench.id(1)))
    let cancelled = Bench.meeting(revision: 2, isCancelled: true)
    for _ in 0..<2 { bench.step(.received(cancelled)) }
    bench.step(.received(Bench.meeting()))
    let over = bench.told.filter { if case .over = $0 { true } else { false } }
    #expect(over == [.over(Bench.meeting(revision: 2, isCancelled: true), .cancelled)])
    #expect(bench.visible == [])
    // A person who did not join gets no report, neither of the meeting nor of its end.
    var other = Bench()
    other.step(.received(Bench.meeting()))
    other.step(.received(cancelled))
    other.now = 4000
    other.come(0)
    #expect(other.told.isEmpty)
  }

  @Test("repeated cancelling and reviving is not reported each time") func flipping() {
    var bench = Bench()
    bench.come(300)
    bench.now = 3600
    for revision in 1...100 {
      bench.step(.received(Bench.meeting(revision: revision, isCancelled: revision % 2 == 0)))
    }
    bench.step(.received(Bench.meeting(revision: 101)))
    #expect(bench.told.count == 10 && bench.visible == [Bench.id(1)])
  }

  @Test("only its organizer changes or removes a meeting") func foreign() {
    var bench = Bench()
    bench.step(.received(Bench.meeting()))
    bench.now = 4000
    bench.come(0)
    bench.step(.received(Bench.meeting(revision: 5, by: Bench.ben, spot: 400)))
    bench.step(.removed(Bench.id(1), by: Bench.ben))
    #expect(bench.refused == ["organizer: its organizer is olga: only the organizer can change it"])
    #expect(bench.visible == [Bench.id(1)])
    bench.step(.removed(Bench.id(1), by: Bench.olga))
    #expect(bench.visible == [])
    // It is held after all.
    bench.step(.received(Bench.meeting(revision: 2)))
    #expect(bench.visible == [Bench.id(1)])
  }

  @Test("after leaving there are no more reports") func leaving() {
    var bench = Bench()
    bench.step(.received(Bench.meeting()))
    bench.now = 4000
    bench.come(0)
    bench.step(.join(Bench.id(1)))
    bench.step(.join(Bench.id(1)))
    bench.step(.leave(Bench.id(1)))
    bench.step(.leave(Bench.id(1)))
    let sent = bench.told.compactMap { effect -> MembershipChange.Action? in
      if case .send(let one, _) = effect { one.action } else { nil }
    }
    #expect(sent == [.join, .leave] && bench.refused == ["id: you have not joined it"])
    bench.step(.received(Bench.meeting(revision: 2, spot: 100)))
    #expect(bench.told.allSatisfy { if case .changed = $0 { false } else { true } })
  }
}
