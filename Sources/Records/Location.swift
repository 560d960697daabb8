import Core

/// One trusted observation of the board: a position at a time. It comes from a fix or a coarse
/// location that passed the checks. Dwell detection and the trajectory use nothing else.
public struct Location: Hashable, Sendable {
  public enum Source: String, StoredWord {
    case gnss
    /// Wi-Fi, cell, or another source of significant locations.
    case coarse

    public var meaning: String {
      switch self {
      case .gnss: "A fix of the receiver."
      case .coarse: "A cheaper source: Wi-Fi, cell."
      }
    }
  }

  public var time: UTCInstant
  public var position: Coordinate
  /// The radius that contains the board with a probability of 68 %.
  public var accuracy: Metres
  /// Speed over ground, measured by the receiver; nil if not measured.
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
