import Core
import TestSupport
import Testing

@testable import RadioSignals

@Suite struct ScanPlanTests {
  private static func at(_ seconds: Double) -> BootInstant { BootInstant.zero + Seconds(seconds) }

  @Test("scanning lasts two seconds of every five, from the start") func always() {
    var plan = ScanPlan(listening: 2, pause: 3)
    #expect(plan.step(.expected(true), at: Self.at(0)) == [.listen(true), .wake(Self.at(2))])
    #expect(plan.step(.timePassed, at: Self.at(1)) == [])
    #expect(plan.step(.timePassed, at: Self.at(2)) == [.listen(false), .wake(Self.at(5))])
    #expect(plan.step(.timePassed, at: Self.at(5)) == [.listen(true), .wake(Self.at(7))])
  }

  @Test("it scans only where a beacon is expected; no wakes elsewhere") func expected() {
    var plan = ScanPlan(listening: 2, pause: 3)
    #expect(plan.step(.timePassed, at: Self.at(0)) == [])
    #expect(plan.step(.expected(true), at: Self.at(10)) == [.listen(true), .wake(Self.at(12))])
    #expect(plan.step(.expected(true), at: Self.at(11)) == [])
    #expect(plan.step(.expected(false), at: Self.at(11)) == [.listen(false), .wake(nil)])
    #expect(plan.step(.timePassed, at: Self.at(500)) == [])
  }

  @Test("without a pause it scans all the time, and causes no wakes") func whole() {
    var plan = ScanPlan(listening: 2, pause: 0)
    #expect(plan.step(.expected(true), at: Self.at(0)) == [.listen(true)])
    #expect(plan.step(.timePassed, at: Self.at(100)) == [])
  }

  @Test(
    "for any events, scanning and wakes are consistent", arguments: 1...50 as ClosedRange<UInt64>)
  func anything(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var plan = ScanPlan(listening: 2, pause: 3)
    var isOn = false
    var isExpected = false
    var wake: BootInstant?
    var time = 0.0
    for _ in 0..<300 {
      let pause = Double(random.next() % 40) / 10
      time = wake.map { min(time + pause, max(time, ($0 - .zero).value)) } ?? (time + pause)
      if random.next() % 4 == 0 { isExpected.toggle() }
      for effect in plan.step(.expected(isExpected), at: Self.at(time)) {
        switch effect {
        case .listen(let turns):
          #expect(turns != isOn, "told only when it changes")
          isOn = turns
        case .wake(let instant): wake = instant
        }
      }
      #expect(isExpected || !isOn)
      #expect((wake != nil) == isExpected, "while one is expected it goes on")
      if let wake { #expect(wake > Self.at(time) && wake <= Self.at(time + 3)) }
    }
  }
}
