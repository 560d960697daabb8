import GNSS
import Core
import Testing

/// Receivers that wake by themselves at the end of their sleep time.
@Suite struct SleepWithAnEndTests {
  private func asleep(until: Seconds) -> Bench {
    var bench = Bench(PowerWiring(mechanism: .command, family: .casic))
    bench.want(.on)
    bench.pass(5, whileSpeaking: true)
    bench.step(.request(.sleep, until: .zero + until))
    bench.pass(5)
    _ = bench.take()
    return bench
  }

  @Test("the receiver sleeps through an extended pause") func aPauseThatGrewIsSleptThrough() {
    var bench = asleep(until: 605)
    #expect(bench.sequencer.due == .zero + Seconds(605))
    bench.step(.expect(until: .zero + 3605))
    #expect(bench.take() == [])
    bench.pass(600)
    // The wake-up was not requested, so it is not reported.
    #expect(
      bench.take() == [
        "605.0 open", "605.0 discard", "605.5 discard", "605.5 send $PCAS12,3000*2D",
        "610.0 close",
      ])
    #expect(bench.sequencer.receiver == .asleep)
  }

  @Test("a sleep without a known end is renewed, with few wake-ups")
  func aSleepWithoutAKnownEndIsRenewed() {
    var bench = asleep(until: 5)
    let wakes = bench.pass(.days(3))
    #expect(wakes < 20)
    #expect(bench.take().count { $0.contains("send $PCAS12,65535") } == 3)
  }

  @Test("the time asleep does not count as an epoch interval")
  func pace() {
    var bench = asleep(until: 605)
    bench.pass(595)
    bench.step(.timePassed)
    bench.want(.on)
    bench.pass(5, whileSpeaking: true)
    bench.want(.sleep)
    bench.pass(5)
    #expect(bench.sequencer.receiver == .asleep)
  }

  @Test("the receiver is awake when it is needed") func itIsUpWhenItIsWanted() {
    var bench = asleep(until: 605)
    bench.pass(595)
    bench.step(.timePassed)
    bench.want(.on)
    bench.pass(1)
    #expect(bench.take().last == "605.5 reached on")
    #expect(!bench.take().contains { $0.contains("PCAS12") })
  }
}
