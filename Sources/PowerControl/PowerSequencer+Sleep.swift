import Quantities
import ReceiverProtocols
import Tracking

/// From on to asleep. What a receiver does not obey is noticed, and the next method is used.
extension PowerSequencer {
  var commands: ReceiverCommands {
    ReceiverCommands(family: family, version: identity.protocolVersion)
  }

  var family: ReceiverFamily { wiring.family ?? identity.family ?? .other }

  /// The methods that are worth trying, the gentlest first.
  var sleepLadder: [SleepMethod] {
    let all: [SleepMethod]
    switch wiring.sleepCommand {
    case .none: all = []
    case .only(let method): all = commands.abilities.sleepMethods.filter { $0 == method }
    case .auto:
      // Where the supply can be cut, what nothing else wakes can still be woken by that.
      all = commands.abilities.sleepMethods.filter {
        wiring.canCut
          || !$0.wakes.isDisjoint(with: wiring.lines.contains(.wake) ? [.bytes, .line] : .bytes)
      }
    }
    return all.filter { !disobeyed.contains($0) }
  }

  /// Whether it can be put to sleep, as far as is known.
  public var canSleep: Bool { wiring.means != .none && !sleepLadder.isEmpty }

  /// What the tracker has to know of all this.
  public var means: PowerMeans {
    PowerMeans(
      canSleep: canSleep, canCut: wiring.canCut,
      hasBackup: wiring.hasBackupSupply || keeping != .none)
  }

  func sleepOrder(_ method: SleepMethod, at now: BootInstant?) -> [UInt8]? {
    // A receiver that its host can wake need not wake by itself, and one that wakes a little early
    // is up when it is wanted.
    let isHostWoken = method.wakes.contains(.bytes) || wiring.lines.contains(.wake)
    let pause = now.flatMap { now in wantedUntil.map { $0 - now } }
    let duration = isHostWoken && method != .casStandby ? nil : pause
    return commands.sleep(method, for: duration)
  }

  mutating func fallAsleep(at now: BootInstant, _ actions: inout [PowerAction]) {
    guard let method = sleepLadder.first, let order = sleepOrder(method, at: now) else {
      return cannotSleep(at: now, &actions)
    }
    actions.append(.send(order))
    stage = .fallingAsleep(SleepAttempt(method, at: now))
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
    if wanted == .on { return pursue(at: now, &actions) }
    fallAsleep(at: now, &actions)
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
