import Records
import Core

/// The sequencer's state. Data that is valid in one state only is part of its case. In every case
/// with a `ReceiverLiveness` the receiver's line is open, except in `asleep`.
enum SequencerState: Sendable {
  /// Nothing is known: the daemon has just started.
  case unknown
  case off
  /// The supply is on, and the module settles.
  case settling(until: BootInstant)
  case on(ReceiverLiveness)
  /// The wake line is held active.
  case wakingByLine(SleepMethod, until: BootInstant)
  /// It should be on but is silent, and the wake line is held active.
  case nudging(ReceiverLiveness, until: BootInstant)
  /// Awake, but commands may still be lost.
  case waking(ReceiverLiveness, until: BootInstant)
  /// A sleep command was sent.
  case fallingAsleep(SleepAttempt, ReceiverLiveness)
  /// Its line is closed; its epoch interval still applies when it wakes by itself.
  case asleep(SleepMethod, until: BootInstant?, ReceiverLiveness)
  /// The navigation database is being saved; then the supply is cut.
  case saving(NavigationData.Saving, ReceiverLiveness)
  /// The supply was cut because the receiver fell silent.
  case powerCycling(until: BootInstant)
  case resetting(ReceiverLiveness, until: BootInstant)

  /// When a timer is due.
  var due: BootInstant? {
    switch self {
    case .unknown, .off: nil
    case .on(let liveness): liveness.due
    case .asleep(_, let until, _): until
    case .settling(let until), .wakingByLine(_, let until), .waking(_, let until),
      .nudging(_, let until),
      .powerCycling(let until), .resetting(_, let until):
      until
    case .fallingAsleep(let attempt, _): attempt.due
    case .saving(let saving, _): saving.due
    }
  }

  /// The liveness of a receiver whose line should be open; nil while it is closed.
  private var liveness: ReceiverLiveness? {
    switch self {
    case .on(let liveness), .waking(let liveness, _), .fallingAsleep(_, let liveness),
      .nudging(let liveness, _), .saving(_, let liveness), .resetting(let liveness, _):
      liveness
    case .unknown, .off, .settling, .wakingByLine, .asleep, .powerCycling: nil
    }
  }

  /// Whether the receiver accepts commands: it has sent output, and its line is open.
  var hasOutput: Bool { liveness?.hasOutput ?? false }

  /// Whether it is on and accepts commands. Bytes would wake a receiver that falls asleep.
  var isCommandable: Bool { isOn && hasOutput }

  /// Records whether the line that should be open really is.
  mutating func listen(_ isListening: Bool, at now: BootInstant) {
    update { liveness in liveness.listen(isListening) }
    if case .on = self { update { liveness in liveness.expectOutput(at: now) } }
  }

  /// Returns whether this is the first output since a start, which shows that commands are
  /// accepted.
  mutating func receive(validFrames: Int, at now: BootInstant) -> Bool {
    let hadOutput = hasOutput
    switch self {
    case .on(var liveness):
      liveness.receive(validFrames: validFrames, at: now)
      self = .on(liveness)
    case .fallingAsleep(var attempt, var liveness):
      attempt.receive(at: now)
      liveness.expectNothing()
      self = .fallingAsleep(attempt, liveness)
    // Input while it wakes, saves or is reset may be left over from before.
    default: break
    }
    return hasOutput && !hadOutput
  }

  private mutating func update(_ change: (inout ReceiverLiveness) -> Void) {
    guard var liveness else { return }
    change(&liveness)
    switch self {
    case .on: self = .on(liveness)
    case .waking(_, let until): self = .waking(liveness, until: until)
    case .nudging(_, let until): self = .nudging(liveness, until: until)
    case .fallingAsleep(let attempt, _): self = .fallingAsleep(attempt, liveness)
    case .saving(let saving, _): self = .saving(saving, liveness)
    case .resetting(_, let until): self = .resetting(liveness, until: until)
    case .unknown, .off, .settling, .wakingByLine, .asleep, .powerCycling: return
    }
  }

  var isOn: Bool {
    if case .on = self { true } else { false }
  }

  /// Whether output now shows that no recovery is needed.
  var outputProvesLife: Bool {
    switch self {
    case .on, .waking, .nudging: true
    default: false
    }
  }

  var isOff: Bool {
    if case .off = self { true } else { false }
  }

  func receiver(canCut: Bool) -> ReceiverPowerState {
    switch self {
    case .unknown: .unknown
    case .off: canCut ? .off : .ignored
    case .settling: .settling
    case .on(let liveness): liveness.hasOutput ? .on : .starting
    case .wakingByLine, .waking, .nudging: .waking
    case .fallingAsleep: .fallingAsleep
    case .asleep: .asleep
    case .saving: .saving
    case .powerCycling: .powerCycling
    case .resetting: .resetting
    }
  }
}

/// The sequence from a stable state to the requested one.
enum PowerSequence: Sendable {
  case powerUp
  case wake(SleepMethod)
  case fallAsleep(ReceiverLiveness)
  case saveAndCut(ReceiverLiveness)
  case cut
  /// Nothing is left to do.
  case complete(PowerState)
}

extension SequencerState {
  /// Nil while another sequence is running, which is completed first.
  func sequence(to wanted: PowerState, canCut: Bool, canSleep: Bool) -> PowerSequence? {
    // If the supply cannot be cut, sleep is as close to off as possible.
    let sleepsForOff = !canCut && canSleep
    return switch (self, wanted) {
    case (.unknown, .on), (.off, .on): .powerUp
    case (.asleep(let method, _, _), .on): .wake(method)
    case (.on(let liveness), .sleep): .fallAsleep(liveness)
    case (.on(let liveness), .off): sleepsForOff ? .fallAsleep(liveness) : .saveAndCut(liveness)
    // It is supplied, and needs the sleep command.
    case (.unknown, .off), (.unknown, .sleep): sleepsForOff ? .powerUp : .cut
    // A receiver without supply need not be woken to be put to sleep.
    case (.off, .sleep): sleepsForOff ? .powerUp : .complete(.off)
    case (.asleep, .off): canCut ? .cut : .complete(.off)
    case (.on, .on), (.off, .off), (.asleep, .sleep): .complete(wanted)
    case (.settling, _), (.wakingByLine, _), (.waking, _), (.nudging, _), (.fallingAsleep, _),
      (.saving, _),
      (.powerCycling, _), (.resetting, _):
      nil
    }
  }
}

/// The requested state until it is reached, and its expected end; the last request counts.
struct RequestedPowerState: Sendable {
  /// Nil when no request is pending.
  private(set) var state: PowerState?
  /// When the receiver will be needed again.
  private(set) var until: BootInstant?
  /// Requested by the sequencer itself, to restore the earlier state; it is not reported.
  private var isInternal = false

  mutating func request(_ state: PowerState, until: BootInstant?) {
    self.state = state
    self.until = until
    isInternal = false
  }

  mutating func expect(until: BootInstant?) { self.until = until }

  mutating func sleepAgain() {
    state = .sleep
    isInternal = true
  }

  /// A state was reached. That completes the request, unless another state is requested by now.
  mutating func complete(_ reached: PowerState, _ step: inout SequencerStep) {
    if !isInternal { step.add(.reached(reached)) }
    end()
  }

  /// The state cannot be reached.
  mutating func fail(_ why: String, _ step: inout SequencerStep) {
    step.add(.failed(reason: why))
    end()
  }

  mutating func end() {
    state = nil
    isInternal = false
  }
}
