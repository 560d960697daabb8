import Formats
import Core
import Records

/// Data of the export tests: two places, two stays, and a track with a gap, a jump over the
/// antimeridian and hostile labels.
enum ExportSamples {
  /// 2026-05-01T00:00:00Z
  static let start = UTCInstant(seconds: 1_777_593_600)

  static let destinations = [
    Destination(
      id: 1, position: position(52.1, 5.1), radius: 22.5, visits: 2, totalDwell: 7200,
      label: "Café <\"A&B\">\u{0} 北"),
    Destination(id: 2, position: position(-33.86, 151.2), radius: 10, visits: 1, totalDwell: 600),
  ]

  static let visits = [
    Visit(
      id: 1, arrival: TimeEstimate(estimate: start, earliest: start - 60, latest: start + 60),
      departure: TimeEstimate(exactly: start + 600), position: position(52.1, 5.1), accuracy: 3.5,
      confidence: 0.9, locations: 5, destination: 1),
    Visit(
      id: 2, arrival: TimeEstimate(exactly: start + 5000), position: position(52.2, 5.2),
      accuracy: 3.5,
      confidence: 0.5, locations: 2),
  ]

  static let points: [TrackPoint] = {
    var points: [TrackPoint] = []
    for minute in 0..<10 {
      points.append(point(Double(minute) * 60, 52.1 + Double(minute) * 1e-3, 5.1))
    }
    for (minute, longitude) in [179.9976, 179.9986, 180, -179.9996, -179.9986].enumerated() {
      points.append(point(5000 + Double(minute) * 60, 0.125, longitude))
    }
    return points + [point(90_000, -33.86, 151.2)]
  }()

  static func render(_ format: ExportFormat, points: [TrackPoint] = points) -> [UInt8] {
    var exporter = exporter(format, points)
    for destination in destinations { exporter.destination(destination) }
    for visit in visits { exporter.visit(visit) }
    for point in points { exporter.point(point) }
    exporter.finish()
    return exporter.output
  }

  /// An exporter as the program creates it: with a summary of the data.
  static func exporter(_ format: ExportFormat, _ points: [TrackPoint] = points) -> any Exporter {
    var summary = ExportSummary()
    for destination in destinations { summary.add(destination) }
    for visit in visits { summary.add(visit) }
    for point in points { summary.add(point) }
    return format.exporter(ExportDetails(summary: summary, individual: "Lima, 1", tag: "\"7\"\n"))
  }

  static func position(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }

  static func point(_ seconds: Double, _ latitude: Double, _ longitude: Double) -> TrackPoint {
    TrackPoint(
      location: Location(
        time: start + Seconds(seconds), position: position(latitude, longitude), accuracy: 4.25,
        speed: seconds == 0 ? nil : 1.5, track: 359.5, altitude: 12.25), reason: .scheduled)
  }
}
