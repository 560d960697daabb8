import Records
import Core

/// The sequences of steps, with their pauses, that bring a receiver on, to sleep or off. It reads
/// no clock and sets no line: it receives events and returns actions.
///
/// A sequence is completed before the next one begins, and lasts a few seconds at most, so that no
/// line is left in an intermediate state. Requests in the meantime are stored; the last one counts.
public struct PowerSequencer: Sendable {
  private let wiring: PowerWiring
  private let lines: PowerLineSequence
  private var state = SequencerState.unknown
  private var request = RequestedPowerState()
  private var dialogue: ReceiverDialogue
  /// Kept across the cuts and resets that it causes.
  private var recovery: Recovery

  public init(_ wiring: PowerWiring) {
    self.wiring = wiring
    lines = PowerLineSequence(wiring.lines)
    dialogue = ReceiverDialogue(wiring)
    recovery = Recovery(wiring)
  }

  // MARK: Known state

  /// The receiver's power state.
  public var receiver: ReceiverPowerState { state.receiver(canCut: wiring.canCut) }

  public var identity: ReceiverIdentity { dialogue.identity }

  /// The capabilities that the tracker needs.
  public var capabilities: PowerCapabilities { dialogue.capabilities }

  /// The last restart command that was sent to the receiver.
  public var restartCommand: RestartCommand? { dialogue.restartCommand }

  /// Why a restart is not possible now; nil: it is.
  public func objection(to restart: RestartKind) -> String? {
    guard state.isCommandable else {
      return "the receiver does not accept commands now: \(receiver.text); retry when it sends"
    }
    return dialogue.objection(to: restart)
  }

  /// When `timePassed` has an effect; nil if only an external event has one.
  public var due: BootInstant? {
    guard state.isOn else { return state.due }
    return .earlier(state.due, dialogue.due)
  }

  // MARK: Events

  public mutating func step(_ event: PowerEvent, at now: BootInstant) -> [PowerAction] {
    var step = SequencerStep(at: now)
    switch event {
    case .request(let state, let until):
      request.request(state, until: until)
      pursue(&step)
    case .expect(let until): request.expect(until: until)
    case .assist(let assistance): dialogue.assist(assistance)
    case .restart(let kind): dialogue.restart(kind, canBeCommanded: state.isCommandable, &step)
    case .listening(let isListening): listen(isListening, &step)
    case .received(let validFrames, let lacksSignals): receive(validFrames, lacksSignals, &step)
    case .answer(let answer): receive(answer, &step)
    case .unsent(let reason): dialogue.unsent(reason, &step)
    case .lineFailed(let line, let reason): lineFailed(line, reason, &step)
    case .timePassed: timePassed(&step)
    case .leave: leave(&step)
    }
    return step.actions
  }

  /// Starts the sequence from a stable state to the requested one.
  private mutating func pursue(_ step: inout SequencerStep) {
    guard let wanted = request.state else { return }
    switch state.sequence(to: wanted, canCut: wiring.canCut, canSleep: dialogue.canSleep) {
    case .powerUp: powerUp(&step)
    case .wake(let method): wake(method, &step)
    case .fallAsleep(let liveness): fallAsleep(liveness, &step)
    case .saveAndCut(let liveness): saveAndCut(liveness, &step)
    case .cut: cut(&step)
    case .complete(let reached): request.complete(reached, &step)
    case nil: return
    }
  }

  private mutating func timePassed(_ step: inout SequencerStep) {
    guard let due, step.now >= due else { return }
    switch state {
    case .unknown, .off: return
    case .asleep(let method, _, let liveness): sleepAgain(method, liveness, &step)
    case .on(let liveness):
      dialogue.proceed(&step)
      if let due = liveness.due, step.now >= due { recover(liveness, &step) }
    case .settling: poweredUp(&step)
    case .wakingByLine(let method, _):
      step.add(.set(.wake, active: false))
      openToWake(ReceiverLiveness(wiring), method, &step)
    case .nudging(var liveness, _):
      step.add(.set(.wake, active: false))
      liveness.expectStart(at: step.now)
      state = .on(liveness)
      pursue(&step)
    case .waking(let liveness, _):
      // Input from before the wake-up may be the rest of a sentence that the sleep cut off.
      step.add(.discardInput)
      enterOn(liveness, &step)
    case .fallingAsleep(let attempt, let liveness): decide(attempt, liveness, &step)
    case .saving(let saving, let liveness):
      dialogue.timedOut(saving, &step)
      saved(liveness, &step)
    case .powerCycling:
      state = .off
      if request.state == nil { powerUp(&step) } else { pursue(&step) }
    case .resetting(var liveness, _):
      step.add(.set(.reset, active: false))
      liveness.reset()
      dialogue.interrupt(&step)
      enterOn(liveness, &step)
    }
  }

  private mutating func listen(_ isListening: Bool, _ step: inout SequencerStep) {
    state.listen(isListening, at: step.now)
    guard !isListening else { return }
    switch state {
    case .fallingAsleep(_, let liveness): cannotCommand(liveness, &step)
    // Its GNSS function is already stopped, so that only a power cycle restores it.
    case .saving: request.state == .on ? powerCycle(&step) : cut(&step)
    default: return
    }
  }

  private mutating func receive(
    _ validFrames: Int, _ lacksSignals: Bool, _ step: inout SequencerStep
  ) {
    let isFirst = state.receive(validFrames: validFrames, at: step.now)
    if state.outputProvesLife { recovery.succeeded() }
    guard state.hasOutput else { return }
    if isFirst { dialogue.begin(&step) }
    if lacksSignals, state.isOn { dialogue.enableSignals(&step) }
  }

  private mutating func receive(_ answer: ReceiverAnswer, _ step: inout SequencerStep) {
    dialogue.receive(answer, isOn: state.isOn, canBeCommanded: state.isCommandable, &step)
    switch (answer, state) {
    // The receiver may report late what it restored at its start.
    case (.navigationDataBackup(let outcome), .saving(_, let liveness)) where outcome.answersSaving:
      dialogue.saved(outcome, &step)
      saved(liveness, &step)
    case (.navigationDataBackup(let outcome), .on): dialogue.restored(outcome, &step)
    case (.navigationData(let message), .saving(var saving, let liveness)):
      dialogue.take(message, &saving, at: step.now)
      state = .saving(saving, liveness)
    case (_, .fallingAsleep(let attempt, let liveness)):
      guard let refusal = answer.sleepRefusal else { return }
      refused(attempt.method, refusal, liveness, &step)
    default: return
    }
  }

  /// A line could not be set. If it is the supply line, the failure is reported, and the tracker
  /// retries with growing pauses. If it is another line, the supply is cut: a module that stays on
  /// unnoticed drains the battery, which is worse than a pin that is driven without supply.
  private mutating func lineFailed(_ line: PowerLine, _ why: String, _ step: inout SequencerStep) {
    // `state` is already the one that the actions would have led to.
    let isUnwanted = state.isOff || request.state == .off || request.state == .sleep
    state = .unknown
    step.add(.closeReceiver)
    if line != .supply, wiring.lines.contains(.supply) {
      state = .off
      step.set(lines.cutSupply)
      dialogue.supplyCut()
      if isUnwanted {
        step.log("switch-failed", why)
        return request.complete(.off, &step)
      }
    }
    request.fail(why, &step)
  }

  /// The daemon ends. Only immediate actions are possible; the switch itself sets the supply when
  /// it is closed (`on_exit`).
  private mutating func leave(_ step: inout SequencerStep) {
    if state.isOn, wiring.onExit == .off, !wiring.canCut { dialogue.sendFinalSleepCommand(&step) }
    if wiring.onExit == .off { closeAndCut(&step) } else { step.add(.closeReceiver) }
    state = .unknown
    step.add(.reached(.off))
    request.end()
  }

  // MARK: From off, or asleep, to on

  private mutating func powerUp(_ step: inout SequencerStep) {
    dialogue.interrupt(&step)
    step.set(lines.supply)
    guard wiring.lines.contains(.supply), wiring.settle > 0 else { return poweredUp(&step) }
    state = .settling(until: step.now + wiring.settle)
  }

  /// The module is supplied: its pins may be driven again.
  private mutating func poweredUp(_ step: inout SequencerStep) {
    step.openReceiver(lines.connect)
    enterOn(ReceiverLiveness(wiring), &step)
  }

  private mutating func enterOn(_ liveness: ReceiverLiveness, _ step: inout SequencerStep) {
    var liveness = liveness
    liveness.expectOutput(at: step.now)
    state = .on(liveness)
    if request.state == .on { request.complete(.on, &step) }
    pursue(&step)
  }

  /// Wakes it by the line if there is one, otherwise by bytes.
  private mutating func wake(_ method: SleepMethod, _ step: inout SequencerStep) {
    dialogue.interrupt(&step)
    if wiring.lines.contains(.wake), method.wakes.contains(.line) {
      step.add(.set(.wake, active: true))
      state = .wakingByLine(method, until: step.now + PowerLineSequence.wakePulse)
      return
    }
    openToWake(ReceiverLiveness(wiring), method, &step)
    guard !dialogue.wake(method, &step) else { return }
    // Only its own timer can wake it, if at all. Otherwise a power cycle is needed.
    wiring.canCut ? powerCycle(&step) : enterOn(ReceiverLiveness(wiring), &step)
  }

  private mutating func openToWake(
    _ liveness: ReceiverLiveness, _ method: SleepMethod, _ step: inout SequencerStep
  ) {
    step.openReceiver(lines.connect)
    state = .waking(liveness, until: step.now + method.settlesWithin)
  }

  /// Nothing was received in time.
  private mutating func recover(_ liveness: ReceiverLiveness, _ step: inout SequencerStep) {
    var liveness = liveness
    liveness.expectNothing()
    let (mayBeAsleep, silence) = (dialogue.mayBeAsleep, liveness.timeout)
    switch recovery.advance(mayBeAsleep: mayBeAsleep, silence: silence, &step) {
    case .wake:
      dialogue.wakeAnyhow(&step)
      guard !wiring.lines.contains(.wake) else {
        step.add(.set(.wake, active: true))
        state = .nudging(liveness, until: step.now + PowerLineSequence.wakePulse)
        return
      }
      liveness.expectStart(at: step.now)
    case .reset:
      step.add(.set(.reset, active: true))
      state = .resetting(liveness, until: step.now + PowerLineSequence.resetPulse)
      return
    case .powerCycle: return powerCycle(&step)
    case nil: break
    }
    state = .on(liveness)
  }

  private mutating func powerCycle(_ step: inout SequencerStep) {
    closeAndCut(&step)
    state = .powerCycling(until: step.now + PowerLineSequence.cutPause)
  }

  // MARK: From on to asleep

  /// If the receiver does not accept a method, the next one is used.
  private mutating func fallAsleep(_ liveness: ReceiverLiveness, _ step: inout SequencerStep) {
    guard dialogue.canSleep else { return cannotSleep(liveness, &step) }
    guard liveness.isListening else { return cannotCommand(liveness, &step) }
    // Silence proves nothing if it has not sent anything yet.
    guard liveness.hasOutput || !wiring.canCut else { return cut(&step) }
    let attempt = dialogue.fallAsleep(until: request.until, pace: liveness.pace, &step)
    guard let attempt else { return cannotSleep(liveness, &step) }
    state = .fallingAsleep(attempt, liveness)
  }

  /// Its line is closed, so that its silence cannot be detected.
  private mutating func cannotCommand(_ liveness: ReceiverLiveness, _ step: inout SequencerStep) {
    var liveness = liveness
    liveness.awaitStart()
    if request.state == .on { return enterOn(liveness, &step) }
    guard !wiring.canCut else { return cut(&step) }
    state = .unknown
    step.add(.closeReceiver)
    request.fail(
      "the receiver's line is not open, so it cannot be commanded to sleep (receiver.device)",
      &step)
  }

  /// Its own timer woke it: it is put to sleep again, unless a request arrives while it wakes.
  /// Otherwise it would search although its output is not read.
  private mutating func sleepAgain(
    _ method: SleepMethod, _ liveness: ReceiverLiveness, _ step: inout SequencerStep
  ) {
    var liveness = liveness
    liveness.reopen()
    request.sleepAgain()
    openToWake(liveness, method, &step)
  }

  private mutating func decide(
    _ attempt: SleepAttempt, _ liveness: ReceiverLiveness, _ step: inout SequencerStep
  ) {
    guard !attempt.hasOutput else {
      return refused(attempt.method, "it continued to send", liveness, &step)
    }
    state = .asleep(attempt.method, until: attempt.end, liveness)
    step.add(.closeReceiver)
    // Meanwhile, another state may have been requested.
    if let wanted = request.state, wanted != .sleep { return pursue(&step) }
    request.complete(.sleep, &step)
  }

  /// The receiver did not accept a command: uses the next method, if any.
  private mutating func refused(
    _ method: SleepMethod, _ how: String, _ liveness: ReceiverLiveness, _ step: inout SequencerStep
  ) {
    dialogue.refused(method, how, &step)
    state = .on(liveness)
    pursue(&step)
  }

  private mutating func cannotSleep(_ liveness: ReceiverLiveness, _ step: inout SequencerStep) {
    if wiring.canCut {
      saveAndCut(liveness, &step)
    } else {
      // It stays powered, with its line closed.
      state = .off
      step.add(.closeReceiver)
      request.complete(.off, &step)
    }
    if let reason = dialogue.sleepFailure { step.add(.sleepUnavailable(reason: reason)) }
  }

  // MARK: From on to off

  private mutating func saveAndCut(_ liveness: ReceiverLiveness, _ step: inout SequencerStep) {
    guard liveness.hasOutput, liveness.isListening, wiring.canCut,
      let saving = dialogue.save(&step)
    else { return cut(&step) }
    state = .saving(saving, liveness)
  }

  /// Saving the navigation data has ended: the supply is cut, unless the receiver is needed again.
  private mutating func saved(_ liveness: ReceiverLiveness, _ step: inout SequencerStep) {
    guard request.state == .on else { return cut(&step) }
    state = .on(liveness)
    dialogue.resume(&step)
    request.complete(.on, &step)
  }

  private mutating func cut(_ step: inout SequencerStep) {
    closeAndCut(&step)
    state = .off
    if request.state != .on { request.complete(.off, &step) }
  }

  private mutating func closeAndCut(_ step: inout SequencerStep) {
    step.closeReceiver(lines.cut)
    dialogue.supplyCut()
  }
}
