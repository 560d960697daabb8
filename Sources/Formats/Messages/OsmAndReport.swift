import Core

/// A position for Traccar's OsmAnd port, and Home Assistant's webhook for Traccar: the query of a
/// GET, or a posted form (Traccar's OsmAndProtocolDecoder).
public struct OsmAndReport: Hashable, Sendable {
  /// One knot, a nautical mile per hour; the unit of the speed in the message.
  private static let knot = MetresPerSecond(1852.0 / 3600)
  /// From this second on, 2038-01-19T03:14:07Z, the decoder reads a number as milliseconds.
  private static let lastSecond = Int(Int32.max)
  /// Names with a meaning for the decoder, which an attribute must not have.
  private static let taken: Set<String> = [
    "accuracy", "altitude", "batt", "bearing", "cell", "charge", "deviceid", "driverUniqueId",
    "hdop", "heading", "id", "lat", "location", "lon", "speed", "timestamp", "valid", "wifi",
  ]

  /// The id of the device at the server.
  var device: String
  var time: UTCInstant
  var position: Coordinate
  public var accuracy: Metres?
  public var altitude: Metres?
  public var speed: MetresPerSecond?
  /// Over ground, clockwise from north.
  public var course: Degrees?
  /// 0...100 %.
  var batteryPercent: Int?
  var isCharging: Bool?
  /// Additional attributes; a server stores unknown ones. Those with names of another meaning there
  /// are omitted.
  public var attributes: [Attribute] = []

  public struct Attribute: Hashable, Sendable {
    var name: String
    var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public init(_ device: String, at time: UTCInstant, _ position: Coordinate) {
    self.device = device
    self.time = time
    self.position = position
  }

  /// `id=a1b2&timestamp=…`, each part percent-encoded; the same report always gives the same text.
  public var query: String {
    var parts = [
      ("id", device), ("timestamp", timestamp),
      ("lat", FixedDecimal.text(position.latitude.value, digits: 7)),
      ("lon", FixedDecimal.text(position.longitude.value, digits: 7)),
    ]
    func add(_ name: String, _ value: Double?, digits: Int) {
      guard let value, value.isFinite else { return }
      parts.append((name, FixedDecimal.text(value, digits: digits)))
    }
    add("accuracy", accuracy?.value, digits: 1)
    add("altitude", altitude?.value, digits: 1)
    add("speed", speed.map { $0 / Self.knot }, digits: 2)
    // North is 0 only.
    add("bearing", course.map { $0.value < 359.95 ? $0.value : $0.value - 360 }, digits: 1)
    if let batteryPercent, 0...100 ~= batteryPercent { parts.append(("batt", "\(batteryPercent)")) }
    if let isCharging { parts.append(("charge", isCharging ? "true" : "false")) }
    parts += attributes.filter { !Self.taken.contains($0.name) }.map { ($0.name, $0.value) }
    return parts.map { "\(PercentEncoding.text($0.0))=\(PercentEncoding.text($0.1))" }
      .joined(separator: "&")
  }

  /// Seconds since 1970 as long as the decoder reads them as such, then milliseconds.
  private var timestamp: String {
    let seconds = time.wholeSeconds
    return seconds < Self.lastSecond ? "\(seconds)" : "\(time.nanoseconds / 1_000_000)"
  }
}
