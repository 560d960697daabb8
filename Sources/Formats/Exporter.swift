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
