import Records

/// Renders what the store holds as text: first the destinations, then the visits, then the track
/// points in the order of time, then `finish`. The same data always gives the same bytes.
public protocol Exporter {
  /// What has been rendered so far; the caller may write it out and empty it between any two calls.
  var output: [UInt8] { get set }

  mutating func destination(_ destination: Destination)
  mutating func visit(_ visit: Visit)
  mutating func point(_ point: TrackPoint)
  mutating func finish()
}

/// What an export may be written in.
public enum ExportFormat: String, Sendable, CaseIterable {
  case gpx, geojson, kml, csv, owntracks

  public func exporter() -> any Exporter {
    switch self {
    case .gpx: GPXExporter()
    case .geojson: GeoJSONExporter()
    case .kml: KMLExporter()
    case .csv: CSVExporter()
    case .owntracks: OwnTracksExporter()
    }
  }
}

/// What places are called in exports: the user's labels, and numbers where there is none.
struct PlaceNames: Sendable {
  private var labels: [Int64: String] = [:]

  mutating func add(_ destination: Destination) { labels[destination.id] = destination.label }

  func name(of destination: Destination) -> String {
    destination.label ?? "Destination \(destination.id)"
  }

  func name(of visit: Visit) -> String {
    guard let id = visit.destination else { return "Visit \(visit.id)" }
    return labels[id] ?? "Destination \(id)"
  }
}

/// The track as a table that can be replayed.
struct CSVExporter: Exporter {
  var output = Array(TrackPoint.columns.csvHeading.utf8)

  mutating func destination(_: Destination) {}
  mutating func visit(_: Visit) {}
  mutating func point(_ point: TrackPoint) { TrackPoint.columns.append(point, toCSV: &output) }
  mutating func finish() {}
}
