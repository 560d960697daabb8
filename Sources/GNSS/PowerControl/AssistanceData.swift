import Core

/// Data that shortens the search after a cut: the time, and the receiver's approximate position.
public struct AssistanceData: Hashable, Sendable {
  /// The moment on the boot clock at which `time` is valid.
  var taken: BootInstant
  var time: UTCInstant
  var timeAccuracy: Seconds
  public var position: Coordinate?
  public var positionAccuracy: Metres
  /// Above mean sea level. If it is nil, 0 m is sent to the receiver: `positionAccuracy` must allow
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
