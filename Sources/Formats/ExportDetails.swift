import Core
import Records

/// Data of an export besides the records themselves.
public struct ExportDetails: Sendable {
  /// The summary of all records that will follow; initially empty.
  var summary: ExportSummary
  /// The individual, for formats that name individuals and their tags. Nil: the device's name is
  /// used for both.
  var individual: String?
  var tag: String?
  /// The name of the device that made the records; nil: unknown.
  var device: String?

  public init(
    summary: ExportSummary = ExportSummary(), individual: String? = nil, tag: String? = nil,
    device: String? = nil
  ) {
    self.device = device
    self.summary = summary
    self.individual = individual
    self.tag = tag
  }
}

/// Summarizes records before they are exported: formats that begin with a summary need it first.
public struct ExportSummary: Sendable {
  private(set) var points = 0
  private(set) var visits = 0
  /// Times between two points for which no line of the track is drawn.
  private(set) var gaps = 0
  /// The start and end of the track.
  private(set) var track: (first: UTCInstant, last: UTCInstant)?
  /// The time of the newest record.
  private(set) var newest: UTCInstant?
  private(set) var bounds: Bounds?

  /// The bounding box of all places. One that crosses the antimeridian spans all longitudes.
  struct Bounds: Hashable, Sendable {
    private(set) var south: Degrees
    private(set) var west: Degrees
    private(set) var north: Degrees
    private(set) var east: Degrees

    fileprivate init(_ place: Coordinate) {
      (south, north) = (place.latitude, place.latitude)
      (west, east) = (place.longitude, place.longitude)
    }

    fileprivate mutating func include(_ place: Coordinate) {
      south = min(south, place.latitude)
      north = max(north, place.latitude)
      west = min(west, place.longitude)
      east = max(east, place.longitude)
    }
  }

  public init() {}

  public mutating func add(_ destination: Destination) { include(destination.position) }

  public mutating func add(_ visit: Visit) {
    visits += 1
    include(visit.position)
    include(visit.departure?.estimate ?? visit.lastSeen ?? visit.arrival.estimate)
  }

  /// - Parameter point: in the order of time.
  public mutating func add(_ point: TrackPoint) {
    let time = point.location.time
    if let track, time - track.last > LineLayer.maxGap { gaps += 1 }
    points += 1
    track = (track?.first ?? time, time)
    include(point.location.position)
    include(time)
  }

  private mutating func include(_ place: Coordinate) {
    if bounds?.include(place) == nil { bounds = Bounds(place) }
  }

  private mutating func include(_ time: UTCInstant) {
    newest = newest.map { max($0, time) } ?? time
  }
}

extension ExportSummary {
  /// Nil without a track.
  var trackName: String? {
    track.map { "Track \(BoundedTime.range($0.first, $0.last, .utc)) UTC" }
  }

  var trackText: String {
    let minutes = Int(LineLayer.maxGap.value / 60)
    let gaps = "\(gaps) gaps of more than \(minutes) minutes"
    return "\(points) points" + (self.gaps == 0 ? "" : ", \(gaps)")
  }

  var text: String { "\(visits) visits, \(trackText)" }
}
