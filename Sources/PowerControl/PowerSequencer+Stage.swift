extension PowerSequencer {
  /// Whether the receiver is powered and awake, as far as can be known: also while it falls asleep
  /// or saves its orbits.
  public var isAwake: Bool {
    switch stage {
    case .unknown, .off, .asleep, .reviving: false
    case .settling, .on, .wakingByLine, .waking, .fallingAsleep, .keepingOrbits, .resetting: true
    }
  }

  /// Whether its supply was cut.
  public var isCut: Bool { stage == .off && wiring.canCut }

  /// How far things are, in a word for people and programs.
  public var stageName: String {
    switch stage {
    case .unknown: "unknown"
    case .off: "off"
    case .settling: "settling"
    case .on: hasSpoken ? "on" : "starting"
    case .wakingByLine, .waking: "waking"
    case .fallingAsleep: "falling asleep"
    case .asleep: "asleep"
    case .keepingOrbits: "saving orbits"
    case .reviving, .resetting: "reviving"
    }
  }
}
