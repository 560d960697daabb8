import Core
import TestSupport
import Testing

/// Properties of every schedule, tested with random schedules from a seed.
@Suite struct SchedulePropertyTests {
  private static let zones = TZifSamples.names + ["UTC"]

  private func schedule(_ random: inout SplitMix) throws -> Schedule? {
    guard let rule = RandomRule.rule(&random) else { return nil }
    let zone = try TZifSamples.zone(Self.zones.randomElement(using: &random)!)
    let start = CivilTime(
      year: .random(in: 2010...2028, using: &random), month: .random(in: 1...12, using: &random),
      day: .random(in: 1...28, using: &random), hour: .random(in: 0...4, using: &random),
      minute: .random(in: 0...59, using: &random))
    let duration = try NominalDuration(
      days: .random(in: 0...2, using: &random), seconds: .random(in: 0...90_000, using: &random))
    let plain = try Schedule(start: start, in: zone, lasting: duration, rule: rule)
    let exceptions = plain.begins(30).filter { _ in Int.random(in: 0...4, using: &random) == 0 }
    return try Schedule(
      start: start, in: zone, lasting: duration, rule: rule, exceptions: exceptions)
  }

  @Test("with the rules of its zone it needs no database, and its future stays the same")
  func withZoneRules() throws {
    var random = SplitMix(seed: 4)
    // After the last change that the zone files list.
    let future = UTCInstant(seconds: 2_200_000_000)
    for _ in 0..<120 {
      guard let schedule = try schedule(&random) else { continue }
      let complete = try schedule.withZoneRules()
      #expect(try Schedule(withZoneRules: complete.calendar) == complete)
      #expect(try complete.withZoneRules() == complete)
      var (date, expected) = (future, schedule.next(after: future))
      for _ in 0..<20 {
        #expect(complete.next(after: date) == expected)
        guard let begin = expected?.begin else { break }
        (date, expected) = (begin, schedule.next(after: begin))
      }
    }
  }

  @Test("its state at an instant agrees with iterating over all occurrences")
  func bruteForce() throws {
    var random = SplitMix(seed: 1)
    var asked = 0
    for _ in 0..<120 {
      guard let schedule = try schedule(&random) else { continue }
      let begins = schedule.begins(60)
      guard let first = begins.first, let last = begins.last else { continue }
      let occurrences = try begins.map { try #require(schedule.latest(at: $0)) }
      #expect(occurrences.map(\.begin) == begins)
      #expect(zip(begins, begins.dropFirst()).allSatisfy { $0 < $1 })
      #expect(!begins.contains(where: schedule.exceptions.contains))
      for _ in 0..<60 {
        let instant = UTCInstant(
          nanoseconds: .random(in: first.nanoseconds...last.nanoseconds, using: &random))
        let expected = occurrences.last { $0.begin <= instant }
        #expect(schedule.latest(at: instant) == expected)
        #expect(schedule.isOn(at: instant) == (expected?.contains(instant) ?? false))
        #expect(
          schedule.isOn(at: instant) == occurrences.contains { $0.contains(instant) },
          "\(schedule.calendar) \(instant.calendarText)")
        #expect(schedule.next(after: instant)?.begin == begins.first { $0 > instant })
        asked += 1
      }
    }
    #expect(asked > 2000)
  }

  @Test("a count ends at the same occurrence as counting") func counts() throws {
    var random = SplitMix(seed: 2)
    for _ in 0..<300 {
      guard let rule = RandomRule.rule(&random), case .count(let count) = rule.end else { continue }
      let start = CivilTime(year: 2024, month: 2, day: .random(in: 1...29, using: &random))
      let endless = try RecurrenceRule(
        rule.frequency, interval: rule.interval, selecting: rule.selection,
        weekStart: rule.weekStart)
      let counted = try Schedule(start: start, in: .utc, rule: rule)
      let all = try Schedule(start: start, in: .utc, rule: endless)
      #expect(counted.begins(100) == all.begins(count))
    }
  }

  @Test("a written schedule is read as the same schedule") func roundTrip() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<100 {
      guard let schedule = try schedule(&random) else { continue }
      let text = schedule.calendar
      let read = try Schedule(calendar: text, local: .utc) { TZifSamples.find($0) }
      #expect(read == schedule)
      #expect(text.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.count <= 76 })
    }
  }

  @Test("no text causes a trap") func hostileText() throws {
    var random = SplitMix(seed: 4)
    let texts = ScheduleSample.all.map { Array($0.calendar().utf8) }
    var read = 0
    for round in 0..<20_000 {
      var bytes = texts[round % texts.count]
      if round % 10 == 0 { bytes = random.bytes(Int.random(in: 0...100, using: &random)) }
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] = UInt8.random(in: 48...57, using: &random)
        case 2: bytes.remove(at: place)
        default: bytes.insert(bytes.randomElement(using: &random)!, at: place)
        }
      }
      let schedule = try? Schedule(calendar: String(decoding: bytes, as: UTF8.self), local: .utc) {
        _ in .utc
      }
      guard let schedule else { continue }
      read += 1
      let instant = UTCInstant(nanoseconds: .random(in: .min ... .max, using: &random))
      _ = schedule.isOn(at: instant)
      _ = schedule.next(after: instant)
      let again = try Schedule(calendar: schedule.calendar, local: .utc) { _ in .utc }
      #expect(again == schedule)
    }
    #expect(read > 3000)
  }
}
