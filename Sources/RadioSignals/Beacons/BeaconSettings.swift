import Core

/// When the radio listens for beacons, and which beacons count.
public struct BeaconSettings: Hashable, SettingGroup {
  public enum Occasion: String, CaseIterable, Sendable {
    /// Wherever the board is.
    case always
    /// Only near a place that has beacons, if the position is known.
    case expected
  }

  public enum Rest: String, CaseIterable, Sendable {
    /// If a movement of the board would be detected.
    case still
    case never
  }

  public var occasion = Occasion.expected
  public var rest = Rest.still
  public var leastStrength: DecibelMilliwatts = -87
  public var listening: Seconds = 2
  public var pause: Seconds = 2

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "beacons",
      "Bluetooth beacons that stand at places (godwit places add --beacon). They are listened for "
        + "by a radio of the section [bluetooth].")
    setting(
      "listen", &occasion, .choice,
      "\"expected\": near places that have beacons, as far as it is known where the board is. "
        + "\"always\": everywhere.")
    setting(
      "rest", &rest, .choice,
      "\"still\": the radio rests from a minute after the board has come to rest until it stirs, "
        + "where a motion sensor or the network would tell. \"never\": it listens at rest, too. "
        + "That takes seven to fourteen times the energy, and tells of going sooner only where a "
        + "departure is felt late: by the network alone, or by a slow sensor.")
    setting(
      "least_strength_dBm", &leastStrength, .quantity(-127...0),
      "Weaker advertisements let the board enter nothing, and do not keep it there. -87 reaches "
        + "some 15 to 35 m in the open, a room or two in a house.")
    setting(
      "listen_s", &listening, .quantity(0.5...60),
      "How long the radio listens before each pause, where it does not keep watch by itself.")
    setting(
      "pause_s", &pause, .quantity(0...3600),
      "How long it rests between. A beacon that sends once a second is noticed within 5 s with 2 "
        + "and 2; the pause is what saves energy. 0: it never rests.")
  }
}
