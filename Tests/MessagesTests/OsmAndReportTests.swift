import Quantities
import Testing

@testable import Messages

@Suite struct OsmAndReportTests {
  @Test("a report is a query in knots, degrees and metres") func query() throws {
    let at = Coordinate(latitude: -51.05434219, longitude: 3.7)
    var report = OsmAndReport("bike 1&2", at: UTCInstant(seconds: 1_764_072_000.9), at)
    #expect(
      report.query == "id=bike%201%262&timestamp=1764072000&lat=-51.0543422&lon=3.7000000")
    report.accuracy = 12.34
    report.altitude = 5
    report.speed = 10
    report.course = 90
    report.batteryPercent = 71
    report.isCharging = false
    report.attributes = [OsmAndReport.Attribute("current_mA", "0,5 ß")]
    #expect(
      report.query
        == "id=bike%201%262&timestamp=1764072000&lat=-51.0543422&lon=3.7000000&accuracy=12.3"
        + "&altitude=5.0&speed=19.44&bearing=90.0&batt=71&charge=false"
        + "&current_mA=0%2C5%20%C3%9F")
  }

  @Test("what is no number is left out") func noNumber() {
    var report = OsmAndReport(
      "a", at: UTCInstant(seconds: -0.5), Coordinate(latitude: 0, longitude: 0))
    report.speed = MetresPerSecond(.nan)
    #expect(report.query == "id=a&timestamp=-1&lat=0.0000000&lon=0.0000000")
  }
}
