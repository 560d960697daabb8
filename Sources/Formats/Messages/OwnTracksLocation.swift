import Core

/// The position of a device in the format of OwnTracks' apps (`_type` "location",
/// owntracks.org/booklet/tech/json).
public struct OwnTracksLocation: Equatable, Sendable {
  /// Why it was sent; nil: without a particular reason.
  public enum Trigger: String, Sendable {
    /// Only the time is new: the present one.
    case ping = "p"
    case circularRegion = "c"
    case followedRegion = "C"
    case beacon = "b"
    /// It was requested.
    case answer = "r"
    case manual = "u"
    case timer = "t"
    case frequent = "v"
  }

  enum Charging: Int, Sendable { case unknown, unplugged, charging, full }

  enum Connection: String, Sendable { case wifi = "w", mobile = "m", offline = "o" }

  /// Time of the fix; sent in whole seconds.
  var time: UTCInstant
  /// When the message was made, if at another time.
  public var createdAt: UTCInstant?
  var position: Coordinate
  /// Horizontal, more than 0.
  var accuracy: Metres?
  var altitude: Metres?
  var verticalAccuracy: Metres?
  /// In km/h in the message.
  var speed: MetresPerSecond?
  /// Over ground, clockwise from north.
  var course: Degrees?
  /// 0...100 %.
  var batteryPercent: Int?
  var charging: Charging?
  var connection: Connection?
  public var trigger: Trigger?
  /// Names and ids of the regions that contain the position.
  var regions: [String] = []
  var regionIDs: [String] = []
  /// Two characters that represent the device on a map. Required with HTTP.
  var trackerID: String?
  /// The topic for publishing; sent along over HTTP.
  var topic: String?
  /// Other members, unchanged.
  public var rest: [VerbatimMember] = []

  init(_ time: UTCInstant, _ position: Coordinate, accuracy: Metres?) {
    self.time = time
    self.position = position
    self.accuracy = accuracy
  }

  init(_ fields: inout MessageFields) throws(MessageError) {
    position = try MessageFields.require(try fields.position(), "lat")
    time = try MessageFields.require(try fields.time("tst"), "tst")
    createdAt = try fields.time("created_at")
    // Negative: unknown, here and below.
    accuracy = try fields.number("acc", in: -1e6...1e8).flatMap { $0 < 0 ? nil : Metres($0) }
    altitude = try fields.number("alt", in: -1e6...1e9).map { Metres($0) }
    verticalAccuracy = try fields.number("vac", in: -1e6...1e8).flatMap {
      $0 < 0 ? nil : Metres($0)
    }
    speed = try fields.number("vel", in: -1e6...1e8).flatMap {
      $0 < 0 ? nil : MetresPerSecond($0 / 3.6)
    }
    course = try fields.number("cog", in: -1e6...1e6).flatMap { $0 < 0 ? nil : Degrees($0) }
    batteryPercent = try fields.number("batt", in: -1e6...1e6).flatMap {
      (0...100).contains($0) ? Int($0.rounded()) : nil
    }
    charging = try fields.code("bs", as: Charging.self)
    connection = try fields.word("conn", as: Connection.self)
    trigger = try fields.word("t", as: Trigger.self)
    regions = try fields.texts("inregions")
    regionIDs = try fields.texts("inrids")
    trackerID = try fields.text("tid")
    topic = try fields.text("topic")
    rest = fields.rest
  }

  func append(to json: inout JSONWriter) {
    json.object { json in
      json.field("_type", "location")
      json.field("tst", unixTime: time)
      json.field("created_at", unixTime: createdAt)
      json.position(position)
      // Home Assistant ignores positions with an accuracy of 0 m.
      json.field(
        "acc", ifNumber: accuracy.map { $0.value < 1 ? 1 : $0.value }, digits: 0)
      json.field("alt", ifNumber: altitude?.value, digits: 0)
      json.field("vac", ifNumber: verticalAccuracy?.value, digits: 0)
      json.field("vel", ifNumber: speed.map { $0.value * 3.6 }, digits: 0)
      json.field("cog", ifNumber: course.map { $0.value >= 359.5 ? 0 : $0.value }, digits: 0)
      json.field("batt", ifKnown: batteryPercent)
      json.field("bs", ifKnown: charging?.rawValue)
      if let connection { json.field("conn", connection.rawValue) }
      if let trigger { json.field("t", trigger.rawValue) }
      if !regions.isEmpty {
        json.array("inregions") { json in regions.forEach { json.string($0) } }
      }
      if !regionIDs.isEmpty {
        json.array("inrids") { json in regionIDs.forEach { json.string($0) } }
      }
      if let trackerID { json.field("tid", trackerID) }
      if let topic { json.field("topic", topic) }
      json.members(rest)
    }
  }
}
