import Core
import Records
import TestSupport
import Testing

@testable import Messaging

/// Requirements for group tracking (Chughtai 2015, 4.3.2).
@Suite struct GroupWatchTests {
  private typealias Bench = GroupBench
  private static let (guide, mia, tom) = (Bench.guide, Bench.mia, Bench.tom)

  private func people(_ news: [GroupNotification]) -> [PersonAddress] {
    news.compactMap {
      switch $0 {
      case .fellBehind(let person, _), .back(let person), .joined(let person), .left(let person),
        .missing(let person, _), .receivedAgain(let person):
        person
      case .guideSilent, .guideReceived, .changed, .ended: nil
      }
    }
  }

  @Test("a class walks through a town, one child stays at a shop window, and one alert reports it")
  func leftBehind() {
    var bench = Bench(Bench.group(), [Self.mia, Self.tom])
    for minute in 0..<20 {
      bench.now = Double(minute) * 60
      let way = Metres(Double(minute) * 60)
      bench.tell(Self.guide, way)
      bench.tell(Self.mia, way - 50)
      // Tom stops after five minutes, and is fetched after fifteen.
      bench.tell(Self.tom, minute < 5 ? way + 20 : (minute < 15 ? 300 : way + 5))
    }
    #expect(bench.alerts.count == 1 && people(bench.news) == [Self.tom, Self.tom])
    guard case .fellBehind(_, let distance) = bench.news[0], case .back = bench.news[1] else {
      return #expect(Bool(false))
    }
    // The second position beyond 200 m, at minute 10.
    #expect((distance - 300).magnitude < 1)
  }

  @Test("far outside one position suffices; at the edge, within the errors, none does")
  func probability() {
    var bench = Bench(Bench.group(), [Self.mia])
    bench.tell(Self.guide, 0)
    bench.tell(Self.mia, 250, accuracy: 200)
    bench.now = 60
    bench.tell(Self.mia, 260, accuracy: 200)
    #expect(bench.alerts.isEmpty, "with such an error she may well be within")
    bench.now = 61
    bench.tell(Self.guide, 0)
    bench.tell(Self.mia, 900, accuracy: 10)
    #expect(people(bench.alerts) == [Self.mia])
  }

  @Test("the guide's own position error counts as much as a member's") func bothErrors() {
    for (accuracy, count) in [(Metres(5), 1), (Metres(300), 0)] {
      var bench = Bench(Bench.group(), [Self.mia])
      bench.tell(Self.guide, 0, accuracy: accuracy)
      bench.tell(Self.mia, 400)
      #expect(bench.alerts.count == count)
    }
  }

  @Test(
    "position errors at the edge cause at most one alert", arguments: 1...10 as ClosedRange<UInt64>)
  func noise(seed: UInt64) {
    var chance = SplitMix(seed: seed)
    var bench = Bench(Bench.group(), [Self.mia])
    for minute in 0..<300 {
      bench.now = Double(minute) * 60
      let error = (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0...1, using: &chance) }
      bench.tell(Self.guide, 0, accuracy: 10)
      bench.tell(Self.mia, Metres(200 + error * 6.6), accuracy: 10)
    }
    #expect(bench.alerts.count <= 1)
  }

  @Test("in a bus no member falls behind, although positions arrive one after the other")
  func bus() {
    var bench = Bench(Bench.group(), [Self.mia, Self.tom])
    // 25 m/s: 3 km between two positions of one person.
    for minute in stride(from: 0.0, to: 60, by: 2) {
      for (person, offset) in [(Self.guide, 0.0), (Self.mia, 40), (Self.tom, 75)] {
        bench.now = minute * 60 + offset
        bench.tell(person, Metres(bench.now * 25))
      }
    }
    #expect(bench.alerts.isEmpty)
    // A member who misses the bus is reported.
    for minute in stride(from: 60.0, to: 70, by: 2) {
      bench.now = minute * 60
      bench.tell(Self.guide, Metres(bench.now * 25))
      bench.now += 40
      bench.tell(Self.mia, 88_500)
      bench.now += 35
      bench.tell(Self.tom, Metres(bench.now * 25))
    }
    #expect(people(bench.alerts) == [Self.mia])
  }

  @Test("a silent member is reported once, and again when it happens again")
  func unheard() throws {
    var bench = Bench(Bench.group(), [Self.mia, Self.tom])
    for minute in 0..<40 {
      bench.now = Double(minute) * 60
      bench.tell(Self.guide, 0)
      bench.tell(Self.mia, 10)
      if minute < 5 || minute == 25 { bench.tell(Self.tom, 10) }
      if minute % 7 == 0 { try bench.restart() }
    }
    #expect(people(bench.news) == [Self.tom, Self.tom, Self.tom])
    guard case .missing(_, let since) = bench.news[0] else { return #expect(Bool(false)) }
    #expect(since == Bench.date + 240)
    #expect(bench.news[1] == .receivedAgain(Self.tom) && bench.alerts.count == 2)
  }

  @Test("a member who never sends a position is reported, too") func never() {
    var bench = Bench(Bench.group(), [Self.tom])
    for minute in 0..<15 {
      bench.now = Double(minute) * 60
      bench.tell(Self.guide, 0)
    }
    #expect(bench.alerts == [.missing(Self.tom, since: nil)])
  }

  @Test("a position older than the group's limit is ignored") func old() {
    var bench = Bench(Bench.group(), [Self.mia])
    bench.now = 1000
    bench.tell(Self.guide, 0, age: 0)
    bench.tell(Self.mia, 5000, age: 601)
    bench.tell(Self.guide, 0, age: 700)
    #expect(bench.alerts.allSatisfy { if case .fellBehind = $0 { false } else { true } })
    // The same holds for the guide's position.
    var other = Bench(Bench.group(), [Self.mia])
    other.tell(Self.guide, 0)
    other.now = 601
    other.tell(Self.mia, 5000)
    #expect(!other.news.contains { if case .fellBehind = $0 { true } else { false } })
  }

  @Test("without a date, or with a time in the future, no position is accepted") func dates() {
    var bench = Bench(Bench.group(), [Self.mia])
    bench.hasDate = false
    bench.tell(Self.guide, 0)
    #expect(
      bench.refused == ["time: its age cannot be determined: the date is not known yet"])
    bench.hasDate = true
    bench.tell(Self.mia, 5000, age: -61)
    #expect(bench.refused.last?.hasPrefix("time: its time is in the future") == true)
    thrown(MessageError.self) {
      try GroupPosition(
        Bench.start, accuracy: 5, at: UTCInstant(seconds: 300), of: Self.mia, in: Bench.id)
    }
  }

  @Test("a silent guide is reported once, without alerts for members") func silent() {
    var bench = Bench(Bench.group(), [Self.mia, Self.tom])
    for person in [Self.guide, Self.mia, Self.tom] { bench.tell(person, 0) }
    for minute in 1...60 {
      bench.now = Double(minute) * 60
      bench.step(.timePassed)
    }
    #expect(bench.news == [.guideSilent(since: Bench.date)])
    // When the connection is back, the others have the full timeout again.
    bench.now = 3700
    bench.tell(Self.guide, 0)
    bench.now = 3900
    bench.tell(Self.mia, 20)
    #expect(bench.news.last == .guideReceived && bench.news.count == 2)
    bench.now = 4299
    bench.tell(Self.guide, 0)
    #expect(bench.alerts.isEmpty)
    bench.now = 4301
    bench.step(.timePassed)
    #expect(people(bench.alerts) == [Self.tom])
  }

  @Test("only allowed people join, and delayed messages do not bring back a member who left")
  func coming() {
    var bench = Bench(Bench.group(allowed: .people([Self.mia])))
    bench.step(.attendance(Bench.join(Self.tom)))
    #expect(
      bench.refused == ["person: \(Self.tom) may not join this group: its guide must allow it"])
    bench.tell(Self.tom, 0)
    #expect(bench.refused.last == "person: the group is not for \(Self.tom)")
    // Her position arrives before her attendance message.
    bench.tell(Self.mia, 0)
    #expect(bench.refused.count == 2)
    for attendance in [
      Bench.join(Self.mia, at: 1), Bench.join(Self.mia, at: 1), Bench.join(Self.mia, .leave, at: 9),
      Bench.join(Self.mia, at: 5), Bench.join(Self.mia, .leave, at: 9),
    ] {
      bench.step(.attendance(attendance))
    }
    #expect(
      bench.news == [.joined(Self.mia), .left(Self.mia)] && bench.watch.state.members.isEmpty)
    // The leave may arrive first.
    var other = Bench()
    other.step(.attendance(Bench.join(Self.mia, .leave, at: 9)))
    other.step(.attendance(Bench.join(Self.mia, at: 5)))
    #expect(other.news == [] && other.watch.state.members.isEmpty)
  }

  @Test("a member who joined with a clock years ahead can leave with a correct one")
  func wrongClock() throws {
    var bench = Bench()
    bench.step(.attendance(Bench.join(Self.mia, at: 300_000_000)))
    try bench.restart()
    bench.now = 60
    bench.step(.attendance(Bench.join(Self.mia, .leave, at: 60)))
    #expect(bench.news == [.joined(Self.mia), .left(Self.mia)])
    // From then on, delayed messages are recognised.
    bench.step(.attendance(Bench.join(Self.mia, at: 30)))
    #expect(bench.news.count == 2)
    // Small clock differences are no reason to accept delayed messages.
    bench.step(.attendance(Bench.join(Self.mia, at: 110)))
    bench.step(.attendance(Bench.join(Self.mia, .leave, at: 100)))
    #expect(bench.news.count == 3 && bench.watch.state.members.count == 1)
  }

  @Test("only its guide changes a group, and old revisions change nothing") func changed() {
    var bench = Bench(Bench.group(revision: 2), [Self.mia, Self.tom])
    bench.step(.changed(Bench.group(revision: 1, range: 5000)))
    bench.step(.changed(Bench.group(revision: 9, guide: Self.mia, range: 5000)))
    #expect(bench.news == [] && bench.refused.count == 1 && bench.watch.group.range == 200)
    let closed = Bench.group(revision: 3, allowed: .people([Self.mia]))
    bench.step(.changed(closed))
    #expect(bench.news == [.changed([.invitation]), .left(Self.tom)])
  }

  @Test("an ended group is not reported any more, also after restarts") func ended() throws {
    var bench = Bench(Bench.group(ends: Bench.date + 100), [Self.mia])
    #expect(bench.wake.map { ($0.seconds - 100).magnitude < 0.01 } == true)
    bench.now = 100
    bench.step(.timePassed)
    #expect(bench.news == [.ended] && bench.wake == nil)
    try bench.restart()
    bench.now = 5000
    bench.step(.timePassed)
    bench.step(.attendance(Bench.join(Self.tom)))
    bench.tell(Self.mia, 9000)
    #expect(bench.news == [.ended])
  }

  @Test("members with old positions are queried as often as the group requires") func asking() {
    var bench = Bench(Bench.group(), [Self.mia])
    #expect(bench.asked == [[Self.guide, Self.mia]])
    for second in stride(from: 0.0, to: 600, by: 10) {
      bench.now = second
      bench.tell(Self.guide, 0)
      bench.step(.timePassed)
    }
    #expect(bench.asked.dropFirst() == [[Self.mia], [Self.mia], [Self.mia], [Self.mia]])
  }

  @Test("a group that one has not joined is only checked for its end") func outside() throws {
    var bench = Bench(Bench.group(), of: Self.tom)
    bench.step(.timePassed)
    #expect(bench.wake == nil && bench.asked.isEmpty)
    bench.step(.changed(Bench.group(revision: 2, ends: Bench.date + 9000)))
    #expect(bench.wake.map { ($0.seconds - 9000).magnitude < 0.01 } == true)
    bench.now = 5000
    bench.step(.timePassed)
    #expect(bench.asked.isEmpty && bench.news.isEmpty, "nobody misses its guide")
    // A joining member waits for the guide from then on, and no longer after leaving.
    bench.step(.attendance(Bench.join(Self.tom, at: 5000)))
    #expect(bench.wake.map { ($0.seconds - 5120).magnitude < 0.01 } == true)
    bench.now = 5601
    bench.step(.timePassed)
    #expect(bench.news.last == .guideSilent(since: nil))
    bench.step(.attendance(Bench.join(Self.tom, .leave, at: 5601)))
    #expect(bench.wake.map { ($0.seconds - 9000).magnitude < 0.01 } == true)
    bench.now = 9000
    bench.step(.timePassed)
    #expect(bench.watch.state.isEnded && bench.news.count == 1)
  }

  @Test("a rejoining member gets no alerts for members who were silent meanwhile") func again() {
    var bench = Bench(Bench.group(), [Self.mia, Self.tom], of: Self.tom)
    bench.tell(Self.guide, 0)
    bench.tell(Self.mia, 0)
    bench.step(.attendance(Bench.join(Self.tom, .leave, at: 1)))
    bench.now = 5000
    bench.step(.attendance(Bench.join(Self.tom, at: 5000)))
    #expect(bench.news.isEmpty, "his own doing")
    bench.now = 5599
    bench.tell(Self.guide, 0)
    bench.tell(Self.tom, 0)
    #expect(bench.news.isEmpty)
    bench.now = 5601
    bench.step(.timePassed)
    #expect(bench.news.last == .missing(Self.mia, since: Bench.date))
  }

  @Test("a group has at most a hundred people, and a flood does not enlarge it")
  func bounded() throws {
    var bench = Bench()
    for number in 0..<101 { bench.step(.attendance(Bench.join(try PersonAddress("p\(number)")))) }
    #expect(bench.watch.state.members.count == 100 && bench.refused.count == 1)
    for number in 0..<500 {
      bench.step(.attendance(Bench.join(try PersonAddress("q\(number)"), .leave)))
    }
    #expect(bench.stored.bytes.count < 60_000)
    #expect(try GroupState(bench.stored.bytes) == bench.watch.state)
  }
}
