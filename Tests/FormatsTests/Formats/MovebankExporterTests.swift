import Formats
import Core
import Records
import Testing

@Suite struct MovebankExporterTests {
  private func lines(_ points: [TrackPoint]) -> [Substring] {
    String(decoding: ExportSamples.render(.movebank, points: points), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("a fix is an event with Movebank's names and units") func event() {
    let lines = lines([ExportSamples.points[1]])
    #expect(
      lines[0] == """
        event-id,visible,timestamp,location-long,location-lat,ground-speed,heading,\
        height-above-msl,location-error-numerical,sensor-type,tag-local-identifier,\
        individual-local-identifier
        """)
    #expect(
      lines[1] == "1777593660000000,true,2026-05-01 00:01:00.000,5.1000000,52.1010000,1.50,359.5,"
        + #"12.25,4.25,"gps","""7""\#u{fffd}","Lima, 1""#)
    #expect(lines.count == 3 && lines[2].isEmpty)
  }

  @Test("a position not measured by a receiver is not an event") func others() {
    var coarse = ExportSamples.points[0]
    coarse.location.source = .coarse
    coarse.reason = .coarse
    var rest = ExportSamples.points[1]
    rest.reason = .rest
    #expect(lines([coarse, rest]).count == 2)
  }

  @Test("events of the same microsecond stay distinct, and invalid numbers are left out")
  func numbers() {
    var point = ExportSamples.points[0]
    point.location.speed = .init(.nan)
    point.location.altitude = .init(.infinity)
    let lines = lines([point, point])
    #expect(lines[1].hasPrefix("1777593600000000,") && lines[2].hasPrefix("1777593600000001,"))
    #expect(lines[1].contains(",52.1000000,,359.5,,4.25,"))
  }
}
