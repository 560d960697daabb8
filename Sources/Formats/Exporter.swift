import Core
import Records

/// Renders the contents of the store as text: first the destinations, then the visits, then the
/// track points in the order of time, then `finish`. The same data always gives the same bytes.
public protocol Exporter {
  /// The output so far; the caller may write it out and clear it between any two calls.
  var output: [UInt8] { get set }

  mutating func destination(_ destination: Destination)
  mutating func visit(_ visit: Visit)
  mutating func point(_ point: TrackPoint)
  mutating func finish()
}

/// The formats of an export.
public enum ExportFormat: String, Sendable, CaseIterable {
  case gpx, geojson, kml, csv, movebank, owntracks, svg

  /// Whether a summary of all records precedes the first one.
  public var beginsWithSummary: Bool { self == .gpx }

  public func exporter(_ details: ExportDetails = ExportDetails()) -> any Exporter {
    switch self {
    case .gpx: GPXExporter(details.summary, device: details.device)
    case .geojson: GeoJSONExporter()
    case .kml: KMLExporter()
    case .csv: CSVExporter()
    case .movebank:
      MovebankExporter(
        individual: details.individual ?? details.device ?? "godwit",
        tag: details.tag ?? details.device ?? "godwit")
    case .owntracks: OwnTracksExporter()
    case .svg: MapExporter(device: details.device)
    }
  }
}

/// The names of places in exports: the user's labels, or numbers.
struct PlaceNames: Sendable {
  private var labels: [Int64: String]

  init(_ labels: [Int64: String] = [:]) { self.labels = labels }

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

/// Decides where one line of the track ends and the next begins: after a gap in time, and at the
/// antimeridian, which no line may cross (RFC 7946 § 3.1.9).
struct TrackSegmenter: Sendable {
  private var last: Location?

  /// Advances to the next point.
  /// - Returns: whether a new line begins with it, as with the first one.
  mutating func advance(to location: Location) -> Bool {
    defer { last = location }
    guard let last else { return true }
    let degrees = location.position.longitude - last.position.longitude
    return location.time - last.time > LineLayer.maxGap || degrees.magnitude > 180
  }
}

/// Collects one line of the track for formats that need its end before its points. Long lines are
/// returned in parts that share a point, so that memory stays bounded.
struct SegmentBuffer: Sendable {
  static let maxPoints = 2000

  private(set) var locations: [Location] = []
  private var segmenter = TrackSegmenter()

  /// Adds a point and returns the line that it completed, if any.
  mutating func add(_ location: Location) -> [Location]? {
    if segmenter.advance(to: location) { return replace(with: [location]) }
    locations.append(location)
    return locations.count == Self.maxPoints ? replace(with: [location]) : nil
  }

  /// The unfinished line at the end. A single point that already ended the part before it is not a
  /// line.
  mutating func finish() -> [Location]? { replace(with: []) }

  private var startsWithSharedPoint = false

  private mutating func replace(with start: [Location]) -> [Location]? {
    let done = locations
    let isLeftover = startsWithSharedPoint && done.count == 1
    startsWithSharedPoint = done.count == Self.maxPoints
    locations = start
    return done.isEmpty || isLeftover ? nil : done
  }
}
