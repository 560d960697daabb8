import Core
import Records
import TestSupport
import Testing

@testable import Places

/// The cost of an alert outside of its schedule.
@Suite struct AlertCalendarTests {
  private static let home = AlertBench.place("home")

  /// `AlertBench.date` is a Thursday, 20:26:40 UTC.
  private static let ended = ["DTSTART:20260201T080000Z", "DTEND:20260201T180000Z"]
  private static let sundays = [
    "DTSTART:20260503T080000Z", "DURATION:PT10H", "RRULE:FREQ=WEEKLY;BYDAY=SU",
  ]

  private static func schedule(_ lines: [String]) throws -> Schedule {
    try Schedule(calendar: lines.joined(separator: "\r\n"), local: .utc) { _ in nil }
  }

  static let rules: [AlertRule] = [
    .enter(.all), .leave(.all), .outside(.all), .near(.all, 100), .dwell(.all, 60),
    .moved(Guard(radius: 50, isArmed: true)), .anchor(Guard(radius: 40, arming: .schedule)),
  ]

  @Test("an alert requests no fix outside of its schedule, nor after its end", arguments: rules)
  func costsNothing(rule: AlertRule) throws {
    for lines in [Self.ended, Self.sundays] {
      let alert = Alert(id: 1, name: "a", rule, schedule: try Self.schedule(lines))
      var bench = AlertBench([Self.home], [alert])
      for minute in 0..<600 {
        bench.locate(Metres(Double(minute % 40) * 20), at: Double(minute) * 60)
      }
      #expect(bench.looks.compactMapValues { $0 }.isEmpty && bench.raised.isEmpty)
      #expect(!bench.engine.hasAlerts(on: Self.home))
      #expect(bench.wake == nil || lines == Self.sundays, "what is over wakes nobody")
    }
  }

  @Test(
    "a one-time alert requests no fix after it was raised, nor after a restart",
    arguments: rules.dropLast() + [.notThereBy(.all)])
  func costsNothingAfterOnce(rule: AlertRule) throws {
    // A deadline is 2000 s after the beginning.
    let schedule = rule.hasDeadline ? try AlertBench.daily("2100") : nil
    let alert = Alert(id: 1, name: "a", rule, schedule: schedule, isOnce: true)
    var bench = AlertBench([Self.home], [alert])
    for minute in 0..<60 {
      let distance: Metres = minute % 20 < 10 || rule.hasDeadline ? 900 : 0
      bench.locate(distance, at: Double(minute) * 60)
    }
    #expect(bench.raised.count == 1 && bench.over == [1])
    #expect(bench.looks.compactMapValues { $0 }.isEmpty)
    #expect(!bench.engine.hasAlerts(on: Self.home) && bench.engine.guarding.isEmpty)
    var next = AlertBench([Self.home], [alert], restoring: bench.engine.snapshot, at: 3600)
    next.locate(900, at: 3610)
    #expect(next.looks.compactMapValues { $0 }.isEmpty)
  }

  @Test("shortly before it is on an alert requests a fix, and then reports events")
  func opens() throws {
    // On from 21:00, 2000 s after the beginning.
    let alert = Alert(
      id: 1, name: "a", .leave(.all), schedule: try AlertBench.daily("2100", minutes: 60))
    var bench = AlertBench([Self.home], [alert])
    bench.stand(0, from: 10)
    #expect(bench.looks[.places] == nil)
    let opens = 2000 - Alert.learningTime.value
    #expect(try #require(bench.wake).seconds == opens)
    bench.step(.timePassed, at: opens)
    let look = try #require(bench.looks[.places])
    #expect(look.at.seconds <= opens, "the last location is old")
    bench.locate(0, at: opens + 10)
    bench.stand(900, from: 2100)
    #expect(bench.told == ["leave: home"])
    bench.step(.timePassed, at: 5600)
    #expect(bench.looks[.places] == nil, "it is over for today")
    #expect(try #require(bench.wake).seconds == opens + 86_400)
  }

  @Test("leaving before the alert is on does not count") func early() throws {
    let alert = Alert(
      id: 1, name: "a", .leave(.all), schedule: try AlertBench.daily("2100", minutes: 60))
    var bench = AlertBench([Self.home], [alert])
    bench.stand(0, from: 10)
    bench.step(.timePassed, at: 1700)
    bench.stand(900, from: 1710)
    bench.stand(2000, from: 2100)
    #expect(bench.told == [] && bench.crossings.count == 2)
  }

  @Test("an active alert requests fixes, whatever others do") func others() throws {
    let off = Alert(id: 1, name: "off", .enter(.all), schedule: try Self.schedule(Self.ended))
    let on = Alert(id: 2, name: "on", .enter(.all))
    var bench = AlertBench([Self.home], [off, on])
    bench.locate(900, at: 10)
    #expect(bench.looks[.places] != nil)
    bench.step(.alerts([off]), at: 20)
    #expect(bench.looks[.places] == nil)
    bench.step(.alerts([off, on]), at: 30)
    #expect(bench.looks[.places] != nil)
  }

  @Test("a deadline is active for half a day before it, and until it is decided") func deadline()
    throws
  {
    let alert = Alert(
      id: 1, name: "a", .notThereBy(.all),
      schedule: try Self.schedule([
        "DTSTART:20260506T210000Z", "RRULE:FREQ=WEEKLY;BYDAY=WE,SU",
      ]))
    // The deadline is on Sunday at 21:00, three days and 2000 s from now.
    let due = 3 * 86_400.0 + 2000
    #expect(!alert.counting(at: AlertBench.date).counts)
    #expect(
      alert.counting(at: AlertBench.date).until == AlertBench.date + Seconds(due) - .hours(12))
    #expect(alert.counting(at: AlertBench.date + Seconds(due) - .hours(11)).counts)
    #expect(alert.counting(at: AlertBench.date + Seconds(due + 200)).counts)
    #expect(!alert.counting(at: AlertBench.date + Seconds(due + 400)).counts)
  }

  @Test("without a date every alert is active") func withoutDate() throws {
    let alert = Alert(id: 1, name: "a", .enter(.all), schedule: try Self.schedule(Self.ended))
    var bench = AlertBench([Self.home], [alert], date: nil)
    bench.locate(900, at: 10)
    #expect(bench.looks[.places] != nil)
  }
}
