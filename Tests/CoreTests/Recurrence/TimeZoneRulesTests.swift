import Core
import TestSupport
import Testing

@Suite struct TimeZoneRulesTests {
  @Test(
    "offsets match the time zone database", arguments: LocalTimeSamples.offsets)
  func offsets(name: String, instants: String) throws {
    let zone = try TZifSamples.zone(name)
    for word in instants.split(whereSeparator: \.isWhitespace) {
      let numbers = word.split(separator: "=").compactMap { Int($0) }
      try #require(numbers.count == 2)
      let offset = zone.offset(at: UTCInstant(second: numbers[0]))
      #expect(offset == Seconds(Double(numbers[1])), "\(word)")
    }
  }

  @Test(
    "a local time maps to one instant, to two, or by the offset before a gap",
    arguments: LocalTimeSamples.readings)
  func readings(name: String, times: String) throws {
    let zone = try TZifSamples.zone(name)
    for word in times.split(whereSeparator: \.isWhitespace) {
      let parts = word.split(separator: "=")
      let local = try CivilTime(calendar: parts[0])
      let words = parts[1].split(separator: ":")
      let instants = words.compactMap { Int($0) }.map(UTCInstant.init(second:))
      let expected: LocalReading =
        switch words[0] {
        case "once": .once(instants[0])
        case "twice": .twice(first: instants[0], second: instants[1])
        default: .never(byOffsetBefore: instants[0])
        }
      #expect(zone.reading(of: local) == expected, "\(word)")
    }
  }

  @Test("the local time of an instant maps back to that instant", arguments: TZifSamples.names)
  func roundTrip(name: String) throws {
    let zone = try TZifSamples.zone(name)
    var random = SplitMix(seed: 20)
    for _ in 0..<3000 {
      let instant = UTCInstant(
        nanoseconds: .random(
          in: -9_000_000_000_000_000_000...9_000_000_000_000_000_000, using: &random))
      let local = zone.localTime(at: instant)
      switch zone.reading(of: local) {
      case .once(let found): #expect(found == instant)
      case .twice(let first, let second):
        #expect(first < second)
        #expect(instant == first || instant == second)
      case .never, nil: Issue.record("\(local) is what \(instant) shows")
      }
    }
  }

  @Test(
    "a local time of the year maps to the first instant that shows it",
    arguments: TZifSamples.names)
  func changes(name: String) throws {
    let zone = try TZifSamples.zone(name)
    // 2026 in steps of 50 minutes, which cover every quarter of an hour.
    for step in 0..<10_512 {
      let instant = UTCInstant(second: 1_767_225_600 + step * 3000)
      let reading = try #require(zone.reading(of: zone.localTime(at: instant)))
      if case .never = reading { Issue.record("\(instant.calendarText)") }
      #expect(reading.instant <= instant)
    }
  }

  @Test(
    "a POSIX string gives the offsets of the year",
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", "20260329T005959Z", 3600.0),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "20260329T010000Z", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "20261025T010000Z", 3600),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "20260101T000000Z", 39_600),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "20260701T000000Z", 37_800),
      // Ireland: the alternative time is winter time, and behind.
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "20260101T000000Z", 0),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "20260701T000000Z", 3600),
      // Greenland: the evening before Sunday's midnight, and across New Year.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "20260329T005959Z", -7200),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "20260329T010000Z", -3600),
      // Summer time all year, the example of RFC 9636 section 3.3.1.
      ("XXX3EDT4,0/0,J365/23", "20260101T030000Z", -14_400),
      ("XXX3EDT4,0/0,J365/23", "20260701T000000Z", -14_400),
      ("XXX3EDT4,0/0,J365/23", "20270101T025959Z", -14_400),
      // J60 is 1 March in every year, 59 is 29 February in a leap year.
      ("AAA0BBB,J60/0,J300/0", "20240229T235959Z", 0),
      ("AAA0BBB,J60/0,J300/0", "20240301T000000Z", 3600),
      ("AAA0BBB,J60/0,J300/0", "20230301T000000Z", 3600),
      ("AAA0BBB,59/0,299/0", "20240229T000000Z", 3600),
      ("AAA0BBB,59/0,299/0", "20230228T235959Z", 0),
      // Israel: 26 hours after Thursday's midnight; then a transition a week before the year.
      ("IST-2IDT,M3.4.4/26,M10.5.0", "20260326T235959Z", 7200),
      ("IST-2IDT,M3.4.4/26,M10.5.0", "20260327T000000Z", 10_800),
      ("AAA0BBB,0/-167,J200/0", "20251225T005959Z", 0),
      ("AAA0BBB,0/-167,J200/0", "20251225T010000Z", 3600),
      ("UTC0", "20260701T000000Z", 0), ("<-0330>+3:30:15", "20260701T000000Z", -12_615),
    ])
  func posix(text: String, time: String, offset: Double) throws {
    let zone = try TimeZoneRules(name: "test", posix: text)
    let instant = try #require(CivilTime(calendar: time.dropLast()).instant)
    #expect(zone.offset(at: instant) == Seconds(offset))
  }

  @Test(
    "an invalid POSIX string is refused with the place of the error",
    arguments: [
      ("", 0), ("C", 1), ("CE-1", 2), ("CET", 3), ("CET-", 4), ("CET-25", 6), ("CET-1:60", 8),
      ("<CET-1", 6), ("CET-1CEST", 9), ("CET-1CEST,", 10), ("CET-1CEST,M3.5.0", 16),
      ("CET-1CEST,M13.5.0,M10.5.0", 13), ("CET-1CEST,M3.6.0,M10.5.0", 14),
      ("CET-1CEST,M3.5.7,M10.5.0", 16), ("CET-1CEST,J0,J1", 12), ("CET-1CEST,366,1", 13),
      ("CET-1CEST,M3.5.0/168,M10.5.0", 20), ("CET-1CEST,M3.5.0,M10.5.0/3 ", 26),
      ("CET-1CEST,M3.5.0,M10.5.0/9999", 28), (":Europe/Berlin", 0), ("ÄÖÜ1", 0),
    ])
  func refusesPosix(text: String, place: Int) {
    #expect(
      thrown(TimeZoneError.self) { try TimeZoneRules(name: "test", posix: text) }
        == .malformedRule(at: place))
  }

  @Test("a fixed offset applies at all times, within limits") func fixedOffset() throws {
    let zone = try TimeZoneRules(name: "+05:45", offset: 20_700)
    let local = CivilTime(year: 2026, month: 5, day: 1, hour: 5, minute: 45)
    let instant = try #require(CivilTime(year: 2026, month: 5, day: 1).instant)
    #expect(zone.reading(of: local) == .once(instant))
    #expect(zone.localTime(at: instant) == local)
    #expect(TimeZoneRules.utc.offset(at: instant) == 0)
    for offset in [Seconds(93_601), -93_601, Seconds(.nan), Seconds(.infinity)] {
      #expect(
        thrown(TimeZoneError.self) { try TimeZoneRules(name: "", offset: offset) }
          == .offsetOutOfRange)
    }
  }

  @Test("times that do not exist have no reading, and no time is out of range")
  func extremes() throws {
    for name in TZifSamples.names {
      let zone = try TZifSamples.zone(name)
      #expect(zone.reading(of: CivilTime(year: 2026, month: 2, day: 30)) == nil)
      #expect(zone.reading(of: CivilTime(year: .max, month: 1, day: 1)) == nil)
      for nanoseconds in [Int64.min, .max, 0] {
        let instant = UTCInstant(nanoseconds: nanoseconds)
        #expect(zone.offset(at: instant).magnitude <= 93_600)
        #expect((1677...2262).contains(zone.localTime(at: instant).year))
      }
      for (year, month, day) in [(1678, 1, 1), (2261, 12, 31)] {
        #expect(zone.reading(of: CivilTime(year: year, month: month, day: day)) != nil)
      }
    }
  }
}
