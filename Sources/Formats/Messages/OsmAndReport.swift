import Core

/// A position as Traccar takes it at its OsmAnd port, and Home Assistant at its webhook for
/// Traccar: the query of a GET, or a form that is posted (Traccar's OsmAndProtocolDecoder).
public struct OsmAndReport: Hashable, Sendable {
  /// One knot, a nautical mile an hour; the speed goes out in knots.
  private static let knot = MetresPerSecond(1852.0 / 3600)
  /// From this second on, 2038-01-19T03:14:07Z, the decoder takes a number for milliseconds.
  private static let lastSecond = Int(Int32.max)
  /// What the decoder understands by itself: an attribute of that name would speak for the device.
  private static let taken: Set<String> = [
    "accuracy", "altitude", "batt", "bearing", "cell", "charge", "deviceid", "driverUniqueId",
    "hdop", "heading", "id", "lat", "location", "lon", "speed", "timestamp", "valid", "wifi",
  ]

  /// By which the server knows the device.
  public var device: String
  public var time: UTCInstant
  public var position: Coordinate
  public var accuracy: Metres?
  public var altitude: Metres?
  public var speed: MetresPerSecond?
  /// Over ground, clockwise from north.
  public var course: Degrees?
  /// 0...100 %.
  public var batteryPercent: Int?
  public var isCharging: Bool?
  /// Attributes of one's own; a server that does not know them keeps them. Those whose names mean
  /// something else there are left out.
  public var attributes: [Attribute] = []

  public struct Attribute: Hashable, Sendable {
    public var name: String
    public var value: String

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
    // North is 0 alone.
    add("bearing", course.map { $0.value < 359.95 ? $0.value : $0.value - 360 }, digits: 1)
    if let batteryPercent, 0...100 ~= batteryPercent { parts.append(("batt", "\(batteryPercent)")) }
    if let isCharging { parts.append(("charge", isCharging ? "true" : "false")) }
    parts += attributes.filter { !Self.taken.contains($0.name) }.map { ($0.name, $0.value) }
    return parts.map { "\(PercentEncoding.text($0.0))=\(PercentEncoding.text($0.1))" }
      .joined(separator: "&")
  }

  /// Seconds since 1970 as long as they are taken for such, then milliseconds.
  private var timestamp: String {
    let seconds = time.wholeSeconds
    return seconds < Self.lastSecond ? "\(seconds)" : "\(time.nanoseconds / 1_000_000)"
  }
}
