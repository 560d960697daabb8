import Formats
import Foundation
import Core
import Records
import TestSupport
import Testing

private enum ExifTool {
  static let isThere = (try? run("exiftool", "-ver"))?.status == 0
  static let absence = Comment(rawValue: "exiftool is not there (libimage-exiftool-perl)")
}

/// exiftool geotags photographs from an exported track.
@Suite(.enabled(if: ExifTool.isThere, ExifTool.absence))
struct GeotagTests {
  let folder: ScratchFolder
  let track: String

  /// Ten minutes of points, a gap of two hours in which a stay is estimated to begin, ten minutes.
  init() throws {
    folder = try ScratchFolder()
    track = folder.file("track.gpx")
    var exporter = ExportFormat.gpx.exporter()
    for destination in ExportSamples.destinations { exporter.destination(destination) }
    let time = ExportSamples.start + 4000
    exporter.visit(
      Visit(
        id: 1, arrival: TimeEstimate(estimate: time, earliest: time - 3400, latest: time + 3800),
        position: ExportSamples.position(52.1, 5.1), accuracy: 3, confidence: 1, locations: 1,
        destination: 1))
    for (second, latitude, longitude) in [
      (0, 52, 5), (600, 52.1, 5.2), (7800, 52.3, 5.4), (8400, 52.4, 5.5),
    ] as [(Double, Double, Double)] {
      exporter.point(ExportSamples.point(second, latitude, longitude))
    }
    exporter.finish()
    try Data(exporter.output).write(to: URL(fileURLWithPath: track))
  }

  /// One grey pixel without metadata.
  private static let photograph: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xDB, 0, 0x43, 0] + [UInt8](repeating: 1, count: 64) + [
      0xFF, 0xC0, 0, 0x0B, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xC4, 0, 0x14, 0, 1, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0xFF, 0xC4, 0, 0x14, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0x54, 0xFF, 0xD9,
    ]

  /// Latitude and longitude of a photograph of 2026-05-01; empty if exiftool finds none.
  private func place(at time: String) throws -> String {
    let photograph = folder.file("photograph.jpg")
    try Data(Self.photograph).write(to: URL(fileURLWithPath: photograph))
    _ = try run(
      "exiftool", "-q", "-overwrite_original", "-geotag", track, "-geotime=2026:05:01 \(time)Z",
      photograph)
    return try run(
      "exiftool", "-n", "-p", "$GPSLatitude $GPSLongitude", "-q", "-q", "-m", photograph
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("a photograph taken between two points is placed between them") func between() throws {
    #expect(try place(at: "00:00:00") == "52 5")
    #expect(try place(at: "00:05:00") == "52.05 5.1")
    #expect(try place(at: "02:12:30") == "52.325 5.425")
  }

  @Test("a photograph taken in a gap is not placed") func gap() throws {
    #expect(try place(at: "01:10:00").isEmpty)
    #expect(try place(at: "01:06:40").isEmpty)
  }
}
