/// The receiver's power state, as far as it can be known: no receiver confirms that it sleeps.
public enum ReceiverPowerState: Sendable, CaseIterable {
  /// The daemon has just started, or a line could not be set.
  case unknown
  /// Its supply is cut.
  case off
  /// It runs on because nothing can cut its supply; its line is closed.
  case ignored
  /// Its supply has just been switched on.
  case settling
  /// It is on, and has not sent anything yet.
  case starting
  case on
  case waking
  /// A sleep command was sent. Most receivers obey at once; only the proof takes seconds.
  case fallingAsleep
  case asleep
  /// It saves its navigation database before a cut.
  case saving
  /// Its supply is cut for a moment because it fell silent.
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

  /// Whether it is in a stable state that a request for off or sleep leads to.
  public var isAtRest: Bool {
    switch self {
    case .off, .ignored, .asleep: true
    case .unknown, .settling, .starting, .on, .waking, .fallingAsleep, .saving, .powerCycling,
      .resetting:
      false
    }
  }

  /// A word or two, for people and for programs that read the status.
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
