import Records
import GNSS
import Core
import Testing

/// The receiver's power state and the properties derived from it.
@Suite struct ReceiverPowerStateTests {
  @Test("a receiver without a switch is ignored, not off")
  func ignored() {
    var bench = Bench(PowerWiring(mechanism: .none))
    #expect(bench.sequencer.receiver == .unknown)
    bench.want(.on)
    #expect(bench.sequencer.receiver == .starting)
    bench.want(.off)
    #expect(bench.sequencer.receiver == .ignored)
  }

  @Test("the states of a whole day")
  func wayThroughTheStates() {
    var bench = Bench(PowerSequencerTests.full)
    var seen: [ReceiverPowerState] = []
    func look() {
      if seen.last != bench.sequencer.receiver { seen.append(bench.sequencer.receiver) }
    }
    bench.want(.on)
    look()
    bench.pass(0.5)
    look()
    bench.pass(2, whileSpeaking: true)
    look()
    bench.want(.sleep)
    look()
    bench.pass(10)
    look()
    bench.want(.on)
    look()
    bench.pass(5, whileSpeaking: true)
    look()
    bench.want(.off)
    look()
    #expect(
      seen == [.settling, .starting, .on, .fallingAsleep, .asleep, .waking, .on, .off])
  }

  @Test("it is awake or at rest, never both", arguments: ReceiverPowerState.allCases)
  func awakeOrAtRest(state: ReceiverPowerState) {
    #expect(!(state.isAwake && state.isAtRest))
    #expect(!state.text.isEmpty)
  }
}
