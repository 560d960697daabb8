import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct SchedulePhaseTests {
  @Test("it agrees with the schedule in any order of dates") func anyOrder() throws {
    let schedule = try Schedule(
      calendar: "DTSTART:20260501T190000\nDURATION:PT3H\nRRULE:FREQ=WEEKLY;BYDAY=MO,FR",
      local: .utc, zones: { _ in nil })
    var random = SplitMix(seed: 3)
    var phase = SchedulePhase(schedule)
    #expect(!phase.isOn && phase.nextChange == nil)
    for _ in 0..<2000 {
      let date = UTCInstant(seconds: 1_777_600_000) + .hours(.random(in: 0...400, using: &random))
      phase.update(at: date)
      #expect(phase.isOn == schedule.isOn(at: date))
      #expect(phase.begin == schedule.occurrence(at: date)?.begin)
      #expect(phase.nextChange == schedule.nextChange(after: date))
    }
  }

  @Test("adjoining days are one period") func adjoining() throws {
    let schedule = try Schedule(
      calendar: "DTSTART:20260501T000000\nDURATION:P1D\nRRULE:FREQ=WEEKLY;BYDAY=FR,SA",
      local: .utc, zones: { _ in nil })
    var phase = SchedulePhase(schedule)
    let friday = UTCInstant(seconds: 1_777_600_000)
    phase.update(at: friday)
    #expect(phase.isOn && phase.begin == schedule.occurrence(at: friday)?.begin)
    phase.update(at: friday + .days(1))
    #expect(phase.isOn && phase.begin == nil)
  }

  @Test("a schedule that is over stays off") func over() throws {
    let schedule = try Schedule(
      calendar: "DTSTART:20260501T190000\nDURATION:PT3H", local: .utc, zones: { _ in nil })
    var phase = SchedulePhase(schedule)
    for day in 2...4 {
      phase.update(at: UTCInstant(seconds: 1_777_600_000) + .days(Double(day)))
      #expect(!phase.isOn && phase.nextChange == nil)
    }
  }
}
