import Places
import Core
import Testing

@testable import godwit

/// The times at which `godwit alerts` declares an alert active.
@Suite struct AlertTimingTests {
  /// Thursday 2026-05-28 20:26:40 UTC.
  private static let thursday = UTCInstant(seconds: 1_780_000_000)
  private static let saturday = thursday + .days(2)
  private static let sunday = thursday + .days(3)

  private static func timing(
    _ rule: String, minutes: Int, from start: String = "20260501T000000", at date: UTCInstant
  ) throws -> AlertTiming {
    let schedule = try Schedule(
      calendar: "DTSTART:\(start)\r\nDURATION:PT\(minutes)M\r\nRRULE:\(rule)", local: .utc
    ) { _ in nil }
    return AlertTiming(
      Alert(id: 1, name: "a", .enter(.all), schedule: schedule), at: date, in: .utc)
  }

  @Test("consecutive days are one period, until the first that is missing")
  func joined() throws {
    let rule = "FREQ=WEEKLY;BYDAY=SA,SU"
    let before = try Self.timing(rule, minutes: 1440, at: Self.thursday)
    #expect(before.words == "next Sat 00:00" && before.until == nil && !before.isOver)
    for date in [Self.saturday, Self.sunday] {
      let timing = try Self.timing(rule, minutes: 1440, at: date)
      #expect(timing.words == "on until Mon 00:00")
      #expect(timing.until == UTCInstant(seconds: 1_780_272_000))
      #expect(timing.next == UTCInstant(seconds: 1_780_272_000) + .days(5))
    }
  }

  @Test("an alert is active only while one of its places is valid") func places() throws {
    func timing(
      _ openings: [PlaceOpening], schedule: Schedule? = nil
    ) -> (when: String, words: String) {
      let alert = Alert(id: 1, name: "a", .enter(.all), schedule: schedule)
      let timing = AlertTiming(
        alert, AlertHorizon(openings), at: Self.thursday, in: .utc)
      return (timing.when, timing.words)
    }
    let past = PlaceOpening(PlaceLifetime(until: Self.thursday - 60))
    let future = PlaceOpening(PlaceLifetime(from: Self.saturday))
    let now = PlaceOpening(PlaceLifetime(until: Self.saturday))
    let evenings = try Schedule(
      calendar: "DTSTART:20260501T220000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY", local: .utc
    ) { _ in nil }
    #expect(timing([past]) == ("while open", "over"))
    #expect(timing([past, future]) == ("while open", "next Sat 20:26"))
    #expect(timing([now]) == ("while open", "on until Sat 20:26"))
    #expect(timing([past, PlaceOpening(PlaceLifetime(), evenings)]).words == "next Thu 22:00")
    #expect(timing([]) == ("always", "on"))
    #expect(timing([past], schedule: evenings).words == "over")
    #expect(timing([future], schedule: evenings).words == "next Sat 22:00")
    #expect(timing([now], schedule: evenings).words == "next Thu 22:00")
  }

  @Test("an alert with a daily pause is active until the pause") func paused() throws {
    let timing = try Self.timing("FREQ=DAILY", minutes: 1439, at: Self.saturday)
    #expect(timing.words == "on until Sat 23:59")
  }

  @Test("a daily schedule without a pause has no end") func ever() throws {
    let days = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU"
    for rule in [days, "FREQ=DAILY"] {
      let timing = try Self.timing(rule, minutes: 1440, at: Self.thursday)
      #expect(timing.words == "on" && timing.until == nil && timing.next == nil)
      #expect(!timing.isOver)
    }
  }

  @Test("overlapping times are one") func overlapping() throws {
    let timing = try Self.timing(
      "FREQ=DAILY;COUNT=3", minutes: 2160, from: "20260527T000000",
      at: Self.thursday)
    #expect(timing.words == "on until Sat 12:00" && timing.next == nil && !timing.isOver)
    let past = try Self.timing("FREQ=DAILY;COUNT=3", minutes: 2160, at: Self.thursday)
    #expect(past.words == "over" && past.isOver)
  }
}
