import Notation
import Quantities

/// Positions as the app Overland sends them, many at a time (github.com/aaronpk/Overland-iOS).
public struct OverlandBatch: Equatable, Sendable {
  public enum Motion: String, Sendable { case driving, walking, running, cycling, stationary }

  public enum Battery: String, Sendable { case unknown, charging, full, unplugged }

  public struct Point: Hashable, Sendable {
    public var time: UTCInstant
    public var position: Coordinate
    public var altitude: Metres?
    public var speed: MetresPerSecond?
    /// Over ground, clockwise from north.
    public var course: Degrees?
    public var accuracy: Metres?
    public var motion: [Motion] = []
    public var battery: Battery?
    /// 0...100 %.
    public var batteryPercent: Int?
    /// Of the joined network.
    public var wifi: String?
    /// The same on every try, and no other's.
    public var uniqueID: String?

    public init(_ time: UTCInstant, _ position: Coordinate) {
      self.time = time
      self.position = position
    }
  }

  /// Receivers take up to a thousand, and expect so many.
  public static let usualCount = 200

  public var device: String
  public var points: [Point]

  public init(_ device: String, _ points: [Point]) {
    self.device = device
    self.points = points
  }

  public var bytes: [UInt8] { Self.message(of: features) }

  /// Each point by itself, as `message` puts them together.
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
        // What is not known is -1.
        json.field("altitude", point.altitude?.value ?? -1, digits: 1)
        json.field("speed", point.speed?.value ?? -1, digits: 2)
        json.field("course", point.course?.value ?? -1, digits: 1)
        json.field("horizontal_accuracy", point.accuracy?.value ?? -1, digits: 1)
        json.field("vertical_accuracy", -1)
        json.field("speed_accuracy", -1)
        json.field("course_accuracy", -1)
        json.array("motion") { json in point.motion.forEach { json.string($0.rawValue) } }
        json.field("battery_state", (point.battery ?? .unknown).rawValue)
        json.field("battery_level", point.batteryPercent.map { Double($0) / 100 } ?? -1, digits: 2)
        json.field("wifi", point.wifi ?? "")
        json.field("device_id", device)
        if let uniqueID = point.uniqueID { json.field("unique_id", uniqueID) }
      }
    }
  }
}
