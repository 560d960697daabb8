import Records

extension OwnTracksLocation {
  /// - Parameter tracker: one or two characters that represent the board on a map.
  public init(_ point: TrackPoint, tracker: String = "gw") {
    let location = point.location
    self.init(location.time, location.position, accuracy: location.accuracy)
    altitude = location.altitude
    speed = location.speed
    course = location.track
    trackerID = tracker
  }
}
