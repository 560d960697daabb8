import Core
import TestSupport
import Testing

@Suite struct ScheduleTests {
  @Test("occurrences match dateutil's", arguments: ScheduleSample.all)
  func occurrences(sample: ScheduleSample) throws {
    let schedule = try sample.schedule()
    let begins = schedule.begins(sample.begins.count)
    #expect(begins.map(\.calendarText) == sample.begins)
    if sample.ends {
      let last = try #require(begins.last)
      #expect(schedule.next(after: last) == nil)
      #expect(schedule.latest(at: UTCInstant(nanoseconds: .max))?.begin == last)
    }
  }

  @Test("it is on from the begin of an occurrence to its end", arguments: ScheduleSample.all)
  func isOn(sample: ScheduleSample) throws {
    let schedule = try sample.schedule()
    let first = try #require(schedule.begins(1).first)
    #expect(!schedule.isOn(at: first - 1) && schedule.latest(at: first - 1) == nil)
    for begin in schedule.begins(sample.begins.count) {
      let end = begin + 3600
      let occurrence = try #require(schedule.occurrence(at: begin))
      #expect(occurrence.begin == begin && occurrence.end == end)
      #expect(schedule.occurrence(at: end - 1)?.end == end)
      #expect(!schedule.isOn(at: begin - 1) && !schedule.isOn(at: end))
    }
  }

  @Test("without a rule it is on once") func once() throws {
    let start = CivilTime(year: 2026, month: 5, day: 1, hour: 8)
    let end = CivilTime(year: 2026, month: 5, day: 1, hour: 18)
    let schedule = try Schedule(
      start: start, end: end, in: TZifSamples.zone("Europe/Berlin"),
      rule: Repetition.none.rule)
    let begin = try #require(CivilTime(year: 2026, month: 5, day: 1, hour: 6).instant)
    #expect(schedule.next(after: begin - 1) == schedule.occurrence(at: begin))
    #expect(schedule.next(after: begin) == nil)
    #expect(schedule.latest(at: begin - 1) == nil)
    #expect(schedule.occurrence(at: begin)?.end == begin + 36_000)
    let never = try Schedule(start: start, in: schedule.zone, exceptions: [begin])
    #expect(never.next(after: begin - 1) == nil && never.latest(at: begin) == nil)
  }

  @Test(
    "days of a duration follow the calendar, hours follow the clock",
    arguments: [
      ("P1D", 23.0), ("PT24H", 24), ("P1W", 167), ("P1DT1H", 24), ("PT30M", 0.5),
    ])
  func durations(duration: String, hours: Double) throws {
    let text = "DTSTART;TZID=Europe/Berlin:20260328T120000\nDURATION:\(duration)\n"
    let schedule = try Schedule(calendar: text, local: .utc) { TZifSamples.find($0) }
    let occurrence = try #require(schedule.next(after: .distantPast))
    #expect(occurrence.end - occurrence.begin == .hours(hours))
  }

  @Test("of overlapping occurrences the latest one applies") func overlapping() throws {
    let start = CivilTime(year: 2026, month: 1, day: 1)
    let schedule = try Schedule(
      start: start, in: .utc, lasting: NominalDuration(seconds: 30 * 3600), rule: .daily)
    let first = try #require(start.instant)
    #expect(schedule.occurrence(at: first + .hours(29))?.begin == first + .hours(24))
    #expect(schedule.isOn(at: first + .days(1000)))
  }

  @Test("a day that the calendar skips does not end what begins on it")
  func leftOutDay() throws {
    let text = "DTSTART;TZID=Pacific/Apia:20111228T080000\nDURATION:P1D\nRRULE:FREQ=DAILY\n"
    let schedule = try Schedule(calendar: text, local: .utc) { TZifSamples.find($0) }
    // 30 December did not exist: its occurrence falls on that of 31 December.
    var last = UTCInstant.distantPast
    for _ in 0..<6 {
      let next = try #require(schedule.next(after: last))
      #expect(next.end - next.begin == .days(1))
      last = next.begin
    }
    #expect(last.calendarText == "20120102T180000Z")
  }

  @Test(
    "rules without any or any further occurrence are reported",
    arguments: [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31;BYMONTH=4", "FREQ=DAILY;BYDAY=MO;BYSETPOS=2",
      "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "FREQ=YEARLY;BYMONTH=1;BYWEEKNO=30",
      "FREQ=MONTHLY;BYDAY=6MO", "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=6",
      "FREQ=YEARLY;INTERVAL=100;BYMONTHDAY=29;BYMONTH=2", "FREQ=DAILY;UNTIL=20250101",
      "FREQ=DAILY;UNTIL=20260501T075959", "FREQ=DAILY;UNTIL=20260501T075959Z",
    ])
  func never(rule: String) throws {
    let text = "DTSTART:20260501T080000Z\nRRULE:\(rule)\n"
    let schedule = try Schedule(calendar: text, local: .utc) { _ in nil }
    #expect(schedule.next(after: .distantPast) == nil)
    #expect(schedule.latest(at: UTCInstant(nanoseconds: .max)) == nil)
  }

  @Test(
    "an end belongs to the rule",
    arguments: [
      ("UNTIL=20260504", 4), ("UNTIL=20260504T080000", 4), ("UNTIL=20260504T075959", 3),
      ("UNTIL=20260504T060000Z", 4), ("UNTIL=20260504T055959Z", 3), ("COUNT=4", 4),
    ])
  func ends(end: String, count: Int) throws {
    let text = "DTSTART;TZID=Europe/Berlin:20260501T080000\nRRULE:FREQ=DAILY;\(end)\n"
    let schedule = try Schedule(calendar: text, local: .utc) { TZifSamples.find($0) }
    #expect(schedule.begins(10).count == count)
    #expect(schedule.latest(at: UTCInstant(nanoseconds: .max))?.begin == schedule.begins(10).last)
  }

  @Test("the 31st skips the months that have none, week 20 is the start's weekday")
  func whatTheStartSays() throws {
    func dates(_ rule: String, from start: String) throws -> [String] {
      let text = "DTSTART:\(start)T120000Z\nRRULE:\(rule)\n"
      return try Schedule(calendar: text, local: .utc) { _ in nil }.begins(4).map {
        String($0.calendarText.prefix(8))
      }
    }
    #expect(
      try dates("FREQ=MONTHLY", from: "20260131") == [
        "20260131", "20260331", "20260531", "20260731",
      ])
    #expect(
      try dates("FREQ=YEARLY;BYWEEKNO=20", from: "20260513") == [
        "20260513", "20270519", "20280517", "20290516",
      ])
    // A start that does not match the rule is not an occurrence.
    #expect(
      try dates("FREQ=WEEKLY;BYDAY=MO;COUNT=2", from: "20260501") == ["20260504", "20260511"])
  }

  @Test(
    "the last years of the calendar end every search", arguments: ["DAILY", "WEEKLY", "YEARLY"])
  func horizon(frequency: String) throws {
    let text =
      "DTSTART;TZID=Pacific/Apia:22570101T235900\nDURATION:P36500D\nRRULE:FREQ=\(frequency)"
    let schedule = try Schedule(calendar: text, local: .utc) { TZifSamples.find($0) }
    let last = try #require(schedule.latest(at: UTCInstant(nanoseconds: .max)))
    #expect(CivilTime(last.begin).year == 2261)
    #expect(schedule.next(after: last.begin) == nil)
    #expect(schedule.next(after: UTCInstant(nanoseconds: .max)) == nil)
    #expect(last.end > last.begin)
  }

  @Test(
    "a query of the year 2100 takes well under a millisecond",
    arguments: [
      "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=YEARLY",
      "FREQ=DAILY;COUNT=90000", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
    ])
  func cost(rule: String) throws {
    let text = "DTSTART;TZID=Europe/Berlin:19800229T080000\nDURATION:PT8H\nRRULE:\(rule)\n"
    let schedule = try Schedule(calendar: text, local: .utc) { TZifSamples.find($0) }
    let instant = try #require(CivilTime(year: 2100, month: 5, day: 1).instant)
    let clock = ContinuousClock()
    // The best of several runs, because other programs run as well; the margin is tenfold.
    let best = (0..<20).map { _ in
      clock.measure {
        for day in 0..<20 { _ = schedule.next(after: instant + .days(Double(day))) }
      }
    }.min()
    #expect(try #require(best) < .milliseconds(20))
  }
}
