import Foundation
import Core
import Records
import TestSupport
import Testing

@testable import Formats

/// Descriptions in exports; each place appears once.
@Suite struct ExportDescriptionTests {
  static let start = ExportSamples.start

  /// Arrived within a minute, left at an unknown moment of eight hours, and was not observed for
  /// four.
  static let night: Visit = {
    var visit = Visit(
      id: 3, arrival: TimeEstimate(exactly: start + 3600),
      departure: TimeEstimate(
        estimate: start + 30_000, earliest: start + 21_600, latest: start + 50_400),
      position: ExportSamples.position(52.1, 5.1), accuracy: 3, confidence: 0.5, locations: 4,
      destination: 1)
    visit.unobserved = 14_400
    visit.gaps = UnobservedPeriods([UnobservedPeriod(start: start + 7200, end: start + 21_600)])
    return visit
  }()

  static let sentence =
    "arrived 2026-05-01 01:00:00, left between 2026-05-01 06:00 and 14:00 UTC; "
    + "no position for 4 h 00 min from 05-01 02:00"

  private func text(_ format: ExportFormat, _ visits: [Visit]) -> String {
    var exporter = ExportSamples.exporter(format)
    for destination in ExportSamples.destinations { exporter.destination(destination) }
    for visit in visits { exporter.visit(visit) }
    exporter.finish()
    return String(decoding: exporter.output, as: UTF8.self)
  }

  @Test("a visit describes what is known of its times, and what is not") func sentences() {
    #expect(VisitDescription.text(Self.night) == Self.sentence)
    #expect(
      VisitDescription.text(ExportSamples.visits[1])
        == "arrived 2026-05-01 01:23:20 UTC, still there")
  }

  @Test("a place has one waypoint, with each of its visits") func places() throws {
    let text = text(.gpx, ExportSamples.visits + [Self.night])
    // Two destinations, and the visit that is at neither.
    #expect(text.components(separatedBy: "<wpt ").count - 1 == 3)
    let place = try #require(text.components(separatedBy: "<wpt ").dropFirst().first)
    #expect(place.contains("<name>Café"))
    #expect(place.contains("\n\(Self.sentence)</desc>"))
    #expect(place.components(separatedBy: "<godwit:visit>").count - 1 == 2)
    #expect(place.contains("<godwit:gap_end>2026-05-01T06:00:00.000Z</godwit:gap_end>"))
  }

  @Test("KML and GeoJSON have the bounds and the gap, too") func otherFormats() {
    let kml = text(.kml, [Self.night])
    #expect(kml.contains("<description>\(Self.sentence)</description>"))
    for name in ["arrival_earliest", "departure_latest", "gap_start", "gap_end", "unwatched_s"] {
      #expect(kml.contains("<Data name=\"\(name)\"><value>"), "\(name)")
    }
    let json = text(.geojson, [Self.night])
    #expect(json.contains("\"departure_latest\":\"2026-05-01T14:00:00.000Z\""))
    #expect(json.contains("\"unwatched_s\":14400"))
    #expect(json.contains("\"gap_start\":\"2026-05-01T02:00:00.000Z\""))
  }

  @Test("GPX begins with its contents, time and extent") func metadata() throws {
    let text = String(decoding: ExportSamples.render(.gpx), as: UTF8.self)
    let metadata = try #require(text.components(separatedBy: "</metadata>").first)
    #expect(metadata.contains("<name>Track 2026-05-01 00:00 to 05-02 01:00 UTC</name>"))
    #expect(metadata.contains("<desc>2 visits, 16 points, 2 gaps of more than 15 minutes</desc>"))
    #expect(metadata.contains("<time>2026-05-02T01:00:00.000Z</time>"))
    #expect(
      metadata.contains(
        """
        <bounds minlat="-33.8600000" minlon="-179.9996000" maxlat="52.2000000" \
        maxlon="179.9999999"/>
        """))
    #expect(text.contains("<trk><name>Track 2026-05-01 00:00 to 05-02 01:00 UTC</name><desc>16 po"))
  }

  @Test("an empty export has a name, and no time or place") func nothing() {
    let text = String(
      decoding: ExportFormat.gpx.exporter(ExportDetails()).output, as: UTF8.self)
    #expect(
      text.contains("<metadata><name>Godwit</name><desc>0 visits, 0 points</desc></metadata>"))
  }
}
