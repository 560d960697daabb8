import Core
import Testing

@Suite struct ScheduleWordsTests {
  private static let local = "Europe/Berlin"

  /// Typed, because inferring the type takes compilers long.
  private static let schedules: [(String, String)] = [
    ("DTSTART:20240101T080000|DURATION:PT540M|RRULE:FREQ=DAILY", "daily 08:00-17:00"),
    ("DTSTART:20240101T220000|DURATION:PT8H|RRULE:FREQ=DAILY", "daily 22:00-06:00"),
    (
      "DTSTART:20240101T080000|DURATION:PT9H|RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
      "Mon-Fri 08:00-17:00"
    ),
    ("DTSTART:20240101T000000|DURATION:PT1440M|RRULE:FREQ=WEEKLY;BYDAY=SU,SA", "Sat,Sun"),
    ("DTSTART:20240101T081500|RRULE:FREQ=WEEKLY;BYDAY=MO,WE,TH,FR", "Mon,Wed-Fri at 08:15"),
    ("DTSTART:20240102T081500|RRULE:FREQ=WEEKLY;INTERVAL=2", "every 2 weeks on Tue at 08:15"),
    ("DTSTART:20260203T080000|DURATION:PT2H", "2026-02-03 08:00-10:00"),
    ("DTSTART;VALUE=DATE:20260203", "2026-02-03"),
    ("DTSTART:20260203T080000|DURATION:P2DT1H", "2026-02-03 from 08:00 for 49 h"),
    ("DTSTART:20260203T080000|DURATION:PT36H30M", "2026-02-03 from 08:00 for 36 h 30 min"),
    (
      "DTSTART:20260203T080000|DURATION:PT2H|RRULE:FREQ=DAILY;INTERVAL=3;COUNT=4",
      "every 3 days 08:00-10:00 (4 times)"
    ),
    (
      "DTSTART:20260203T080000|DURATION:PT2H|RRULE:FREQ=DAILY;UNTIL=20260228T235959Z",
      "daily 08:00-10:00 until 2026-03-01"
    ),
    (
      "DTSTART:20260203T080000Z|DURATION:PT2H|RRULE:FREQ=MONTHLY;BYDAY=1TU",
      "FREQ=MONTHLY;BYDAY=1TU 08:00-10:00 UTC"
    ),
    (
      "DTSTART:20260203T080000|DURATION:PT2H|RRULE:FREQ=DAILY|EXDATE:20260204T080000",
      "daily 08:00-10:00 with exceptions"
    ),
  ]

  @Test("a schedule is described in everyday words", arguments: schedules)
  func words(lines: String, words: String) throws {
    let zone = try TZifSamples.zone(Self.local)
    let schedule = try Schedule(
      calendar: lines.split(separator: "|").joined(separator: "\r\n"), local: zone
    ) { TZifSamples.find($0) }
    #expect(schedule.words(in: zone) == words)
  }

  @Test("a near moment is shown with its day of the week, another with its date")
  func moments() throws {
    let zone = try TZifSamples.zone(Self.local)
    // A Monday at 00:00 UTC, in summer.
    let monday = UTCInstant(seconds: 1_780_272_000)
    #expect(zone.words(monday + .hours(30), seenFrom: monday) == "Tue 08:00")
    #expect(zone.words(monday + .days(20), seenFrom: monday) == "2026-06-21 02:00")
    #expect(zone.words(monday - .days(1), seenFrom: monday) == "2026-05-31 02:00")
  }
}
