import Quantities
import ReceiverProtocols

/// The ways to put this receiver to sleep, and those that it turned out not to obey.
struct SleepMethods: Sendable {
  private let wiring: PowerWiring
  private var refused: Set<SleepMethod> = []

  init(_ wiring: PowerWiring) { self.wiring = wiring }

  private var hasWakeLine: Bool { wiring.lines.contains(.wake) }

  /// The method to try first, the gentlest that is left; nil: it cannot be put to sleep.
  func first(_ abilities: ReceiverAbilities) -> SleepMethod? {
    // What nothing switches is not Godwit's to put to sleep. Where the kernel cuts the supply of a
    // closed device, there is nothing to sleep on.
    guard wiring.means == .lines || wiring.means == .command else { return nil }
    // Where the supply can be cut, what nothing else wakes can still be woken by that.
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

  /// Tells the receiver to sleep by the first method.
  ///
  /// - Parameters:
  ///   - end: when the receiver will be wanted again.
  ///   - pace: the longest that its epochs were apart.
  func begin(
    until end: BootInstant?, pace: Seconds, _ commands: ReceiverCommands, _ turn: inout Turn
  ) -> SleepAttempt? {
    let now = turn.now
    guard let method = first(commands.abilities) else { return nil }
    let duration = duration(method, pause: end.flatMap { $0 > now ? $0 - now : nil }, commands)
    guard let order = commands.sleep(method, for: duration) else { return nil }
    if method.wantsLineLow, hasWakeLine { turn.add(.set(.wake, active: false)) }
    turn.send([order])
    return SleepAttempt(method, for: duration, pace: pace, at: now)
  }

  /// After which it is to wake by itself; nil: until woken. A receiver that its host surely wakes
  /// need not do so, and one that wakes a little early is up when it is wanted.
  private func duration(
    _ method: SleepMethod, pause: Seconds?, _ commands: ReceiverCommands
  ) -> Seconds? {
    let isHostWoken = method.wakes.contains(.bytes) || hasWakeLine
    let asked = isHostWoken && method != .casStandby ? nil : pause
    return commands.sleepTime(method, for: asked)
  }

  /// What sends it to sleep when nobody will see whether it obeys.
  func lastOrder(_ commands: ReceiverCommands) -> [[UInt8]] {
    let method = first(commands.abilities)
    return method.flatMap { commands.sleep($0, for: nil) }.map { [$0] } ?? []
  }

  mutating func refuse(_ method: SleepMethod) { refused.insert(method) }

  /// Why it cannot be put to sleep; nil while it may still prove to know a command, as it has not
  /// yet said which receiver it is.
  func failure(isCertain: Bool) -> String? {
    if !refused.isEmpty {
      let names = refused.map(\.rawValue).sorted().joined(separator: ", ")
      return "the receiver obeys none of \(names)"
    }
    guard wiring.sleepCommand == .none || isCertain else { return nil }
    return "no sleep command is known for this receiver (receiver.family, "
      + "power_switch.sleep_command)"
  }

  /// What wakes any receiver of the family that bytes can wake, and harms none.
  static func wakingBytes(_ commands: ReceiverCommands) -> [[UInt8]] {
    let known = Set(commands.abilities.sleepMethods.compactMap(commands.wake))
    guard known.isEmpty else { return known.sorted { $0.lexicographicallyPrecedes($1) } }
    return [[UInt8](repeating: 0xff, count: 8) + [0x0d, 0x0a]]
  }
}

/// One sleep command and what was received after it. No receiver confirms that it sleeps: what
/// shows it is silence, for longer than its epochs are apart.
struct SleepAttempt: Hashable, Sendable {
  /// A late epoch, and a little more.
  private static let margin = Seconds(1.5)

  let method: SleepMethod
  /// When it ends its sleep by itself.
  let end: BootInstant?
  /// The silence that shows that it sleeps.
  private let silence: Seconds
  /// What comes until then had begun before the command.
  private let drained: BootInstant
  private(set) var hasSpoken = false

  /// - Parameters:
  ///   - duration: after which it wakes by itself, if it does.
  ///   - pace: the longest that its epochs were apart.
  init(_ method: SleepMethod, for duration: Seconds?, pace: Seconds, at now: BootInstant) {
    self.method = method
    end = duration.map { now + $0 }
    silence = max(pace, 1) + Self.margin
    drained = now + method.fallsSilentWithin
  }

  /// When it is decided; at once when it has spoken.
  var due: BootInstant { hasSpoken ? drained : drained + silence }

  mutating func receive(at now: BootInstant) {
    if now > drained { hasSpoken = true }
  }
}
