import Quantities
import ReceiverProtocols
import Records

/// What has been tried with a receiver that should speak and does not.
struct Revival: Hashable, Sendable {
  var wakes = 0
  var resets = 0
  var cuts = 0
}

/// From off, or asleep, to on.
extension PowerSequencer {
  /// One that spoke and falls silent has lost its supply, or itself. Epochs are seconds apart, and
  /// a program between may hold some back.
  static let silentFor = Seconds(60)
  /// Longer pauses between epochs are gaps, not a pace.
  static let slowestPace = Seconds(20)
  /// EXTINT and FORCE_ON want more than 10 ms (u-blox 8 / M8 receiver description, "EXTINT").
  static let wakePulse = Seconds(0.1)
  static let resetPulse = Seconds(0.2)
  /// Capacitors take a moment to empty; below that a cut is no cut.
  static let cutPause = Seconds(2)

  mutating func powerUp(at now: BootInstant, _ actions: inout [PowerAction]) {
    startAnew()
    answerBy = nil
    if wiring.lines.contains(.backup) { actions.append(.set(.backup, active: true)) }
    if wiring.lines.contains(.reset) { actions.append(.set(.reset, active: false)) }
    if wiring.lines.contains(.wake) { actions.append(.set(.wake, active: false)) }
    guard wiring.lines.contains(.supply) else { return poweredUp(at: now, &actions) }
    actions.append(.set(.supply, active: true))
    guard wiring.settle > 0 else { return poweredUp(at: now, &actions) }
    stage = .settling(until: now + wiring.settle)
  }

  /// The module has its supply: its pins may be driven again.
  mutating func poweredUp(at now: BootInstant, _ actions: inout [PowerAction]) {
    connect(&actions)
    beOn(at: now, &actions)
  }

  /// Nothing is known of what it says, and nothing is being asked.
  private mutating func startAnew() {
    hasSpoken = false
    lastHeard = nil
    pace = 0
    probe = nil
    probeDue = nil
    wakesItself = nil
  }

  mutating func connect(_ actions: inout [PowerAction]) {
    // Until it is heard otherwise.
    isListening = true
    if wiring.lines.contains(.uart) { actions.append(.set(.uart, active: true)) }
    actions += [.openReceiver, .discardInput]
  }

  mutating func beOn(at now: BootInstant, _ actions: inout [PowerAction]) {
    stage = .on
    expectWords(at: now)
    if wanted == .on { settle(.on, &actions) }
    pursue(at: now, &actions)
  }

  /// From sleep: by the line if there is one, otherwise by bytes.
  mutating func wake(
    _ method: SleepMethod, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    startAnew()
    if wiring.lines.contains(.wake), method.wakes.contains(.line) {
      actions.append(.set(.wake, active: true))
      stage = .wakingByLine(method, until: now + Self.wakePulse)
      return
    }
    connect(&actions)
    guard let bytes = commands.wake(method) else {
      // Its own timer wakes it, or nothing does: then only the supply is left.
      guard wiring.canCut else { return beOn(at: now, &actions) }
      return revive(at: now, &actions)
    }
    actions.append(.send(bytes))
    stage = .waking(until: now + method.settlesWithin)
  }

  mutating func releaseWakeLine(
    _ method: SleepMethod, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    actions.append(.set(.wake, active: false))
    connect(&actions)
    stage = .waking(until: now + method.settlesWithin)
  }

  /// What came while it woke may be the rest of a sentence that was cut off by the sleep.
  mutating func woken(at now: BootInstant, _ actions: inout [PowerAction]) {
    actions.append(.discardInput)
    beOn(at: now, &actions)
  }

  mutating func listening(
    _ isListening: Bool, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    self.isListening = isListening
    switch stage {
    case .on: expectWords(at: now)
    case .fallingAsleep where !isListening: cannotBeTold(at: now, &actions)
    case .keepingOrbits where !isListening: orbitsCannotCome(at: now, &actions)
    default: return
    }
  }

  /// The first bytes after a start: now it can be told things.
  mutating func heard(
    _ validFrames: Int, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    switch stage {
    case .fallingAsleep(var attempt):
      answerBy = nil
      attempt.hear(at: now)
      stage = .fallingAsleep(attempt)
    case .on:
      answerBy = canRevive ? now + Self.silentFor : nil
      revival = Revival()
      pace = max(pace, min(lastHeard.map { now - $0 } ?? 0, Self.slowestPace))
      lastHeard = now
      guard validFrames > 0, !hasSpoken else { return }
      hasSpoken = true
      greet(at: now, &actions)
      ask(at: now, &actions)
    case .waking: revival = Revival()
    case .unknown, .off, .settling, .wakingByLine, .asleep, .keepingOrbits, .reviving, .resetting:
      return
    }
  }

  /// From now on silence is counted, where it tells something.
  private mutating func expectWords(at now: BootInstant) {
    let patience = hasSpoken ? (canRevive ? Self.silentFor : nil) : wiring.answersWithin
    answerBy = isListening ? patience.map { now + $0 } : nil
  }

  /// Whether anything can be done about silence.
  private var canRevive: Bool { wiring.canCut || wiring.lines.contains(.reset) }

  /// Nothing was heard in time: a reset, then a cut, revive what has lost itself.
  mutating func silent(at now: BootInstant, _ actions: inout [PowerAction]) {
    answerBy = nil
    if revival.wakes == 0, wiring.means == .command || canSleep {
      // It may sleep since before the daemon started.
      revival.wakes += 1
      actions += wakingBytes.map(PowerAction.send)
      answerBy = now + wiring.answersWithin
    } else if wiring.lines.contains(.reset), revival.resets == 0 {
      revival.resets += 1
      note("receiver-silent", "reset: nothing was heard for \(patience)", &actions)
      actions.append(.set(.reset, active: true))
      stage = .resetting(until: now + Self.resetPulse)
    } else if wiring.canCut, revival.cuts == 0 {
      revival.cuts += 1
      note(
        "receiver-silent", "its supply is cut and restored: nothing was heard for \(patience)",
        &actions)
      revive(at: now, &actions)
    } else {
      note(
        "receiver-silent",
        "nothing comes from the receiver although it is switched on: check receiver.device, "
          + "receiver.baud and the wire to its TX"
          + (wiring.lines.contains(.supply)
            ? ", and whether power_switch.supply is the line that switches it" : ""),
        &actions)
    }
  }

  mutating func revive(at now: BootInstant, _ actions: inout [PowerAction]) {
    actions.append(.closeReceiver)
    cutLines(&actions)
    stage = .reviving(until: now + Self.cutPause)
  }

  private var patience: String {
    "\(Int((hasSpoken ? Self.silentFor : wiring.answersWithin).value)) s"
  }

  /// What wakes any receiver of the family that bytes can wake, and harms none.
  private var wakingBytes: [[UInt8]] {
    let known = Set(commands.abilities.sleepMethods.compactMap(commands.wake))
    guard known.isEmpty else { return known.sorted { $0.lexicographicallyPrecedes($1) } }
    return [[UInt8](repeating: 0xff, count: 8) + [0x0d, 0x0a]]
  }

  mutating func resetDone(at now: BootInstant, _ actions: inout [PowerAction]) {
    actions.append(.set(.reset, active: false))
    startAnew()
    beOn(at: now, &actions)
  }

  func note(_ kind: String, _ reason: String, _ actions: inout [PowerAction]) {
    actions.append(.note(Note(kind, reason, level: .warning)))
  }
}
