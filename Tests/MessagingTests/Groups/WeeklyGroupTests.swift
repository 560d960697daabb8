import Core
import TestSupport
import Testing

@testable import Messaging

/// Groups that watch their members at certain hours only.
@Suite struct WeeklyGroupTests {
  private typealias Bench = GroupBench
  private static let (guide, mia) = (Bench.guide, Bench.mia)

  /// The bench begins at 01:46:40 UTC on a Friday.
  private static func school() throws -> Group {
    let schedule = try Schedule(
      calendar: "DTSTART:20260501T080000\nDURATION:PT4H\nRRULE:FREQ=WEEKLY;BYDAY=FR,MO",
      local: .utc, zones: { _ in nil })
    return try Group(
      id: Bench.id, name: "Class 3b", guide: Self.guide, range: 200, schedule: schedule,
      oldest: 600, pause: 120)
  }

  private static func time(_ hour: Double, day: Double = 0) -> Double {
    hour * 3600 - 6400 + day * 86_400
  }

  @Test("outside its hours nobody is asked, and nothing is reported") func outside() throws {
    var bench = Bench(try Self.school(), [Self.mia])
    for minute in 0..<120 {
      bench.now = Double(minute) * 60
      bench.tell(Self.guide, 0)
      bench.tell(Self.mia, 3000)
    }
    bench.now = Self.time(7.5)
    bench.step(.timePassed)
    #expect(bench.asked.isEmpty && bench.news.isEmpty)
    let begin = Self.time(8)
    #expect(bench.wake.map { ($0.seconds - begin).magnitude < 1 } == true)
  }

  @Test("in its hours it is as any group, and starts anew each time") func hours() throws {
    var bench = Bench(try Self.school(), [Self.mia])
    for day in [0.0, 3, 7] {
      let count = bench.news.count
      bench.now = Self.time(8, day: day)
      bench.step(.timePassed)
      #expect(bench.asked.last == [Self.guide, Self.mia] && bench.news.count == count)
      bench.tell(Self.guide, 0)
      bench.tell(Self.mia, 3000)
      bench.now = Self.time(11.9, day: day)
      bench.tell(Self.guide, 0)
      bench.step(.timePassed)
      let news = bench.news.dropFirst(count)
      #expect(news.count { if case .fellBehind = $0 { true } else { false } } == 1)
      #expect(news.count { if case .missing = $0 { true } else { false } } == 1)
      bench.now = Self.time(12, day: day)
      bench.step(.timePassed)
      let state = bench.watch.state
      #expect(!state.members.contains { $0.member.isMissing || $0.member.isOutside })
      try bench.restart()
    }
  }

  @Test("members have the full time from the begin of its hours") func begin() throws {
    var bench = Bench(try Self.school(), [Self.mia])
    bench.tell(Self.guide, 0)
    bench.now = Self.time(8)
    bench.step(.timePassed)
    bench.now += 590
    bench.tell(Self.guide, 0)
    #expect(bench.news.isEmpty)
    bench.now += 20
    bench.step(.timePassed)
    #expect(bench.news == [.missing(Self.mia, since: nil)])
  }

  @Test("a group of others does not wake the board at its hours") func foreign() throws {
    var bench = Bench(try Self.school(), of: Self.mia)
    bench.step(.timePassed)
    #expect(bench.wake == nil)
  }

  @Test("its hours reach other boards, and members are notified of new ones") func changed()
    throws
  {
    let school = try Self.school()
    #expect(try PeerMessage(PeerMessage.group(school).bytes) == .group(school))
    var bench = Bench(Bench.group(), [Self.mia], of: Self.mia)
    let later = try Group(
      id: Bench.id, revision: 2, name: "Class 3b", guide: Self.guide, range: 200,
      schedule: school.schedule, oldest: 600, pause: 120)
    bench.step(.changed(later))
    #expect(bench.news == [.changed([.schedule])])
  }
}
