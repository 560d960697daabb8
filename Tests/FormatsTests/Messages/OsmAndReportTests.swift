import Core
import Testing

@testable import Formats

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

  @Test("NaN and infinity are left out") func noNumber() {
    var report = OsmAndReport(
      "a", at: UTCInstant(seconds: -0.5), Coordinate(latitude: 0, longitude: 0))
    report.speed = MetresPerSecond(.nan)
    #expect(report.query == "id=a&timestamp=-1&lat=0.0000000&lon=0.0000000")
  }

  @Test(
    "a time is in seconds as long as the number cannot be mistaken for milliseconds",
    arguments: [
      (2_147_483_646_999, "2147483646"), (2_147_483_647_000, "2147483647000"),
      (2_147_483_648_250, "2147483648250"), (7_258_118_400_001, "7258118400001"),
    ])
  func timestamps(milliseconds: Int64, _ text: String) {
    let report = OsmAndReport(
      "a", at: UTCInstant(nanoseconds: milliseconds * 1_000_000),
      Coordinate(latitude: 0, longitude: 0))
    #expect(report.query.hasPrefix("id=a&timestamp=\(text)&lat="))
  }

  @Test("north is 0, a battery has 0 to 100 %, and no attribute overrides one of the server")
  func limits() {
    var report = OsmAndReport(
      "a", at: UTCInstant(seconds: 9), Coordinate(latitude: 0, longitude: 0))
    report.course = 359.97
    report.batteryPercent = -1
    report.attributes = ["id", "lat", "valid", "mAh"].map { OsmAndReport.Attribute($0, "1") }
    #expect(
      report.query
        == "id=a&timestamp=9&lat=0.0000000&lon=0.0000000&bearing=0.0&mAh=1")
  }
}
