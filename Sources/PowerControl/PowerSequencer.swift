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
  private var wish = PowerWish()
  private var identification: ReceiverIdentification
  private var setup: ReceiverSetup
  private var navigation: NavigationData
  private var sleepMethods: SleepMethods
  /// Kept through the cuts and resets that it causes.
  private var recovery: Recovery

  public init(_ wiring: PowerWiring) {
    self.wiring = wiring
    lines = PowerLineOrder(wiring.lines)
    identification = ReceiverIdentification(wiring)
    setup = ReceiverSetup(wiring)
    navigation = NavigationData(wiring)
    sleepMethods = SleepMethods(wiring)
    recovery = Recovery(wiring)
  }

  // MARK: What is known

  /// What the receiver is doing.
  public var receiver: ReceiverPowerState { state.receiver(canCut: wiring.canCut) }

  public var identity: ReceiverIdentity { identification.identity }

  /// Whether it can be put to sleep, as far as is known.
  public var canSleep: Bool { sleepMethods.first(commands.abilities) != nil }

  /// What the tracker needs to know.
  public var capabilities: PowerCapabilities {
    PowerCapabilities(
      canSleep: canSleep, canCut: wiring.canCut,
      hasBackup: navigation.outlivesCut(commands.abilities))
  }

  /// When `timePassed` has something to do; nil when only an external event can cause it.
  public var due: BootInstant? {
    guard state.isOn else { return state.due }
    return .earlier(state.due, identification.due)
  }

  private var commands: ReceiverCommands { identification.commands }

  // MARK: Events

  public mutating func step(_ event: PowerEvent, at now: BootInstant) -> [PowerAction] {
    var turn = SequencerTurn(at: now)
    switch event {
    case .want(let state, let until):
      wish.want(state, until: until)
      pursue(&turn)
    case .expect(let until): wish.expect(until: until)
    case .assist(let assistance): navigation.assist(assistance)
    case .restart(let kind):
      navigation.restart(kind, canBeCommanded: state.isOn && state.hasOutput, commands, &turn)
    case .listening(let isListening): listen(isListening, &turn)
    case .received(let validFrames, let lacksSignals): receive(validFrames, lacksSignals, &turn)
    case .answer(let answer): receive(answer, &turn)
    case .lineFailed(let line, let reason): lineFailed(line, reason, &turn)
    case .timePassed: timePassed(&turn)
    case .leave: leave(&turn)
    }
    return turn.actions
  }

  /// Starts the sequence from a stable state to the requested one.
  private mutating func pursue(_ turn: inout SequencerTurn) {
    guard let wanted = wish.state else { return }
    switch state.sequence(to: wanted, canCut: wiring.canCut, canSleep: canSleep) {
    case .powerUp: powerUp(&turn)
    case .wake(let method): wake(method, &turn)
    case .fallAsleep(let liveness): fallAsleep(liveness, &turn)
    case .saveAndCut(let liveness): saveAndCut(liveness, &turn)
    case .cut: cut(&turn)
    case .complete(let reached): complete(reached, &turn)
    case nil: return
    }
  }

  /// A state was reached. That completes the request, unless another state is wanted by now.
  private mutating func complete(_ reached: PowerState, _ turn: inout SequencerTurn) {
    if !wish.isInternal { turn.add(.reached(reached)) }
    wish.end()
  }

  private mutating func timePassed(_ turn: inout SequencerTurn) {
    guard let due, turn.now >= due else { return }
    switch state {
    case .unknown, .off: return
    case .asleep(let method, _, let liveness): sleepAgain(method, liveness, &turn)
    case .on(let liveness):
      turn.send(identification.proceed(at: turn.now))
      if let due = liveness.due, turn.now >= due { recover(liveness, &turn) }
    case .settling: poweredUp(&turn)
    case .wakingByLine(let method, _): releaseWakeLine(method, &turn)
    case .waking(let liveness, _):
      // Input from before the wake-up may be the rest of a sentence that the sleep cut off.
      turn.add(.discardInput)
      enterOn(liveness, &turn)
    case .fallingAsleep(let attempt, let liveness): decide(attempt, liveness, &turn)
    case .saving(let saving, let liveness):
      navigation.timedOut(saving, &turn)
      saved(liveness, &turn)
    case .powerCycling:
      state = .off
      if wish.state == nil { powerUp(&turn) } else { pursue(&turn) }
    case .resetting(var liveness, _):
      turn.add(.set(.reset, active: false))
      liveness.reset()
      identification.stop()
      enterOn(liveness, &turn)
    }
  }

  private mutating func listen(_ isListening: Bool, _ turn: inout SequencerTurn) {
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
    _ validFrames: Int, _ lacksSignals: Bool, _ turn: inout SequencerTurn
  ) {
    let hadOutput = state.hasOutput
    state.receive(validFrames: validFrames, at: turn.now)
    if state.outputProvesLife { recovery.succeeded() }
    guard state.hasOutput else { return }
    // The first frames after a start: now the receiver can take commands.
    if !hadOutput {
      turn.send(setup.begin(commands))
      navigation.restore(commands, &turn)
      turn.send(identification.begin(at: turn.now))
    }
    if lacksSignals, state.isOn { turn.send(setup.missSignals(commands)) }
  }

  private mutating func receive(_ answer: ReceiverAnswer, _ turn: inout SequencerTurn) {
    let before = capabilities
    if let identity = identification.learn(answer) {
      turn.add(.identified(identity))
      // Bytes would wake one that falls asleep, and its next start comes with these anyway.
      if state.isOn, state.hasOutput { turn.send(setup.identified(commands)) }
    }
    if capabilities != before { turn.add(.capabilitiesChanged) }
    turn.send(identification.proceed(at: turn.now, isOn: state.isOn))
    switch (answer, state) {
    // What it restored at its start it may say late.
    case (.navigationDataBackup(let outcome), .saving(_, let liveness)) where outcome.answersSaving:
      navigation.saved(outcome, &turn)
      saved(liveness, &turn)
    case (.navigationDataBackup(let outcome), .on): navigation.restored(outcome, commands, &turn)
    case (.navigationData(let message), .saving(var saving, let liveness)):
      navigation.take(message, &saving, at: turn.now)
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
  private mutating func lineFailed(_ line: PowerLine, _ why: String, _ turn: inout SequencerTurn) {
    // `state` is already the one that the actions would have led to.
    let isUnwanted = state.isOff || wish.state == .off || wish.state == .sleep
    state = .unknown
    turn.add(.closeReceiver)
    if line != .supply, wiring.lines.contains(.supply) {
      state = .off
      turn.set(lines.cutSupply)
      navigation.supplyCut()
      if isUnwanted {
        turn.log("line-failed", why)
        return complete(.off, &turn)
      }
    }
    wish.end()
    turn.add(.failed(reason: why))
  }

  /// The daemon ends. Only what takes no time can be done; the switch itself sets the supply when
  /// it is closed (`on_exit`).
  private mutating func leave(_ turn: inout SequencerTurn) {
    if state.isOn, wiring.onExit == .off, !wiring.canCut {
      turn.send(sleepMethods.lastOrder(commands))
    }
    if wiring.onExit == .off { closeAndCut(&turn) } else { turn.add(.closeReceiver) }
    state = .unknown
    turn.add(.reached(.off))
    wish.end()
  }

  // MARK: From off, or asleep, to on

  private mutating func powerUp(_ turn: inout SequencerTurn) {
    identification.stop()
    turn.set(lines.supply)
    guard wiring.lines.contains(.supply), wiring.settle > 0 else { return poweredUp(&turn) }
    state = .settling(until: turn.now + wiring.settle)
  }

  /// The module has its supply: its pins may be driven again.
  private mutating func poweredUp(_ turn: inout SequencerTurn) {
    openLine(&turn)
    enterOn(ReceiverLiveness(wiring), &turn)
  }

  private func openLine(_ turn: inout SequencerTurn) {
    turn.set(lines.connect)
    turn.add(.openReceiver)
    turn.add(.discardInput)
  }

  private mutating func enterOn(_ liveness: ReceiverLiveness, _ turn: inout SequencerTurn) {
    var liveness = liveness
    liveness.expectOutput(at: turn.now)
    state = .on(liveness)
    if wish.state == .on { complete(.on, &turn) }
    pursue(&turn)
  }

  /// From sleep: by the line if there is one, otherwise by bytes.
  private mutating func wake(_ method: SleepMethod, _ turn: inout SequencerTurn) {
    identification.stop()
    if wiring.lines.contains(.wake), method.wakes.contains(.line) {
      turn.add(.set(.wake, active: true))
      state = .wakingByLine(method, until: turn.now + PowerLineOrder.wakePulse)
      return
    }
    openLine(&turn)
    guard let bytes = commands.wake(method) else {
      // Its own timer wakes it, or nothing does: then only a power cycle is left.
      return wiring.canCut ? powerCycle(&turn) : enterOn(ReceiverLiveness(wiring), &turn)
    }
    turn.send([bytes])
    state = .waking(ReceiverLiveness(wiring), until: turn.now + method.settlesWithin)
  }

  private mutating func releaseWakeLine(_ method: SleepMethod, _ turn: inout SequencerTurn) {
    turn.add(.set(.wake, active: false))
    openLine(&turn)
    state = .waking(ReceiverLiveness(wiring), until: turn.now + method.settlesWithin)
  }

  /// Nothing was received in time.
  private mutating func recover(_ liveness: ReceiverLiveness, _ turn: inout SequencerTurn) {
    var liveness = liveness
    liveness.expectNothing()
    state = .on(liveness)
    // It may have been asleep since before the daemon started.
    let mayBeAsleep = wiring.mechanism == .command || canSleep
    switch recovery.advance(mayBeAsleep: mayBeAsleep, silence: liveness.timeout, &turn) {
    case .wake:
      turn.send(SleepMethods.wakingBytes(commands))
      liveness.expectStart(at: turn.now)
      state = .on(liveness)
    case .reset:
      turn.add(.set(.reset, active: true))
      state = .resetting(liveness, until: turn.now + PowerLineOrder.resetPulse)
    case .powerCycle: powerCycle(&turn)
    case nil: return
    }
  }

  private mutating func powerCycle(_ turn: inout SequencerTurn) {
    closeAndCut(&turn)
    state = .powerCycling(until: turn.now + PowerLineOrder.cutPause)
  }

  // MARK: From on to asleep

  /// If the receiver does not obey, the next method is used.
  private mutating func fallAsleep(_ liveness: ReceiverLiveness, _ turn: inout SequencerTurn) {
    guard canSleep else { return cannotSleep(liveness, &turn) }
    guard liveness.isListening else { return cannotBeTold(liveness, &turn) }
    // Silence proves nothing if it has not sent anything yet.
    guard liveness.hasOutput || !wiring.canCut else { return cut(&turn) }
    let attempt = sleepMethods.begin(until: wish.until, pace: liveness.pace, commands, &turn)
    guard let attempt else { return cannotSleep(liveness, &turn) }
    state = .fallingAsleep(attempt, liveness)
  }

  /// Its line is not open, so its silence could not be noticed.
  private mutating func cannotBeTold(_ liveness: ReceiverLiveness, _ turn: inout SequencerTurn) {
    if wish.state == .on {
      var liveness = liveness
      liveness.awaitStart()
      return enterOn(liveness, &turn)
    }
    guard !wiring.canCut else { return cut(&turn) }
    state = .unknown
    wish.end()
    let reason =
      "the receiver's line is not open, so it cannot be commanded to sleep (receiver.device)"
    turn.add(.closeReceiver)
    turn.add(.failed(reason: reason))
  }

  /// Its own timer has woken it. A request arrives while it wakes; otherwise it would search with
  /// nobody listening.
  private mutating func sleepAgain(
    _ method: SleepMethod, _ liveness: ReceiverLiveness, _ turn: inout SequencerTurn
  ) {
    var liveness = liveness
    liveness.reopen()
    wish.sleepAgain()
    openLine(&turn)
    state = .waking(liveness, until: turn.now + method.settlesWithin)
  }

  private mutating func decide(
    _ attempt: SleepAttempt, _ liveness: ReceiverLiveness, _ turn: inout SequencerTurn
  ) {
    guard !attempt.hasOutput else {
      return refused(attempt.method, "it went on sending", liveness, &turn)
    }
    state = .asleep(attempt.method, until: attempt.end, liveness)
    turn.add(.closeReceiver)
    // It may be wanted on, or without supply, by now.
    if let wanted = wish.state, wanted != .sleep { return pursue(&turn) }
    complete(.sleep, &turn)
  }

  /// The receiver did not obey a command: uses the next method, if any.
  private mutating func refused(
    _ method: SleepMethod, _ how: String, _ liveness: ReceiverLiveness, _ turn: inout SequencerTurn
  ) {
    sleepMethods.refuse(method)
    turn.log("sleep-refused", "the receiver does not obey \(method.rawValue): \(how)")
    state = .on(liveness)
    pursue(&turn)
  }

  private mutating func cannotSleep(_ liveness: ReceiverLiveness, _ turn: inout SequencerTurn) {
    if wiring.canCut {
      saveAndCut(liveness, &turn)
    } else {
      // It stays powered, with its line closed.
      state = .off
      turn.add(.closeReceiver)
      complete(.off, &turn)
    }
    if let reason = sleepMethods.failure(isCertain: identification.isCertain) {
      turn.add(.sleepUnavailable(reason: reason))
    }
  }

  // MARK: From on to off

  private mutating func saveAndCut(_ liveness: ReceiverLiveness, _ turn: inout SequencerTurn) {
    guard liveness.hasOutput, liveness.isListening, wiring.canCut,
      let saving = navigation.save(commands, &turn)
    else { return cut(&turn) }
    state = .saving(saving, liveness)
  }

  /// Its navigation data is as safe as it can be: the supply may be cut, unless the receiver is
  /// wanted again by now.
  private mutating func saved(_ liveness: ReceiverLiveness, _ turn: inout SequencerTurn) {
    guard wish.state == .on else { return cut(&turn) }
    state = .on(liveness)
    navigation.resume(commands, &turn)
    complete(.on, &turn)
  }

  private mutating func cut(_ turn: inout SequencerTurn) {
    closeAndCut(&turn)
    state = .off
    if wish.state != .on { complete(.off, &turn) }
  }

  private mutating func closeAndCut(_ turn: inout SequencerTurn) {
    turn.add(.closeReceiver)
    turn.set(lines.cut)
    navigation.supplyCut()
  }
}
