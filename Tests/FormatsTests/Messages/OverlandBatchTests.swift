import Core
import Testing

@testable import Formats

@Suite struct OverlandBatchTests {
  @Test("a batch, byte for byte: unknown values are -1") func bytes() {
    var point = OverlandBatch.Point(
      UTCInstant(seconds: 1_764_072_000), Coordinate(latitude: 51.05434219, longitude: 3.7))
    let bare = OverlandBatch("bike", [point])
    #expect(
      String(decoding: bare.bytes, as: UTF8.self)
        == #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":"#
        + #"[3.7000000,51.0543422]},"properties":{"timestamp":"2025-11-25T12:00:00Z","#
        + #""altitude":-1,"speed":-1,"course":-1,"horizontal_accuracy":-1,"#
        + #""vertical_accuracy":-1,"speed_accuracy":-1,"course_accuracy":-1,"motion":[],"#
        + #""battery_state":"unknown","battery_level":-1,"wifi":"","device_id":"bike","#
        + #""unique_id":"bike"}}]}"#)
    point.altitude = 5
    point.speed = 3.25
    point.course = 90
    point.accuracy = 12.5
    point.motion = [.cycling]
    point.battery = .unplugged
    point.batteryPercent = 7
    point.wifi = "net"
    let text = String(decoding: OverlandBatch("bike", [point, point]).bytes, as: UTF8.self)
    #expect(
      text.contains(
        #""altitude":5.0,"speed":3.25,"course":90.0,"horizontal_accuracy":12.5"#))
    #expect(
      text.contains(
        #""motion":["cycling"],"battery_state":"unplugged","battery_level":0.07,"wifi":"net","#
          + #""device_id":"bike","unique_id":"bike"}},{"type""#))
  }

  @Test("NaN and a charge above 100 % count as unknown; north is 0")
  func limits() {
    var point = OverlandBatch.Point(
      UTCInstant(seconds: 1_764_072_000.9), Coordinate(latitude: -90, longitude: 180))
    point.altitude = Metres(.nan)
    point.speed = MetresPerSecond(.infinity)
    point.course = 359.96
    point.accuracy = Metres(-.infinity)
    point.batteryPercent = 101
    let text = String(decoding: OverlandBatch("a", [point]).bytes, as: UTF8.self)
    #expect(
      text.contains(#"[180.0000000,-90.0000000]},"properties":{"timestamp":"2025-11-25T12:00:00Z"#))
    #expect(
      text.contains(#""altitude":-1,"speed":-1,"course":0.0,"horizontal_accuracy":-1,"#))
    #expect(text.contains(#""battery_level":-1,"#))
    #expect(
      String(decoding: OverlandBatch("a", []).bytes, as: UTF8.self) == #"{"locations":[]}"#)
  }
}
