import Core
import TestSupport
import Testing

@testable import Tracking

@Suite struct UTCClockTests {
  static let today = UTCInstant(seconds: 1_795_000_000)
  static let far = today + .days(4500)

  private static func clock(
    system: Seconds? = nil, synchronized: Bool = false, after state: JSONValue? = nil,
    boot: String? = nil
  ) -> UTCClock {
    var clock = UTCClock()
    clock.restore(state)
    let date = system.map {
      SystemDate(date: today + $0, read: .zero, isSynchronized: synchronized)
    }
    clock.started(system: date, boot: boot)
    return clock
  }

  /// Gives the clock a date; returns whether it was accepted.
  private static func tell(
    _ clock: inout UTCClock, _ date: UTCInstant, at seconds: Seconds = 10
  ) -> Bool {
    let received = BootInstant.zero + seconds
    guard case .accepted = clock.evaluate(date, received: received) else { return false }
    clock.receiverTime(date, at: received)
    return true
  }

  @Test("without confirmation a date counts, and is marked as unconfirmed")
  func noWitness() {
    var clock = Self.clock()
    #expect(Self.tell(&clock, Self.far))
    #expect(clock.isFromReceiver && clock.source == nil)
    #expect(clock.utc(at: .zero + 20) == Self.far + 10)
  }

  @Test("the system's clock confirms a date within a day")
  func systemAgrees() {
    for synchronized in [false, true] {
      for off in [-0.9, 0, 0.9] {
        var clock = Self.clock(system: .days(off), synchronized: synchronized)
        #expect(Self.tell(&clock, Self.today))
        #expect(clock.source == .systemClock)
      }
    }
  }

  @Test("an unsynchronized clock contradicts a date years ahead of it")
  func systemContradicts() {
    // The register contents of a real-time clock before its battery was inserted are not a date.
    var early = Self.clock(system: .days(4000))
    #expect(Self.tell(&early, Self.today))
    #expect(early.source == nil)
    var set = Self.clock(system: .days(4000), synchronized: true)
    #expect(!Self.tell(&set, Self.today))
    var late = Self.clock(system: 0)
    #expect(!Self.tell(&late, Self.far))
    // Meanwhile the records are dated by the system.
    #expect(late.utc(at: .zero) == Self.today)
    #expect(late.objection?.text.contains("the system's clock") == true)
    // Months without power, with a clock that continues from where it stopped.
    for days in [-200.0, 200] {
      var drawer = Self.clock(system: .days(days))
      #expect(Self.tell(&drawer, Self.today))
      #expect(drawer.source == nil)
    }
  }

  @Test("a synchronized clock contradicts any other date")
  func synchronizedClock() {
    for off in [-200.0, -2, 2, 200] {
      var clock = Self.clock(system: .days(off), synchronized: true)
      #expect(!Self.tell(&clock, Self.today))
    }
  }

  @Test("a date that has held for a day is accepted, despite any contradiction")
  func persistence() {
    var alone = Self.clock()
    var against = Self.clock(system: 0, synchronized: true)
    for hour in 0..<24 {
      let at = Seconds.hours(Double(hour))
      #expect(Self.tell(&alone, Self.far + at, at: at))
      #expect(alone.source == nil)
      #expect(!Self.tell(&against, Self.far + at, at: at))
    }
    #expect(Self.tell(&alone, Self.far + .days(1), at: .days(1)))
    #expect(alone.source == .persistence)
    #expect(Self.tell(&against, Self.far + .days(1), at: .days(1)))
    #expect(against.source == .persistence)
  }

  @Test("inconsistent dates never hold for a day")
  func wildDates() {
    var random = SplitMix(seed: 5)
    var clock = Self.clock(system: 0, synchronized: true)
    for minute in 0..<3000 {
      let wild = UTCInstant(seconds: Double(random.next() % 7_000_000_000))
      guard (wild - Self.today).magnitude > .days(30) else { continue }
      #expect(!Self.tell(&clock, wild, at: .minutes(Double(minute))))
    }
  }

  @Test("contradicting a later clock of the system requires confirmation")
  func lateSynchronization() {
    var clock = Self.clock()
    #expect(Self.tell(&clock, Self.far))
    clock.update(
      system: SystemDate(date: Self.today, read: .zero + 60, isSynchronized: true))
    #expect(!clock.isFromReceiver)
    #expect(!Self.tell(&clock, Self.far + 60, at: 70))
    #expect(Self.tell(&clock, Self.today + 10, at: 70))
    #expect(clock.source == .systemClock)
  }

  @Test("an unconfirmed date that changes is accepted; a confirmed one is kept")
  func changes() {
    var open = Self.clock()
    #expect(Self.tell(&open, Self.far))
    #expect(Self.tell(&open, Self.today, at: 20))
    var sure = Self.clock(system: 0)
    #expect(Self.tell(&sure, Self.today))
    sure.update(system: SystemDate(date: Self.far, read: .zero + 15, isSynchronized: false))
    #expect(!Self.tell(&sure, Self.far - .days(90), at: 20))
  }

  private static func state(
    witnessed: Bool, boot: String? = "a", heldFor: Seconds = 0
  ) -> JSONValue {
    .object([
      (
        "believed",
        RememberedDate.coding.json(
          RememberedDate(
            time: today, heldSince: today - heldFor, isConfirmed: witnessed, boot: boot,
            sinceBoot: 1000))
      )
    ])
  }

  @Test("the newest record confirms a date if its own date was confirmed")
  func storedRecords() {
    for (days, believed, source) in [
      (-2.0, false, nil), (-0.5, true, .storedRecords), (20, true, .storedRecords),
      (400, true, nil), (3000, false, nil),
    ] as [(Double, Bool, DateSource?)] {
      var clock = Self.clock(after: Self.state(witnessed: true), boot: "b")
      #expect(Self.tell(&clock, Self.today + .days(days)) == believed)
      #expect(clock.source == source)
      var unsure = Self.clock(after: Self.state(witnessed: false), boot: "b")
      #expect(Self.tell(&unsure, Self.today + .days(days)))
      // Two runs whose dates are a day apart or more persist.
      #expect(unsure.source == (days == 20 ? .persistence : nil))
    }
  }

  @Test("in the same run of the system the elapsed time is known")
  func sameBoot() {
    for (days, believed) in [(-2.0, false), (0, true), (2, false), (400, false)] {
      var clock = Self.clock(after: Self.state(witnessed: true), boot: "a")
      let now = Seconds(1000) + .hours(5)
      #expect(Self.tell(&clock, Self.today + .hours(5) + .days(days), at: now) == believed)
    }
  }

  @Test("a date that continues over restarts holds for a day in the end")
  func persistenceOverRestarts() {
    var state: JSONValue?
    var witnesses: [DateSource?] = []
    for day in 0..<3 {
      var clock = Self.clock(after: state, boot: "boot \(day)")
      #expect(Self.tell(&clock, Self.far + .days(Double(day)), at: 60))
      witnesses.append(clock.source)
      state = clock.snapshot(at: .zero + 60)
    }
    #expect(witnesses == [nil, .persistence, .storedRecords])
  }

  @Test("a refused date that continues over restarts holds for a day in the end")
  func refusedOverRestarts() {
    var state: JSONValue?
    var believed: [Bool] = []
    for day in 0..<3 {
      var clock = Self.clock(system: .days(Double(day)), synchronized: true, after: state)
      believed.append(Self.tell(&clock, Self.far + .days(Double(day)), at: 60))
      state = clock.snapshot(at: .zero + 60)
    }
    #expect(believed == [false, true, true])
  }

  @Test("a damaged snapshot is ignored")
  func damagedSnapshots() throws {
    for text in [
      "null", "3", "{}", #"{"believed":{"time":"2262-99-01"}}"#,
      #"{"refused":["2026-01-02","2026-01-01"]}"#, #"{"refused":[1]}"#,
    ] {
      var clock = Self.clock(after: try JSONValue(parsing: text))
      #expect(Self.tell(&clock, Self.far))
      #expect(clock.source == nil)
    }
  }

  @Test("a receiver that alternates between right and wrong is logged once an hour")
  func noFlood() {
    var clock = Self.clock(system: 0, synchronized: true)
    var news = 0
    for second in 0..<7200 {
      let at = Seconds(Double(second))
      let date = second % 2 == 0 ? Self.today + at : Self.far
      if case .refused(_, true) = clock.evaluate(date, received: .zero + at) { news += 1 }
    }
    #expect(news == 2)
  }
}
