import Energy
import Quantities
import ReceiverProtocols

/// From on to asleep. What a receiver does not obey is noticed, and the next method is used.
extension PowerSequencer {
  var commands: ReceiverCommands {
    ReceiverCommands(family: family, version: identity.protocolVersion)
  }

  var family: ReceiverFamily { wiring.family ?? identity.family ?? .other }

  /// The methods that are worth trying, the gentlest first.
  var sleepLadder: [SleepMethod] {
    // What nothing switches is not Godwit's to put to sleep. Where the kernel cuts the supply of a
    // closed device, there is nothing to sleep on.
    guard wiring.means == .lines || wiring.means == .command else { return [] }
    let abilities = commands.abilities
    // Where the supply can be cut, what nothing else wakes can still be woken by that.
    let possible =
      wiring.canCut
      ? abilities.sleepMethods
      : abilities.sleepMethods(hasWakeLine: wiring.lines.contains(.wake))
    return possible.filter { method in
      switch wiring.sleepCommand {
      case .none: false
      case .auto: !disobeyed.contains(method)
      case .only(let only): method == only && !disobeyed.contains(method)
      }
    }
  }

  /// Whether it can be put to sleep, as far as is known.
  public var canSleep: Bool { !sleepLadder.isEmpty }

  /// What the tracker has to know of all this.
  public var means: PowerMeans {
    PowerMeans(
      canSleep: canSleep, canCut: wiring.canCut,
      hasBackup: wiring.hasBackupSupply || keeping != .none)
  }

  /// After which it is to wake by itself; nil: until woken. A receiver that its host surely wakes
  /// need not do so, and one that wakes a little early is up when it is wanted.
  private func sleepTime(_ method: SleepMethod, at now: BootInstant) -> Seconds? {
    let isHostWoken = method.wakes.contains(.bytes) || wiring.lines.contains(.wake)
    let pause = wantedUntil.flatMap { $0 > now ? $0 - now : nil }
    let asked = isHostWoken && method != .casStandby ? nil : pause
    return commands.sleepTime(method, for: asked)
  }

  mutating func fallAsleep(at now: BootInstant, _ actions: inout [PowerAction]) {
    guard let method = sleepLadder.first else { return cannotSleep(at: now, &actions) }
    guard isListening else { return cannotBeTold(at: now, &actions) }
    // The silence of one that has not spoken would show nothing.
    guard hasSpoken || !wiring.canCut else { return cut(&actions) }
    let time = sleepTime(method, at: now)
    guard let order = commands.sleep(method, for: time) else {
      return cannotSleep(at: now, &actions)
    }
    if method.wantsLineLow, wiring.lines.contains(.wake) {
      actions.append(.set(.wake, active: false))
    }
    actions.append(.send(order))
    stage = .fallingAsleep(SleepAttempt(method, pace: pace, at: now))
    wakesItself = time.map { now + $0 }
  }

  /// Nobody hears whether it falls silent.
  mutating func cannotBeTold(at now: BootInstant, _ actions: inout [PowerAction]) {
    if wanted == .on {
      hasSpoken = false
      return beOn(at: now, &actions)
    }
    guard !wiring.canCut else { return cut(&actions) }
    stage = .unknown
    wanted = nil
    let reason = "the receiver's line is not open, so it cannot be told to sleep (receiver.device)"
    actions += [.closeReceiver, .failed(reason: reason)]
  }

  /// Its own timer has woken it. Whoever wants it now says so while it wakes; otherwise it would
  /// search unheard.
  mutating func sleepAgain(
    _ method: SleepMethod, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    wakesItself = nil
    hasSpoken = false
    wanted = .sleep
    isOwnWish = true
    connect(&actions)
    stage = .waking(until: now + method.settlesWithin)
  }

  mutating func judge(
    _ attempt: SleepAttempt, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    guard attempt.hasSpoken else {
      stage = .asleep(attempt.method)
      actions.append(.closeReceiver)
      // It may be wanted on, or without supply, by now.
      if let wanted, wanted != .sleep { return pursue(at: now, &actions) }
      return settle(.sleep, &actions)
    }
    refused(attempt.method, "it went on speaking", at: now, &actions)
  }

  /// The receiver did not take a command: the next method, or none.
  mutating func refused(
    _ method: SleepMethod, _ how: String, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    disobeyed.insert(method)
    note("sleep-refused", "the receiver does not obey \(method.rawValue): \(how)", &actions)
    stage = .on
    pursue(at: now, &actions)
  }

  private mutating func cannotSleep(at now: BootInstant, _ actions: inout [PowerAction]) {
    let reason =
      disobeyed.isEmpty
      ? "no sleep command is known for this receiver (receiver.family, power_switch.sleep_command)"
      : "the receiver obeys none of \(disobeyed.map(\.rawValue).sorted().joined(separator: ", "))"
    if wiring.canCut {
      keepOrbits(at: now, &actions)
    } else {
      // It stays powered, and is not listened to.
      stage = .off
      actions.append(.closeReceiver)
      settle(.off, &actions)
    }
    // A receiver that has not yet said who it is may still prove to know a command.
    let isHopeless =
      !disobeyed.isEmpty || wiring.sleepCommand == .none || wiring.family != nil
      || identity.isCertain
    if isHopeless { actions.append(.sleepUnavailable(reason: reason)) }
  }
}
