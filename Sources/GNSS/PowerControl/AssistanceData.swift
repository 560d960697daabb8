import Core

/// What shortens a search after a cut: the time, and the receiver's approximate position.
public struct AssistanceData: Hashable, Sendable {
  /// The moment on the boot clock for which `time` holds.
  public var taken: BootInstant
  public var time: UTCInstant
  public var timeAccuracy: Seconds
  public var position: Coordinate?
  public var positionAccuracy: Metres
  /// Above mean sea level. Where it is nil, receivers are sent 0 m: `positionAccuracy` has to allow
  /// for that.
  public var altitude: Metres?

  public init(
    taken: BootInstant, time: UTCInstant, timeAccuracy: Seconds, position: Coordinate? = nil,
    positionAccuracy: Metres = 0, altitude: Metres? = nil
  ) {
    self.taken = taken
    self.time = time
    self.timeAccuracy = timeAccuracy
    self.position = position
    self.positionAccuracy = positionAccuracy
    self.altitude = altitude
  }
}
