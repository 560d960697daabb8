import Core
import Records

/// The fixes in the format of Movebank's files (its attribute dictionary,
/// vocab.nerc.ac.uk/collection/ MVB): times in UTC, degrees in WGS 84, heights above mean sea level
/// and errors in metres, speeds in metres per second, headings clockwise from north.
///
/// An event is a measurement: points not measured by a receiver are left out. Movebank assigns its
/// own event ids on import; until then the id is the microsecond of the measurement, the same in
/// every export.
struct MovebankExporter: Exporter {
  var output = Array(Self.columns.csvHeading.utf8)
  private let individual: String
  private let tag: String
  private var last: Int64?

  /// - Parameters:
  ///   - individual: the animal's name in the study.
  ///   - tag: the tag's name.
  init(individual: String, tag: String) {
    self.individual = individual
    self.tag = tag
  }

  mutating func destination(_: Destination) {}
  mutating func visit(_: Visit) {}
  mutating func finish() {}

  mutating func point(_ point: TrackPoint) {
    guard point.location.source == .gnss, point.reason != .rest else { return }
    let event = Event(
      id: max(point.location.time.wholeMicroseconds, last.map { $0 + 1 } ?? .min),
      location: point.location, individual: individual, tag: tag)
    last = event.id
    Self.columns.append(event, toCSV: &output)
  }

  private struct Event {
    let id: Int64
    let location: Location
    let individual: String
    let tag: String

    /// `yyyy-MM-dd HH:mm:ss.SSS`.
    var timestamp: String {
      let text = ISO8601.text(location.time, digits: 3)
      return "\(text.prefix(10)) \(text.dropFirst(11).dropLast())"
    }
  }

  private static let columns = Columns<Event>([
    .count("event_id", csv: "event-id") { Int($0.id) },
    // It would be false for an outlier; the tracker stores none.
    .word("visible", csv: "visible") { _ in "true" },
    .word("timestamp", csv: "timestamp") { $0.timestamp },
    .number("lon", digits: 7, csv: "location-long") { $0.location.position.longitude.value },
    .number("lat", digits: 7, csv: "location-lat") { $0.location.position.latitude.value },
    .number("speed_m_s", digits: 2, csv: "ground-speed") { $0.location.speed?.value },
    .number("track_deg", digits: 1, csv: "heading") { $0.location.track?.value },
    .number("altitude_m", digits: 2, csv: "height-above-msl") { $0.location.altitude?.value },
    .number("accuracy_m", digits: 2, csv: "location-error-numerical") {
      $0.location.accuracy.value
    },
    .text("sensor", csv: "sensor-type") { _ in "gps" },
    .text("tag", csv: "tag-local-identifier") { $0.tag },
    .text("individual", csv: "individual-local-identifier") { $0.individual },
  ])
}
