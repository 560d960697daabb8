extension PowerSequencer {
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
