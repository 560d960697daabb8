import Core
import TestSupport
import Testing

@testable import Messaging

/// Meetings that are repeated: at the opening hours of a place, without the place.
@Suite struct WeeklyMeetingTests {
  private typealias Bench = MeetingBench

  /// From 1 May until the end of the year 2026, Fridays from 19:00 to 22:00 in central Europe.
  private static func club(
    _ lines: String = "DTSTART:20260501T190000\nDURATION:PT3H\nRRULE:FREQ=WEEKLY"
  ) throws -> Meeting {
    let zone = try TimeZoneRules(name: "Europe/Vienna", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    return try Meeting(
      id: Bench.id(1), organizer: Bench.olga, name: "Chess club", spot: Bench.stage,
      region: MeetingRegion(around: Bench.stage, radius: 500), starts: Bench.date,
      ends: Bench.date + .days(240),
      schedule: Schedule(calendar: lines, local: zone, zones: { _ in nil }))
  }

  /// Until a time of day of the first Friday, in UTC; the bench begins at 01:46:40.
  private static func time(_ hour: Double, week: Double = 0) -> Double {
    hour * 3600 - 6400 + week * 7 * 86_400
  }

  @Test("it is found every week at its hours, and reported each time") func everyWeek() throws {
    let club = try Self.club()
    var bench = Bench()
    bench.step(.received(club))
    bench.come(100)
    for week in [0.0, 1, 2] {
      let begin = Self.time(17, week: week)
      #expect(bench.visible == [] && bench.wake.map { ($0.seconds - begin).magnitude < 1 } == true)
      bench.now = begin
      bench.step(.timePassed)
      #expect(bench.visible == [club.id])
      #expect(bench.told == Array(repeating: .appeared(club), count: Int(week) + 1))
      try bench.restart()
      bench.now += 3 * 3600
      bench.step(.timePassed)
    }
    bench.now = Self.time(18, week: 3)
    bench.come(5000)
    bench.now += 86_400
    bench.come(100)
    #expect(bench.visible == [] && bench.told.count == 3, "here on the wrong day")
  }

  @Test("who has joined sees it between its hours, too, and can leave") func joined() throws {
    let club = try Self.club()
    var bench = Bench()
    bench.step(.received(club))
    bench.now = Self.time(18)
    bench.come(0)
    bench.step(.join(club.id))
    bench.now = Self.time(12, week: 1)
    bench.step(.timePassed)
    let stored = bench.stores
    bench.now += 60
    bench.step(.timePassed)
    #expect(bench.visible == [club.id] && bench.stores == stored, "nothing new is stored")
    #expect(bench.wake.map { $0.seconds > 200 * 86_400 } == true, "its hours do not wake a member")
    bench.now = Self.time(18, week: 1)
    bench.step(.timePassed)
    #expect(bench.told.count == 2, "appeared and joined: whoever comes anyway is not notified")
    bench.step(.leave(club.id))
    #expect(bench.refused.isEmpty && bench.told.count == 3)
  }

  @Test("it stays published between its hours, and is withdrawn after its end") func organizer()
    throws
  {
    let club = try Self.club()
    let topics = MessageTopic.topics(of: club)
    var bench = Bench(for: Bench.olga)
    bench.step(.organized(club))
    for hour in [18.0, 40, 200] {
      bench.now = Self.time(hour)
      bench.step(.timePassed)
    }
    #expect(bench.told == [.publish(club, under: topics)])
    bench.now = 240 * 86_400
    bench.step(.timePassed)
    #expect(bench.told.last == .clear(topics))
  }

  @Test("its hours follow the clock changes of its organizer's zone, on every board")
  func summerTime() throws {
    let club = try Self.club()
    #expect(try PeerMessage(PeerMessage.meeting(club).bytes) == .meeting(club))
    // 30 October is after the end of summer time.
    let winter = Bench.date + Seconds(Self.time(0, week: 26))
    for (hour, isOn) in [(17.5, false), (18.5, true), (20.5, true), (21.5, false)] {
      #expect(club.schedule?.isOn(at: winter + .hours(hour)) == isOn)
    }
  }

  @Test("a schedule that other boards cannot use is refused with the remedy") func refused() {
    func error(_ lines: String) -> String? {
      do { return try Self.club(lines).name } catch { return "\(error)" }
    }
    #expect(error("DTSTART:20260501T190000")?.hasPrefix("schedule: it has no duration") == true)
    #expect(
      error("DTSTART:20260501T190000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=9")
        == "schedule: its rule has COUNT: give UNTIL, or an end, instead")
    let days = (0..<100).map { "EXDATE:2026\(10 + $0 % 3)\(10 + $0 % 20)T190000\n" }.joined()
    #expect(
      error("DTSTART:20260501T190000\nDURATION:PT1H\nRRULE:FREQ=DAILY\n" + days)?
        .hasPrefix("schedule: ") == true)
  }

  @Test(
    "a hostile schedule is an error or harmless",
    arguments: [
      "", "DTSTART", "DTSTART;TZID=Europe/Berlin:20260501T190000\\nDURATION:PT1H",
      "DTSTART;TZID=CET-1CEST:20260501T190000\\nDURATION:PT1H", "DTSTART:20260501T190000",
      "DTSTART:99990101T000000\\nDURATION:P9999999999D",
      "DTSTART:20260501T190000\\nDURATION:PT1H\\nRRULE:FREQ=WEEKLY;COUNT=99999999999",
    ])
  func hostile(text: String) throws {
    var json = String(decoding: PeerMessage.meeting(Bench.meeting()).bytes, as: UTF8.self)
    json.removeLast()
    let message = json + ",\"schedule\":\"\(text)\"}"
    let error = thrown(MessageError.self) { try PeerMessage(Array(message.utf8)) }
    #expect(error?.description.hasPrefix("schedule: it ") == true, "\(String(describing: error))")
  }

  @Test("a schedule that is never on costs no more than any other") func never() throws {
    let never =
      "DTSTART:20260501T190000\nDURATION:PT1H\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"
    let club = try Self.club(never)
    var bench = Bench()
    bench.step(.received(club))
    bench.come(0)
    #expect(bench.visible == [] && bench.told == [])
    let end = 240.0 * 86_400
    #expect(bench.wake.map { ($0.seconds - end).magnitude < 1 } == true)
  }
}
