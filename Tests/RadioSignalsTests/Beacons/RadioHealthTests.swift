import Core
import Testing

@testable import RadioSignals

@Suite struct RadioHealthTests {
  @Test("silence is no fault before the first reception") func empty() {
    var health = RadioHealth()
    for _ in 0..<1000 { #expect(health.step(.listened(100)) == []) }
  }

  @Test("a silent radio is reset once, then at growing intervals, and its recovery is reported")
  func hung() {
    var health = RadioHealth()
    _ = health.step(.received)
    #expect(health.step(.listened(299)) == [])
    #expect(health.step(.listened(1)) == [.restart(afterSilence: 300)])
    _ = health.step(.restarted)
    var pauses: [Double] = []
    var silent = 0.0
    for _ in 0..<400_000 {
      silent += 10
      if !health.step(.listened(10)).isEmpty {
        pauses.append(silent)
        silent = 0
      }
    }
    #expect(pauses.prefix(4) == [600, 1200, 2400, 4800])
    #expect(pauses.max() == 86_400)
    #expect(health.step(.received) == [.recovered])
    #expect(health.step(.received) == [])
    #expect(health.step(.listened(300)) == [.restart(afterSilence: 300)], "patience is as before")
  }

  @Test("a radio that receives is left alone") func healthy() {
    var health = RadioHealth()
    for _ in 0..<1000 {
      #expect(health.step(.received) == [])
      #expect(health.step(.listened(200)) == [])
    }
  }
}
