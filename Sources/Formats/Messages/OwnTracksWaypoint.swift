import Core

/// A place in the format of OwnTracks' apps (`_type` "waypoint"): a circle, a beacon, or both.
public struct OwnTracksWaypoint: Equatable, Sendable {
  /// Two 16-bit numbers in addition to the id; 0 means any.
  struct Beacon: Hashable, Sendable {
    fileprivate static let numbers = 0.0...65_535

    var uuid: String
    var major: Int = 0
    var minor: Int = 0
  }

  var name: String
  /// Identifies it in Android's app.
  var createdAt: UTCInstant
  var position: Coordinate?
  /// Nil, 0 or less: there is no circle; with a beacon, less than 0: the place moves with it.
  var radius: Metres?
  var beacon: Beacon?
  var regionID: String?
  var rest: [VerbatimMember] = []

  init(_ name: String, createdAt: UTCInstant) {
    self.name = name
    self.createdAt = createdAt
  }

  init(_ fields: inout MessageFields) throws(MessageError) {
    name = try MessageFields.require(try fields.text("desc"), "desc")
    createdAt = try MessageFields.require(try fields.time("tst"), "tst")
    position = try fields.position()
    radius = try fields.number("rad", in: -1e8...1e8).map { Metres($0) }
    if let uuid = try fields.text("uuid") {
      beacon = Beacon(
        uuid: uuid, major: try fields.whole("major", in: Beacon.numbers) ?? 0,
        minor: try fields.whole("minor", in: Beacon.numbers) ?? 0)
    }
    regionID = try fields.text("rid")
    rest = fields.rest
  }

  static func list(_ json: VerbatimJSON) throws(MessageError) -> [OwnTracksWaypoint] {
    guard let items = json.items else { throw MessageError("it is not a list", at: "waypoints") }
    var waypoints: [OwnTracksWaypoint] = []
    for (index, item) in items.enumerated() {
      do throws(MessageError) {
        var fields = try MessageFields(item)
        guard try fields.text("_type") ?? "waypoint" == "waypoint" else {
          throw MessageError("it is not a waypoint", at: "_type")
        }
        waypoints.append(try OwnTracksWaypoint(&fields))
      } catch {
        throw error.within("waypoints[\(index)]")
      }
    }
    return waypoints
  }

  func append(to json: inout JSONWriter) {
    json.object { json in
      json.field("_type", "waypoint")
      json.field("desc", name)
      if let position { json.position(position) }
      // Rounded to 0, the circle would be lost.
      json.field("rad", ifNumber: radius.map { $0 > 0 ? max($0.value, 1) : $0.value }, digits: 0)
      json.field("tst", unixTime: createdAt)
      if let beacon {
        json.field("uuid", beacon.uuid)
        json.field("major", beacon.major)
        json.field("minor", beacon.minor)
      }
      if let regionID { json.field("rid", regionID) }
      json.members(rest)
    }
  }
}
