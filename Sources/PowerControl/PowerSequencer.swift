import Energy
import Quantities
import ReceiverProtocols

/// The steps, their order and their pauses, that bring a receiver on, to sleep or off. It reads no
/// clock and touches no line: it takes events and answers with actions.
///
/// A sequence is finished before the next one begins, and none lasts longer than a few seconds, so
/// that no line is ever left half way. Requests in the meantime are remembered; the last one
/// counts.
public struct PowerSequencer: Sendable {
  private let wiring: PowerWiring
  private let lines: PowerLineOrder
  private var state = SequencerState.unknown
  private var wish = RequestedPowerState()
  private var dialogue: ReceiverConversation
  /// Kept through the cuts and resets that it causes.
  private var recovery: Recovery

  public init(_ wiring: PowerWiring) {
    self.wiring = wiring
    lines = PowerLineOrder(wiring.lines)
    dialogue = ReceiverConversation(wiring)
    recovery = Recovery(wiring)
  }

  // MARK: What is known

  /// What the receiver is doing.
  public var receiver: ReceiverPowerState { state.receiver(canCut: wiring.canCut) }

  public var identity: ReceiverIdentity { dialogue.identity }

  /// What the tracker needs to know.
  public var capabilities: PowerCapabilities { dialogue.capabilities }

  /// The last command to start again that the receiver was sent.
  public var restartCommand: RestartCommand? { dialogue.restartCommand }

  /// Why the receiver cannot be told to start again now; nil: it can.
  public func objection(to restart: RestartKind) -> String? {
    guard state.isCommandable else {
      return "the receiver does not take commands now: \(receiver.text); ask again when it sends"
    }
    return dialogue.objection(to: restart)
  }

  /// When `timePassed` has something to do; nil when only an external event can cause it.
  public var due: BootInstant? {
    guard state.isOn else { return state.due }
    return .earlier(state.due, dialogue.due)
  }

  // MARK: Events

  public mutating func step(_ event: PowerEvent, at now: BootInstant) -> [PowerAction] {
    var turn = SequencerStep(at: now)
    switch event {
    case .want(let state, let until):
      wish.want(state, until: until)
      pursue(&turn)
    case .expect(let until): wish.expect(until: until)
    case .assist(let assistance): dialogue.assist(assistance)
    case .restart(let kind): dialogue.restart(kind, canBeCommanded: state.isCommandable, &turn)
    case .listening(let isListening): listen(isListening, &turn)
    case .received(let validFrames, let lacksSignals): receive(validFrames, lacksSignals, &turn)
    case .answer(let answer): receive(answer, &turn)
    case .unsent(let reason): dialogue.unsent(reason, &turn)
    case .lineFailed(let line, let reason): lineFailed(line, reason, &turn)
    case .timePassed: timePassed(&turn)
    case .leave: leave(&turn)
    }
    return turn.actions
  }

  /// Starts the sequence from a stable state to the requested one.
  private mutating func pursue(_ turn: inout SequencerStep) {
    guard let wanted = wish.state else { return }
    switch state.sequence(to: wanted, canCut: wiring.canCut, canSleep: dialogue.canSleep) {
    case .powerUp: powerUp(&turn)
    case .wake(let method): wake(method, &turn)
    case .fallAsleep(let liveness): fallAsleep(liveness, &turn)
    case .saveAndCut(let liveness): saveAndCut(liveness, &turn)
    case .cut: cut(&turn)
    case .complete(let reached): wish.complete(reached, &turn)
    case nil: return
    }
  }

  private mutating func timePassed(_ turn: inout SequencerStep) {
    guard let due, turn.now >= due else { return }
    switch state {
    case .unknown, .off: return
    case .asleep(let method, _, let liveness): sleepAgain(method, liveness, &turn)
    case .on(let liveness):
      dialogue.proceed(&turn)
      if let due = liveness.due, turn.now >= due { recover(liveness, &turn) }
    case .settling: poweredUp(&turn)
    case .wakingByLine(let method, _):
      turn.add(.set(.wake, active: false))
      openToWake(ReceiverLiveness(wiring), method, &turn)
    case .nudging(var liveness, _):
      turn.add(.set(.wake, active: false))
      liveness.expectStart(at: turn.now)
      state = .on(liveness)
      pursue(&turn)
    case .waking(let liveness, _):
      // Input from before the wake-up may be the rest of a sentence that the sleep cut off.
      turn.add(.discardInput)
      enterOn(liveness, &turn)
    case .fallingAsleep(let attempt, let liveness): decide(attempt, liveness, &turn)
    case .saving(let saving, let liveness):
      dialogue.timedOut(saving, &turn)
      saved(liveness, &turn)
    case .powerCycling:
      state = .off
      if wish.state == nil { powerUp(&turn) } else { pursue(&turn) }
    case .resetting(var liveness, _):
      turn.add(.set(.reset, active: false))
      liveness.reset()
      dialogue.interrupt(&turn)
      enterOn(liveness, &turn)
    }
  }

  private mutating func listen(_ isListening: Bool, _ turn: inout SequencerStep) {
    state.listen(isListening, at: turn.now)
    guard !isListening else { return }
    switch state {
    case .fallingAsleep(_, let liveness): cannotBeTold(liveness, &turn)
    // It has been told to stop GNSS, so only a power cycle brings it back.
    case .saving: wish.state == .on ? powerCycle(&turn) : cut(&turn)
    default: return
    }
  }

  private mutating func receive(
    _ validFrames: Int, _ lacksSignals: Bool, _ turn: inout SequencerStep
  ) {
    let isFirst = state.receive(validFrames: validFrames, at: turn.now)
    if state.outputProvesLife { recovery.succeeded() }
    guard state.hasOutput else { return }
    if isFirst { dialogue.begin(&turn) }
    if lacksSignals, state.isOn { dialogue.missSignals(&turn) }
  }

  private mutating func receive(_ answer: ReceiverAnswer, _ turn: inout SequencerStep) {
    dialogue.hear(answer, isOn: state.isOn, canBeCommanded: state.isCommandable, &turn)
    switch (answer, state) {
    // What it restored at its start it may say late.
    case (.navigationDataBackup(let outcome), .saving(_, let liveness)) where outcome.answersSaving:
      dialogue.saved(outcome, &turn)
      saved(liveness, &turn)
    case (.navigationDataBackup(let outcome), .on): dialogue.restored(outcome, &turn)
    case (.navigationData(let message), .saving(var saving, let liveness)):
      dialogue.take(message, &saving, at: turn.now)
      state = .saving(saving, liveness)
    case (_, .fallingAsleep(let attempt, let liveness)):
      guard let refusal = answer.sleepRefusal else { return }
      refused(attempt.method, refusal, liveness, &turn)
    default: return
    }
  }

  /// A line could not be set. If it was the supply, the failure is reported, and the tracker tries
  /// again with growing pauses. If it was another line, the supply is cut: a module that runs
  /// unnoticed drains the battery, which is worse than a pin that is driven without supply.
  private mutating func lineFailed(_ line: PowerLine, _ why: String, _ turn: inout SequencerStep) {
    // `state` is already the one that the actions would have led to.
    let isUnwanted = state.isOff || wish.state == .off || wish.state == .sleep
    state = .unknown
    turn.add(.closeReceiver)
    if line != .supply, wiring.lines.contains(.supply) {
      state = .off
      turn.set(lines.cutSupply)
      dialogue.supplyCut()
      if isUnwanted {
        turn.log("switch-failed", why)
        return wish.complete(.off, &turn)
      }
    }
    wish.fail(why, &turn)
  }

  /// The daemon ends. Only what takes no time can be done; the switch itself sets the supply when
  /// it is closed (`on_exit`).
  private mutating func leave(_ turn: inout SequencerStep) {
    if state.isOn, wiring.onExit == .off, !wiring.canCut { dialogue.sendLastOrder(&turn) }
    if wiring.onExit == .off { closeAndCut(&turn) } else { turn.add(.closeReceiver) }
    state = .unknown
    turn.add(.reached(.off))
    wish.end()
  }

  // MARK: From off, or asleep, to on

  private mutating func powerUp(_ turn: inout SequencerStep) {
    dialogue.interrupt(&turn)
    turn.set(lines.supply)
    guard wiring.lines.contains(.supply), wiring.settle > 0 else { return poweredUp(&turn) }
    state = .settling(until: turn.now + wiring.settle)
  }

  /// The module has its supply: its pins may be driven again.
  private mutating func poweredUp(_ turn: inout SequencerStep) {
    turn.openReceiver(lines.connect)
    enterOn(ReceiverLiveness(wiring), &turn)
  }

  private mutating func enterOn(_ liveness: ReceiverLiveness, _ turn: inout SequencerStep) {
    var liveness = liveness
    liveness.expectOutput(at: turn.now)
    state = .on(liveness)
    if wish.state == .on { wish.complete(.on, &turn) }
    pursue(&turn)
  }

  /// From sleep: by the line if there is one, otherwise by bytes.
  private mutating func wake(_ method: SleepMethod, _ turn: inout SequencerStep) {
    dialogue.interrupt(&turn)
    if wiring.lines.contains(.wake), method.wakes.contains(.line) {
      turn.add(.set(.wake, active: true))
      state = .wakingByLine(method, until: turn.now + PowerLineOrder.wakePulse)
      return
    }
    openToWake(ReceiverLiveness(wiring), method, &turn)
    guard !dialogue.wake(method, &turn) else { return }
    // Its own timer wakes it, or nothing does: then only a power cycle is left.
    wiring.canCut ? powerCycle(&turn) : enterOn(ReceiverLiveness(wiring), &turn)
  }

  private mutating func openToWake(
    _ liveness: ReceiverLiveness, _ method: SleepMethod, _ turn: inout SequencerStep
  ) {
    turn.openReceiver(lines.connect)
    state = .waking(liveness, until: turn.now + method.settlesWithin)
  }

  /// Nothing was received in time.
  private mutating func recover(_ liveness: ReceiverLiveness, _ turn: inout SequencerStep) {
    var liveness = liveness
    liveness.expectNothing()
    let (mayBeAsleep, silence) = (dialogue.mayBeAsleep, liveness.timeout)
    switch recovery.advance(mayBeAsleep: mayBeAsleep, silence: silence, &turn) {
    case .wake:
      dialogue.wakeAnyhow(&turn)
      guard !wiring.lines.contains(.wake) else {
        turn.add(.set(.wake, active: true))
        state = .nudging(liveness, until: turn.now + PowerLineOrder.wakePulse)
        return
      }
      liveness.expectStart(at: turn.now)
    case .reset:
      turn.add(.set(.reset, active: true))
      state = .resetting(liveness, until: turn.now + PowerLineOrder.resetPulse)
      return
    case .powerCycle: return powerCycle(&turn)
    case nil: break
    }
    state = .on(liveness)
  }

  private mutating func powerCycle(_ turn: inout SequencerStep) {
    closeAndCut(&turn)
    state = .powerCycling(until: turn.now + PowerLineOrder.cutPause)
  }

  // MARK: From on to asleep

  /// If the receiver does not obey, the next method is used.
  private mutating func fallAsleep(_ liveness: ReceiverLiveness, _ turn: inout SequencerStep) {
    guard dialogue.canSleep else { return cannotSleep(liveness, &turn) }
    guard liveness.isListening else { return cannotBeTold(liveness, &turn) }
    // Silence proves nothing if it has not sent anything yet.
    guard liveness.hasOutput || !wiring.canCut else { return cut(&turn) }
    let attempt = dialogue.fallAsleep(until: wish.until, pace: liveness.pace, &turn)
    guard let attempt else { return cannotSleep(liveness, &turn) }
    state = .fallingAsleep(attempt, liveness)
  }

  /// Its line is not open, so its silence could not be noticed.
  private mutating func cannotBeTold(_ liveness: ReceiverLiveness, _ turn: inout SequencerStep) {
    var liveness = liveness
    liveness.awaitStart()
    if wish.state == .on { return enterOn(liveness, &turn) }
    guard !wiring.canCut else { return cut(&turn) }
    state = .unknown
    turn.add(.closeReceiver)
    wish.fail(
      "the receiver's line is not open, so it cannot be commanded to sleep (receiver.device)",
      &turn)
  }

  /// Its own timer has woken it. A request arrives while it wakes; otherwise it would search with
  /// nobody listening.
  private mutating func sleepAgain(
    _ method: SleepMethod, _ liveness: ReceiverLiveness, _ turn: inout SequencerStep
  ) {
    var liveness = liveness
    liveness.reopen()
    wish.sleepAgain()
    openToWake(liveness, method, &turn)
  }

  private mutating func decide(
    _ attempt: SleepAttempt, _ liveness: ReceiverLiveness, _ turn: inout SequencerStep
  ) {
    guard !attempt.hasOutput else {
      return refused(attempt.method, "it went on sending", liveness, &turn)
    }
    state = .asleep(attempt.method, until: attempt.end, liveness)
    turn.add(.closeReceiver)
    // It may be wanted on, or without supply, by now.
    if let wanted = wish.state, wanted != .sleep { return pursue(&turn) }
    wish.complete(.sleep, &turn)
  }

  /// The receiver did not obey a command: uses the next method, if any.
  private mutating func refused(
    _ method: SleepMethod, _ how: String, _ liveness: ReceiverLiveness, _ turn: inout SequencerStep
  ) {
    dialogue.refused(method, how, &turn)
    state = .on(liveness)
    pursue(&turn)
  }

  private mutating func cannotSleep(_ liveness: ReceiverLiveness, _ turn: inout SequencerStep) {
    if wiring.canCut {
      saveAndCut(liveness, &turn)
    } else {
      // It stays powered, with its line closed.
      state = .off
      turn.add(.closeReceiver)
      wish.complete(.off, &turn)
    }
    if let reason = dialogue.sleepFailure { turn.add(.sleepUnavailable(reason: reason)) }
  }

  // MARK: From on to off

  private mutating func saveAndCut(_ liveness: ReceiverLiveness, _ turn: inout SequencerStep) {
    guard liveness.hasOutput, liveness.isListening, wiring.canCut,
      let saving = dialogue.save(&turn)
    else { return cut(&turn) }
    state = .saving(saving, liveness)
  }

  /// Its navigation data is as safe as it can be: the supply may be cut, unless the receiver is
  /// wanted again by now.
  private mutating func saved(_ liveness: ReceiverLiveness, _ turn: inout SequencerStep) {
    guard wish.state == .on else { return cut(&turn) }
    state = .on(liveness)
    dialogue.resume(&turn)
    wish.complete(.on, &turn)
  }

  private mutating func cut(_ turn: inout SequencerStep) {
    closeAndCut(&turn)
    state = .off
    if wish.state != .on { wish.complete(.off, &turn) }
  }

  private mutating func closeAndCut(_ turn: inout SequencerStep) {
    turn.closeReceiver(lines.cut)
    dialogue.supplyCut()
  }
}
