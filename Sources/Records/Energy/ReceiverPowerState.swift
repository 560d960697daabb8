/// The receiver's power state, as far as it is known: no receiver confirms that it sleeps.
public enum ReceiverPowerState: Sendable, CaseIterable {
  /// The daemon has just started, or a line could not be set.
  case unknown
  /// Its supply is cut.
  case off
  /// It stays on because its supply cannot be cut; its line is closed.
  case ignored
  /// Its supply has just been switched on, and settles.
  case settling
  /// It is on, and has not sent anything yet.
  case starting
  case on
  case waking
  /// A sleep command was sent. Most receivers sleep at once; the verification takes seconds.
  case fallingAsleep
  case asleep
  /// It saves its navigation database before the cut.
  case saving
  /// Its supply is cut briefly because it fell silent.
  case powerCycling
  /// It is held in reset because it fell silent.
  case resetting

  /// Whether it is powered and awake.
  public var isAwake: Bool {
    switch self {
    case .settling, .starting, .on, .waking, .saving, .resetting: true
    case .unknown, .off, .ignored, .fallingAsleep, .asleep, .powerCycling: false
    }
  }

  /// Whether this is a stable state in which a request for off or sleep ends.
  public var isAtRest: Bool {
    switch self {
    case .off, .ignored, .asleep: true
    case .unknown, .settling, .starting, .on, .waking, .fallingAsleep, .saving, .powerCycling,
      .resetting:
      false
    }
  }

  /// One or two words, for people and for programs that read the status.
  public var text: String {
    switch self {
    case .unknown: "unknown"
    case .off, .ignored: "off"
    case .settling: "settling"
    case .starting: "starting"
    case .on: "on"
    case .waking: "waking"
    case .fallingAsleep: "falling asleep"
    case .asleep: "asleep"
    case .saving: "saving navigation data"
    case .powerCycling, .resetting: "recovering"
    }
  }
}
