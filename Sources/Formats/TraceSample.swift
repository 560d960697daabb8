import Quantities

/// One line of a recorded trace: the truth for `simulate`, the input for `replay`.
public struct TraceSample: Hashable, Sendable {
  public var time: UTCInstant
  public var place: Coordinate
  public var altitude: Metres?
  /// The horizontal error that the recorder claimed.
  public var accuracy: Metres?
  public var speed: MetresPerSecond?

  public init(
    time: UTCInstant, place: Coordinate, altitude: Metres? = nil, accuracy: Metres? = nil,
    speed: MetresPerSecond? = nil
  ) {
    self.time = time
    self.place = place
    self.altitude = altitude
    self.accuracy = accuracy
    self.speed = speed
  }
}

extension TraceSample {
  /// What one unit of horizontal dilution of precision means for the error: a consumer receiver's
  /// range error is about 5 m.
  static let metresPerHDOP = 5.0
}
