import Core

/// The board was seen: one trusted place at one time. Gated GNSS fixes and coarse locations
/// become locations, and from here on dwell detection and trajectory see nothing else.
public struct Location: Hashable, Sendable {
  public enum Source: String, StoredWord {
    case gnss
    /// Wi-Fi, cell, or whatever stands in for the significant-location source.
    case coarse

    public var meaning: String {
      switch self {
      case .gnss: "A fix of the receiver."
      case .coarse: "Something cheaper: Wi-Fi, cell."
      }
    }
  }

  public var time: UTCInstant
  public var position: Coordinate
  /// The radius within which the board probably was (68 %).
  public var accuracy: Metres
  /// Over ground, measured by the receiver; nil when it was not.
  public var speed: MetresPerSecond?
  public var track: Degrees?
  public var altitude: Metres?
  public var source: Source

  public init(
    time: UTCInstant, position: Coordinate, accuracy: Metres, speed: MetresPerSecond? = nil,
    track: Degrees? = nil, altitude: Metres? = nil, source: Source = .gnss
  ) {
    self.time = time
    self.position = position
    self.accuracy = accuracy
    self.speed = speed
    self.track = track
    self.altitude = altitude
    self.source = source
  }
}
