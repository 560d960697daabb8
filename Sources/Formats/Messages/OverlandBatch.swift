import Core

/// Positions in the format of the app Overland, many at a time (github.com/aaronpk/Overland-iOS).
public struct OverlandBatch: Equatable, Sendable {
  enum Motion: String, Sendable { case driving, walking, running, cycling, stationary }

  enum Battery: String, Sendable { case unknown, charging, full, unplugged }

  public struct Point: Hashable, Sendable {
    var time: UTCInstant
    var position: Coordinate
    public var altitude: Metres?
    public var speed: MetresPerSecond?
    /// Over ground, clockwise from north.
    public var course: Degrees?
    public var accuracy: Metres?
    var motion: [Motion] = []
    var battery: Battery?
    /// 0...100 %.
    var batteryPercent: Int?
    /// Name of the joined network.
    var wifi: String?

    public init(_ time: UTCInstant, _ position: Coordinate) {
      self.time = time
      self.position = position
    }
  }

  /// Receivers accept up to a thousand, and expect so many.
  static let usualCount = 200

  /// The id of the device at the receiver, both as the user's name (`device_id`) and as the unique
  /// one (`unique_id`). A point is identified by its time and position alone.
  var device: String
  var points: [Point]

  public init(_ device: String, _ points: [Point]) {
    self.device = device
    self.points = points
  }

  var bytes: [UInt8] { Self.message(of: features) }

  /// Each point separately, as `message` joins them.
  public var features: [[UInt8]] {
    points.map { point in
      var json = JSONWriter(reserving: 512)
      append(point, to: &json)
      return json.bytes
    }
  }

  /// - Parameter features: points, of any batches.
  public static func message(of features: [[UInt8]]) -> [UInt8] {
    Array(#"{"locations":["#.utf8) + features.joined(separator: [UInt8(ascii: ",")])
      + Array("]}".utf8)
  }

  private func append(_ point: Point, to json: inout JSONWriter) {
    json.object { json in
      json.field("type", "Feature")
      json.object("geometry") { json in
        json.field("type", "Point")
        json.array("coordinates") { json in
          json.number(point.position.longitude.value, digits: 7)
          json.number(point.position.latitude.value, digits: 7)
        }
      }
      json.object("properties") { json in
        json.field("timestamp", point.time, digits: 0)
        json.field("altitude", orUnknown: point.altitude?.value, digits: 1)
        json.field("speed", orUnknown: point.speed?.value, digits: 2)
        // North is 0 only.
        let course = point.course.map { $0.value < 359.95 ? $0.value : $0.value - 360 }
        json.field("course", orUnknown: course, digits: 1)
        json.field("horizontal_accuracy", orUnknown: point.accuracy?.value, digits: 1)
        json.field("vertical_accuracy", orUnknown: nil, digits: 1)
        json.field("speed_accuracy", orUnknown: nil, digits: 1)
        json.field("course_accuracy", orUnknown: nil, digits: 1)
        json.array("motion") { json in point.motion.forEach { json.string($0.rawValue) } }
        json.field("battery_state", (point.battery ?? .unknown).rawValue)
        let level = point.batteryPercent.flatMap { (0...100) ~= $0 ? Double($0) / 100 : nil }
        json.field("battery_level", orUnknown: level, digits: 2)
        json.field("wifi", point.wifi ?? "")
        json.field("device_id", device)
        json.field("unique_id", device)
      }
    }
  }
}

extension JSONWriter {
  /// An unknown value is -1, as in iOS.
  fileprivate mutating func field(_ name: StaticString, orUnknown value: Double?, digits: Int) {
    guard let value, value.isFinite else { return field(name, -1) }
    field(name, value, digits: digits)
  }
}
