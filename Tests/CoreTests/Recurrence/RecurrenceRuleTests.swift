import Core
import TestSupport
import Testing

@Suite struct RecurrenceRuleTests {
  @Test(
    "rules are read, and written without redundant parts",
    arguments: [
      ("FREQ=DAILY", "FREQ=DAILY"),
      ("freq=weekly;byday=we,mo;interval=1;wkst=mo", "FREQ=WEEKLY;BYDAY=MO,WE"),
      ("INTERVAL=2;FREQ=WEEKLY;WKST=SU", "FREQ=WEEKLY;INTERVAL=2;WKST=SU"),
      ("FREQ=MONTHLY;BYDAY=+1MO,-1FR,MO", "FREQ=MONTHLY;BYDAY=-1FR,MO,1MO"),
      ("FREQ=MONTHLY;BYMONTHDAY=31,-1,31", "FREQ=MONTHLY;BYMONTHDAY=-1,31"),
      ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "FREQ=YEARLY;COUNT=3;BYWEEKNO=20;BYDAY=MO"),
      ("FREQ=DAILY;UNTIL=20261231", "FREQ=DAILY;UNTIL=20261231"),
      ("FREQ=DAILY;UNTIL=20261231T235959", "FREQ=DAILY;UNTIL=20261231T235959"),
      ("FREQ=DAILY;UNTIL=20261231t235959z", "FREQ=DAILY;UNTIL=20261231T235959Z"),
      (
        "FREQ=YEARLY;BYYEARDAY=-1,366;BYMONTH=12;BYSETPOS=-1",
        "FREQ=YEARLY;BYMONTH=12;BYYEARDAY=-1,366;BYSETPOS=-1"
      ),
    ])
  func readsAndWrites(text: String, expected: String) throws {
    #expect(try RecurrenceRule(parsing: text).text == expected)
  }

  @Test(
    "an unsupported part is refused by name, with what to write instead",
    arguments: [
      ("FREQ=HOURLY", "FREQ=HOURLY"), ("FREQ=MINUTELY", "FREQ=MINUTELY"),
      ("FREQ=SECONDLY;COUNT=2", "FREQ=SECONDLY"), ("FREQ=DAILY;BYHOUR=8,12", "BYHOUR"),
      ("FREQ=DAILY;BYMINUTE=0", "BYMINUTE"), ("FREQ=DAILY;BYSECOND=0", "BYSECOND"),
      ("RSCALE=CHINESE;FREQ=YEARLY", "RSCALE"), ("FREQ=YEARLY;SKIP=OMIT", "SKIP"),
    ])
  func unsupported(text: String, name: String) {
    let error = thrown(RecurrenceError.self) { try RecurrenceRule(parsing: text) }
    guard case .unsupported(name, let instead) = error else {
      Issue.record("\(text): \(String(describing: error))")
      return
    }
    #expect(instead.count > 20)
    #expect(error?.description.contains(name) == true)
  }

  @Test(
    "malformed rules are refused",
    arguments: [
      "", ";", "FREQ", "FREQ=", "FREQ=SOMETIMES", "INTERVAL=2", "FREQ=DAILY;", "FREQ=DAILY;X=1",
      "FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;INTERVAL=-1",
      "FREQ=DAILY;INTERVAL=1000000", "FREQ=DAILY;INTERVAL=99999999999999999999",
      "FREQ=DAILY;COUNT=0", "FREQ=DAILY;COUNT=+1", "FREQ=DAILY;COUNT=1;UNTIL=20260101",
      "FREQ=DAILY;UNTIL=20260230", "FREQ=DAILY;UNTIL=2026", "FREQ=DAILY;UNTIL=20260101T",
      "FREQ=DAILY;UNTIL=20260101T000000X", "FREQ=DAILY;UNTIL=20260101T250000",
      "FREQ=DAILY;BYMONTH=13", "FREQ=DAILY;BYMONTH=-1", "FREQ=DAILY;BYMONTH=",
      "FREQ=DAILY;BYMONTH=1,",
      "FREQ=WEEKLY;BYMONTHDAY=1", "FREQ=MONTHLY;BYMONTHDAY=0", "FREQ=MONTHLY;BYMONTHDAY=32",
      "FREQ=DAILY;BYDAY=1MO", "FREQ=WEEKLY;BYDAY=-1SU", "FREQ=MONTHLY;BYDAY=XX",
      "FREQ=MONTHLY;BYDAY=54MO", "FREQ=MONTHLY;BYDAY=0MO", "FREQ=MONTHLY;BYDAY=--1MO",
      "FREQ=MONTHLY;BYYEARDAY=1", "FREQ=MONTHLY;BYWEEKNO=1", "FREQ=YEARLY;BYWEEKNO=54",
      "FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", "FREQ=YEARLY;BYYEARDAY=367", "FREQ=MONTHLY;BYSETPOS=1",
      "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", "FREQ=WEEKLY;WKST=1MO", "FREQ=WEEKLY;BYDAY=ΜΟ",
      "FREQ=DAILY;COUNT=٣",
    ])
  func refuses(text: String) {
    thrown(RecurrenceError.self, "\(text)") { try RecurrenceRule(parsing: text) }
  }

  @Test("rules made of values are checked, too") func checksValues() throws {
    var selection = RecurrenceRule.Selection()
    selection.monthDays = [0]
    #expect(
      thrown(RecurrenceError.self) { try RecurrenceRule(.monthly, selecting: selection) }
        == .badValue(part: "BYMONTHDAY", value: "0"))
    selection.monthDays = [.min]
    thrown(RecurrenceError.self) { try RecurrenceRule(.monthly, selecting: selection) }
    let date = CivilTime(year: 2026, month: 5, day: 1, hour: 8)
    let rule = try RecurrenceRule(.daily, end: .date(date))
    #expect(rule.end == .date(CivilTime(year: 2026, month: 5, day: 1)))
    #expect(
      thrown(RecurrenceError.self) {
        try RecurrenceRule(.daily, end: .instant(UTCInstant(nanoseconds: 1)))
      } == .noSuchTime)
  }

  @Test("one word is a rule")
  func repetitions() {
    #expect(
      Repetition.allCases.map { $0.rule?.text } == [
        nil, "FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY",
      ])
  }

  @Test("a written rule is read as the same rule") func roundTrip() throws {
    var random = SplitMix(seed: 5545)
    var valid = 0
    for _ in 0..<20_000 {
      guard let rule = RandomRule.rule(&random) else { continue }
      valid += 1
      #expect(try RecurrenceRule(parsing: rule.text) == rule)
    }
    #expect(valid > 5000)
  }

  @Test("no text causes a trap") func hostileText() throws {
    var random = SplitMix(seed: 77)
    let words = [
      "FREQ=", "DAILY", "YEARLY", "MONTHLY", ";", ",", "=", "BYDAY", "BYSETPOS", "-", "1", "9999",
      "999999999", "MO", "UNTIL=", "2026", "0229", "T", "Z", "COUNT", "\u{301}", "é", "\0",
      "INTERVAL=", "BYMONTHDAY=", "BYWEEKNO=", "BYYEARDAY=", "\r\n", "👩‍👩‍👧",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &random)
      let text = (0..<count).map { _ in words.randomElement(using: &random)! }.joined()
      _ = try? RecurrenceRule(parsing: "FREQ=YEARLY;" + text)
      _ = try? RecurrenceRule(parsing: text)
    }
    let long = String(repeating: "1", count: Schedule.maximumTextLength + 1)
    #expect(
      thrown(RecurrenceError.self) { try RecurrenceRule(parsing: long) } == .tooLong(bytes: 65_537))
  }
}
