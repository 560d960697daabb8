extension PowerSequencer {
  /// Whether the receiver is powered and awake, as far as can be known: also while it saves its
  /// orbits. Most obey a sleep command at once; only the proof of it takes seconds.
  public var isAwake: Bool {
    switch stage {
    case .unknown, .off, .fallingAsleep, .asleep, .reviving: false
    case .settling, .on, .wakingByLine, .waking, .keepingOrbits, .resetting: true
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
