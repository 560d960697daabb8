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
  var listening: Seconds = 2
  public var pause: Seconds = 2

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "beacons",
      "Bluetooth beacons at places (godwit places add --beacon). The radio of the section "
        + "[bluetooth] receives them.")
    setting(
      "listen", &occasion, .choice,
      "Where the radio receives. \"expected\": near places with beacons, as far as the position is "
        + "known. \"always\": everywhere.")
    setting(
      "rest", &rest, .choice,
      "When the radio is off. \"still\": from one minute after the board has come to rest until it "
        + "moves, if a motion sensor or the network detects that. \"never\": it also receives at "
        + "rest. That needs seven to fourteen times the energy, and detects a departure earlier "
        + "only if it is detected late otherwise: by the network alone, or by a slow sensor.")
    setting(
      "least_strength_dBm", &leastStrength, .quantity(-127...0),
      "Minimum signal strength: weaker advertisements neither let the board enter a place nor keep "
        + "it there. -87 reaches 15 to 35 m outdoors, one or two rooms in a house.")
    setting(
      "listen_s", &listening, .quantity(0.5...60),
      "Time for which the radio receives before each pause, if it does not monitor by itself.")
    setting(
      "pause_s", &pause, .quantity(0...3600),
      "Pause between. A beacon that sends once a second is noticed within 5 s with 2 and 2; the "
        + "pause saves energy. 0: no pause.")
  }
}
