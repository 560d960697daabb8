import Core
import TestSupport
import Testing

@Suite struct ScheduleCalendarTests {
  private func schedule(_ text: String) throws -> Schedule {
    try Schedule(calendar: text, local: TZifSamples.zone("Europe/Berlin")) {
      TZifSamples.find($0)
    }
  }

  /// Typed, because inferring the type takes compilers long.
  private static let readings: [(String, String)] = [
    (
      "DTSTART:20260501T080000Z\nDTEND:20260501T180000Z\n",
      "DTSTART:20260501T080000Z|DURATION:PT10H|"
    ),
    (
      "RRULE:FREQ=WEEKLY;BYDAY=MO\r\nDURATION:PT9H30M\r\n"
        + "dtstart;tzid=\"Europe/Berlin\":20260504T080000\r\n",
      "DTSTART;TZID=Europe/Berlin:20260504T080000|DURATION:PT9H30M|RRULE:FREQ=WEEKLY;BYDAY=MO|"
    ),
    (
      "DTSTART;VALUE=DATE:20260501\n", "DTSTART;TZID=Europe/Berlin:20260501T000000|DURATION:P1D|"
    ),
    (
      "DTSTART;VALUE=DATE:20260501\nDTEND;VALUE=DATE:20260504\nRRULE:FREQ=YEARLY\n"
        + "EXDATE;VALUE=DATE:20270501\n",
      "DTSTART;TZID=Europe/Berlin:20260501T000000|DURATION:P3D|RRULE:FREQ=YEARLY|"
        + "EXDATE;TZID=Europe/Berlin:20270501T000000|"
    ),
    ("DTSTART:20260501T080000\n", "DTSTART;TZID=Europe/Berlin:20260501T080000|"),
    (
      "DTSTART;TZID=Europe/Ber\r\n lin:20260501T08\n\t0000\nDURATION:PT1H",
      "DTSTART;TZID=Europe/Berlin:20260501T080000|DURATION:PT1H|"
    ),
    (
      "DTSTART;TZID=America/New_York:20260501T080000\n"
        + "DTEND;TZID=Europe/Berlin:20260501T180000\n",
      "DTSTART;TZID=America/New_York:20260501T080000|DURATION:PT4H|"
    ),
    (
      "DTSTART;TZID=Europe/Berlin:20260501T080000\nRRULE:FREQ=DAILY\n"
        + "EXDATE:20260502T060000Z,20260503T060000Z\nEXDATE;TZID=Europe/Berlin:20260504T080000\n",
      "DTSTART;TZID=Europe/Berlin:20260501T080000|RRULE:FREQ=DAILY|"
        + "EXDATE;TZID=Europe/Berlin:20260502T080000|"
        + "EXDATE;TZID=Europe/Berlin:20260503T080000|"
        + "EXDATE;TZID=Europe/Berlin:20260504T080000|"
    ),
  ]

  @Test(
    "lines are read in any order, folded or not, and written in iCalendar's order",
    arguments: readings)
  func readsAndWrites(text: String, expected: String) throws {
    let written = try schedule(text).calendar
    #expect(written.replacing("\r\n", with: "|") == expected)
  }

  @Test("long lines are folded after 75 octets and read again") func folds() throws {
    let days = (1...31).map(String.init).joined(separator: ",")
    let text = "DTSTART:20260501T080000Z\nRRULE:FREQ=MONTHLY;BYMONTHDAY=\(days)\n"
    let schedule = try schedule(text)
    let lines = schedule.calendar.utf8.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 3 && lines.map(\.count) == [25, 76, lines[2].count])
    #expect(lines[2].first == UInt8(ascii: " "))
    #expect(try self.schedule(schedule.calendar) == schedule)
  }

  @Test("a fold never splits a character, and a zone's name with a colon is quoted")
  func foldsCharacters() throws {
    let name = "ÄÖÜ:" + String(repeating: "ä", count: 60)
    let zone = try TimeZoneRules(name: name, offset: 3600)
    let start = CivilTime(year: 2026, month: 5, day: 1)
    let text = try Schedule(start: start, in: zone).calendar
    #expect(text.contains("\"") && !text.unicodeScalars.contains("\u{FFFD}"))
    #expect(text.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.count <= 76 })
    let read = try Schedule(calendar: text, local: .utc) { $0 == name ? zone : nil }
    #expect(read.zone.name == name)
  }

  @Test(
    "durations are read and written",
    arguments: [
      ("P1W", "P7D"), ("P15DT5H0M20S", "P15DT5H20S"), ("PT0S", "PT0S"), ("+PT90M", "PT1H30M"),
      ("pt36h", "PT36H"), ("P2D", "P2D"), ("PT1M", "PT1M"),
    ])
  func durations(text: String, expected: String) throws {
    #expect(try NominalDuration(parsing: text).text == expected)
  }

  @Test(
    "malformed durations are refused",
    arguments: [
      "", "P", "PT", "P1", "1D", "-PT1H", "P1H", "PT1D", "P1DT", "PT1S1M", "P1W1D", "PT1.5H",
      "P1DT1HT1M", "PTT1H", "P36501D", "PT9999999999S", "PT999999999H", "P1D1D", "P٣D",
    ])
  func refusesDurations(text: String) {
    thrown(RecurrenceError.self, "\(text)") { try NominalDuration(parsing: text) }
  }

  @Test(
    "missing, repeated, unknown or schedule-changing properties are refused by name",
    arguments: [
      ("", RecurrenceError.missing("DTSTART")),
      ("DTSTART:20260501T080000Z\nDTSTART:20260501T080000Z", .repeated("DTSTART")),
      (
        "DTSTART:20260501T080000Z\nDTEND:20260501T090000Z\nDURATION:PT1H",
        .conflicting("DTEND", "DURATION")
      ),
      ("DTSTART:20260501T080000Z\nDTEND:20260501T070000Z", .badDuration),
      ("DTSTART;TZID=Mars/Olympus:20260501T080000", .unknownZone("Mars/Olympus")),
      ("DTSTART:20260230T080000Z", .badValue(part: "DTSTART", value: "20260230T080000Z")),
      ("DTSTART;VALUE=PERIOD:20260501T080000Z", .malformed("DTSTART;VALUE")),
      ("DTSTART", .malformed("line DTSTART")),
      (
        "RDATE:20260501T080000Z",
        .unsupported("RDATE", instead: "use a separate schedule for the other times")
      ),
      (
        "SUMMARY:work",
        .unsupported("SUMMARY", instead: "write DTSTART, DTEND or DURATION, RRULE, EXDATE")
      ),
      (
        "EXDATE:" + String(repeating: "20260501T080000Z,", count: 3800) + "20260501T080000Z",
        .missing("DTSTART")
      ),
      (
        "EXDATE:" + String(repeating: "20260501,", count: 4097) + "20260501", .tooManyExceptions
      ),
      (String(repeating: "A", count: 65_537), .tooLong(bytes: 65_537)),
    ])
  func refuses(text: String, expected: RecurrenceError) {
    #expect(thrown(RecurrenceError.self) { try schedule(text) } == expected)
  }

  @Test("starts that do not exist are refused") func badStarts() {
    for start in [
      CivilTime(year: 2026, month: 2, day: 29), CivilTime(year: 9999, month: 1, day: 1),
      CivilTime(year: 2026, month: 1, day: 1, nanosecond: 1),
    ] {
      #expect(thrown(RecurrenceError.self) { try Schedule(start: start, in: .utc) } == .noSuchTime)
    }
  }
}
