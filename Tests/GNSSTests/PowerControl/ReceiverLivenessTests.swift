import Core
import Testing

@testable import GNSS

/// When silence counts, and the attempts to end it.
@Suite struct ReceiverLivenessTests {
  static let switched = PowerWiring(mechanism: .lines, lines: [.supply], answersWithin: 10)
  static let unswitched = PowerWiring(mechanism: .none, answersWithin: 10)

  private func started(_ wiring: PowerWiring) -> ReceiverLiveness {
    var liveness = ReceiverLiveness(wiring)
    liveness.expectOutput(at: .zero)
    return liveness
  }

  @Test("after a start the receiver has its time to answer")
  func startTimeout() {
    #expect(started(Self.switched).due == .zero + Seconds(10))
    #expect(started(Self.unswitched).due == .zero + Seconds(10))
  }

  @Test("later silence counts if a recovery is possible")
  func laterSilence() {
    var liveness = started(Self.switched)
    liveness.receive(validFrames: 1, at: .zero + Seconds(2))
    #expect(liveness.due == .zero + Seconds(62))
    liveness = started(Self.unswitched)
    liveness.receive(validFrames: 1, at: .zero + Seconds(2))
    #expect(liveness.due == nil)
  }

  @Test("silence on a closed line does not count")
  func closedLine() {
    var liveness = started(Self.switched)
    liveness.listen(false)
    liveness.expectOutput(at: .zero)
    #expect(liveness.due == nil)
    liveness.reopen()
    liveness.expectOutput(at: .zero)
    #expect(liveness.due == .zero + Seconds(10))
  }

  @Test("bytes without a checksum are output, but do not confirm the speed")
  func noise() {
    var liveness = started(Self.switched)
    liveness.receive(validFrames: 0, at: .zero + Seconds(1))
    #expect(!liveness.hasOutput && liveness.due == .zero + Seconds(61))
  }

  @Test("the epoch interval is the longest pause between epochs, capped for gaps")
  func pace() {
    var liveness = started(Self.switched)
    for second in [1.0, 2, 7, 8] { liveness.receive(validFrames: 1, at: .zero + Seconds(second)) }
    #expect(liveness.pace == 5)
    liveness.receive(validFrames: 1, at: .zero + Seconds(500))
    #expect(liveness.pace == 20)
    liveness.reset()
    #expect(liveness.pace == 0 && !liveness.hasOutput)
  }

  @Test("each step is tried once, the gentlest first, and again after a success")
  func recoveryOrder() {
    var recovery = Recovery(PowerWiring(mechanism: .lines, lines: [.supply, .reset]))
    for _ in 0..<2 {
      var step = SequencerStep(at: .zero)
      var attempts: [Recovery.Attempt?] = []
      for _ in 0..<5 {
        attempts.append(recovery.advance(mayBeAsleep: true, silence: 60, &step))
      }
      #expect(attempts == [.wake, .reset, .powerCycle, nil, nil])
      // Waking is not logged; each of the others is.
      #expect(step.actions.count == 4)
      recovery.succeeded()
    }
  }

  @Test("a receiver that could not be woken is reported as possibly asleep")
  func perhapsAsleep() {
    for mayBeAsleep in [true, false] {
      var recovery = Recovery(Self.unswitched)
      var step = SequencerStep(at: .zero)
      for _ in 0..<2 { _ = recovery.advance(mayBeAsleep: mayBeAsleep, silence: 10, &step) }
      guard case .log(let event)? = step.actions.first else { return #expect(Bool(false)) }
      #expect(event.reason.contains("asleep since an earlier run") == mayBeAsleep)
    }
  }

  @Test("without a switch, silence is only reported")
  func nothingToTry() {
    var recovery = Recovery(Self.unswitched)
    var step = SequencerStep(at: .zero)
    #expect(recovery.advance(mayBeAsleep: false, silence: 10, &step) == nil)
    #expect(step.actions.count == 1)
  }
}
