import Formats
import Foundation
import Core
import RealData
import Records
import TestSupport
import Testing

private enum OfficialSchema {
  static let name = "schemas/gpx-1.1.xsd"
  static let absence = Comment(rawValue: RealData.absence(of: name))
}

/// GPX against topografix.com's own schema file, which is not part of the project.
@Suite(.enabled(if: RealData.has(OfficialSchema.name), OfficialSchema.absence))
struct OfficialSchemaTests {
  private func expectValid(_ exporter: any Exporter, _ comment: String) throws {
    let folder = try ScratchFolder()
    let path = folder.file("track.gpx")
    try Data(exporter.output).write(to: URL(fileURLWithPath: path))
    let schema = RealData.folder + "/" + OfficialSchema.name
    let check = try run("xmllint", "--noout", "--nonet", "--schema", schema, path)
    #expect(check.status == 0, "\(comment): \(check.output)")
  }

  @Test("places, stays and a track with gaps are valid") func samples() throws {
    var exporter = ExportSamples.exporter(.gpx)
    for destination in ExportSamples.destinations { exporter.destination(destination) }
    for visit in ExportSamples.visits { exporter.visit(visit) }
    for point in ExportSamples.points { exporter.point(point) }
    exporter.finish()
    try expectValid(exporter, "samples")
    var empty = ExportFormat.gpx.exporter()
    empty.finish()
    try expectValid(empty, "empty")
  }

  @Test("any content of a store is valid") func wild() throws {
    let labels = [
      "\u{FFFE}\u{FFFF}", "]]>", "\u{0}\u{1B}\u{7F}\u{85}", "<!--", "\u{10FFFF}", "&#0;",
    ]
    let numbers = [
      0, -0.0, 1e-300, 1e-9, 8.99e9, 9e9, -9.1e9, 1e22, 1e308, -1e308, .infinity, -.infinity, .nan,
    ]
    let places = [(90.0, 180.0), (-90, -180), (0, 179.999_999_99), (-0.0, -179.999_999_99)]
    let times = [
      UTCInstant(nanoseconds: -9_214_560_000_000_000_000), UTCInstant(nanoseconds: -1),
      UTCInstant(nanoseconds: 9_214_646_399_999_999_999),
    ]
    var exporter = ExportFormat.gpx.exporter()
    for (index, label) in labels.enumerated() {
      exporter.destination(
        Destination(
          id: .max - Int64(index), position: ExportSamples.position(90, 180), radius: .init(1e308),
          visits: .max, totalDwell: -1e308, label: label))
    }
    for (latitude, longitude) in places {
      for time in times {
        for number in numbers {
          exporter.visit(
            Visit(
              id: .min, arrival: TimeEstimate(exactly: time),
              departure: TimeEstimate(exactly: time),
              position: ExportSamples.position(latitude, longitude), accuracy: Metres(number),
              confidence: number, locations: .max, destination: .max))
        }
      }
    }
    for (latitude, longitude) in places {
      for time in times {
        for number in numbers {
          let location = Location(
            time: time, position: ExportSamples.position(latitude, longitude),
            accuracy: Metres(number),
            speed: MetresPerSecond(number), track: Degrees(number), altitude: Metres(number))
          exporter.point(TrackPoint(location: location, reason: .scheduled))
        }
      }
    }
    exporter.finish()
    try expectValid(exporter, "wild")
  }
}
