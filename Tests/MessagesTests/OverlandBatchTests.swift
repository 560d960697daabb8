import Quantities
import Testing

@testable import Messages

@Suite struct OverlandBatchTests {
  @Test("a batch, byte for byte: what is not known is -1") func bytes() {
    var point = OverlandBatch.Point(
      UTCInstant(seconds: 1_764_072_000), Coordinate(latitude: 51.05434219, longitude: 3.7))
    let bare = OverlandBatch("bike", [point])
    #expect(
      String(decoding: bare.bytes, as: UTF8.self)
        == #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":"#
        + #"[3.7000000,51.0543422]},"properties":{"timestamp":"2025-11-25T12:00:00Z","#
        + #""altitude":-1.0,"speed":-1.00,"course":-1.0,"horizontal_accuracy":-1.0,"#
        + #""vertical_accuracy":-1,"speed_accuracy":-1,"course_accuracy":-1,"motion":[],"#
        + #""battery_state":"unknown","battery_level":-1.00,"wifi":"","device_id":"bike"}}]}"#)
    point.altitude = 5
    point.speed = 3.25
    point.course = 90
    point.accuracy = 12.5
    point.motion = [.cycling]
    point.battery = .unplugged
    point.batteryPercent = 7
    point.wifi = "net"
    point.uniqueID = "bike-12"
    let text = String(decoding: OverlandBatch("bike", [point, point]).bytes, as: UTF8.self)
    #expect(
      text.contains(
        #""altitude":5.0,"speed":3.25,"course":90.0,"horizontal_accuracy":12.5"#))
    #expect(
      text.contains(
        #""motion":["cycling"],"battery_state":"unplugged","battery_level":0.07,"wifi":"net","#
          + #""device_id":"bike","unique_id":"bike-12"}},{"type""#))
  }
}
