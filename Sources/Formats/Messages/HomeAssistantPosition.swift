import Core

/// The position shown by the tracker of a device. Home Assistant determines its zones by itself.
///
/// The position there is the one received last, however old it is: of a backlog only the newest fix
/// is sent to Home Assistant.
public struct HomeAssistantPosition: Hashable, Sendable {
  /// Time of the fix.
  let time: UTCInstant
  let position: Coordinate
  let accuracy: Metres
  public var altitude: Metres?
  public var speed: MetresPerSecond?
  /// Over ground, clockwise from north.
  public var course: Degrees?

  /// Nil for an invalid position, because Home Assistant would delete the device's position.
  public init?(_ time: UTCInstant, _ position: Coordinate, accuracy: Metres) {
    guard position.isOnEarth, accuracy.value.isFinite else { return nil }
    self.time = time
    self.position = position
    self.accuracy = accuracy
  }

  /// The one to publish, of all that wait.
  ///
  /// - Parameter shown: time of the fix that is there already.
  static func newest(of waiting: [Self], after shown: UTCInstant? = nil) -> Self? {
    let newest = waiting.max { $0.time < $1.time }
    guard let newest, let shown else { return newest }
    return newest.time > shown ? newest : nil
  }

  public var bytes: [UInt8] {
    var json = JSONWriter(reserving: 160)
    json.object { json in
      json.field("latitude", position.latitude.value, digits: 7)
      json.field("longitude", position.longitude.value, digits: 7)
      // Home Assistant would assume 0 if it were missing.
      json.field("gps_accuracy", max(accuracy.value.rounded(), 1), digits: 0)
      json.field("altitude_m", ifNumber: altitude?.value, digits: 0)
      json.field("speed_mps", ifNumber: speed?.value, digits: 1)
      json.field("course_deg", ifNumber: course?.value, digits: 0)
      json.field("fix_time", time, digits: 0)
    }
    return json.bytes
  }
}
