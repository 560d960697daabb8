import Core

/// The methods that put this receiver to sleep, and those that it has not accepted.
struct SleepMethods: Sendable {
  private let wiring: PowerWiring
  private var refused: Set<SleepMethod> = []

  init(_ wiring: PowerWiring) { self.wiring = wiring }

  private var hasWakeLine: Bool { wiring.lines.contains(.wake) }

  /// The method to try first, the shallowest that is left; nil: it cannot be put to sleep.
  func first(_ abilities: ReceiverAbilities) -> SleepMethod? {
    // Without a switch, Godwit leaves the receiver alone. If the kernel cuts the supply of a closed
    // device, it cannot sleep.
    guard wiring.mechanism == .lines || wiring.mechanism == .command else { return nil }
    // If the supply can be cut, a power cycle is the last resort for waking.
    let possible =
      wiring.canCut ? abilities.sleepMethods : abilities.sleepMethods(hasWakeLine: hasWakeLine)
    return possible.first { method in
      switch wiring.sleepCommand {
      case .none: false
      case .auto: !refused.contains(method)
      case .only(let only): method == only && !refused.contains(method)
      }
    }
  }

  /// Puts the receiver to sleep by the first method.
  ///
  /// - Parameters:
  ///   - end: when the receiver will be needed again.
  ///   - pace: the longest interval between its epochs.
  func begin(
    until end: BootInstant?, pace: Seconds, _ commands: ReceiverCommands,
    _ step: inout SequencerStep
  ) -> SleepAttempt? {
    let now = step.now
    guard let method = first(commands.abilities) else { return nil }
    let duration = duration(method, pause: end.flatMap { $0 > now ? $0 - now : nil }, commands)
    guard let order = commands.sleep(method, for: duration) else { return nil }
    if method.requiresWakeLineLow, hasWakeLine { step.add(.set(.wake, active: false)) }
    step.send([order])
    return SleepAttempt(method, for: duration, pace: pace, at: now)
  }

  /// The time after which it should wake by itself; nil: only on command. A receiver that the host
  /// can always wake needs no timer. One that wakes a little early is ready when it is needed.
  private func duration(
    _ method: SleepMethod, pause: Seconds?, _ commands: ReceiverCommands
  ) -> Seconds? {
    let isHostWoken = method.wakes.contains(.bytes) || hasWakeLine
    let asked = isHostWoken && method != .casStandby ? nil : pause
    return commands.sleepTime(method, for: asked)
  }

  /// Sends it to sleep without verification.
  func finalSleepCommand(_ commands: ReceiverCommands) -> [[UInt8]] {
    let method = first(commands.abilities)
    return method.flatMap { commands.sleep($0, for: nil) }.map { [$0] } ?? []
  }

  mutating func refuse(_ method: SleepMethod) { refused.insert(method) }

  /// Why it cannot be put to sleep; nil while the receiver is not identified, because it may still
  /// support a command.
  func failure(isCertain: Bool) -> String? {
    if !refused.isEmpty {
      let names = refused.map(\.rawValue).sorted().joined(separator: ", ")
      return "the receiver accepts none of \(names)"
    }
    guard wiring.sleepCommand == .none || isCertain else { return nil }
    return "no sleep command is known for this receiver (receiver.family, "
      + "power_switch.sleep_command)"
  }

  /// Bytes that wake every receiver of the family that can be woken by bytes, and that are
  /// harmless.
  static func wakingBytes(_ commands: ReceiverCommands) -> [[UInt8]] {
    let known = Set(commands.abilities.sleepMethods.compactMap(commands.wake))
    guard known.isEmpty else { return known.sorted { $0.lexicographicallyPrecedes($1) } }
    return [[UInt8](repeating: 0xff, count: 8) + [0x0d, 0x0a]]
  }
}

/// One sleep command and the output after it. No receiver confirms that it sleeps: silence for
/// longer than its epoch interval shows it.
struct SleepAttempt: Hashable, Sendable {
  /// Allows for a late epoch, with some reserve.
  private static let margin = Seconds(1.5)

  let method: SleepMethod
  /// When it wakes by itself.
  let end: BootInstant?
  /// The length of silence that proves sleep.
  private let silence: Seconds
  /// Output until then was sent before the command.
  private let drained: BootInstant
  private(set) var hasOutput = false

  /// - Parameters:
  ///   - duration: the time after which it wakes by itself, if it does.
  ///   - pace: the longest interval between its epochs.
  init(_ method: SleepMethod, for duration: Seconds?, pace: Seconds, at now: BootInstant) {
    self.method = method
    end = duration.map { now + $0 }
    silence = max(pace, 1) + Self.margin
    drained = now + method.fallsSilentWithin
  }

  /// When the outcome is known: earlier if there was output.
  var due: BootInstant { hasOutput ? drained : drained + silence }

  mutating func receive(at now: BootInstant) {
    if now > drained { hasOutput = true }
  }
}
