import Core

/// A message of OwnTracks, over MQTT or HTTP, in either direction
/// (owntracks.org/booklet/tech/json).
public enum OwnTracksMessage: Equatable, Sendable {
  case location(OwnTracksLocation)
  case transition(OwnTracksTransition)
  case waypoint(OwnTracksWaypoint)
  case waypoints([OwnTracksWaypoint], rest: [VerbatimMember])
  /// The device disconnected unexpectedly; `connectedAt` is when it had connected.
  case lastWill(connectedAt: UTCInstant, rest: [VerbatimMember])
  case status([VerbatimMember])
  case command(OwnTracksCommand)
  case card(OwnTracksCard)
  /// The bytes of a message that was encrypted: nonce, authenticator, ciphertext.
  case encrypted([UInt8])
  /// Of an unknown type, unchanged.
  case other(type: String, rest: [VerbatimMember])

  /// Longer ones are not read: the longest are lists of waypoints and the pictures in cards, with a
  /// fraction of it.
  static let mostBytes = 256 << 10

  public init(parsing bytes: [UInt8]) throws(MessageError) {
    guard bytes.count <= Self.mostBytes else {
      throw MessageError("it has \(bytes.count) bytes; at most \(Self.mostBytes) are read")
    }
    let json: VerbatimJSON
    do throws(JSONError) {
      json = try VerbatimJSON(parsing: bytes)
    } catch {
      throw MessageError(error.description)
    }
    try self.init(json)
  }

  private init(_ json: VerbatimJSON) throws(MessageError) {
    var fields = try MessageFields(json)
    let type = try MessageFields.require(try fields.text("_type"), "_type")
    switch type {
    case "location": self = .location(try OwnTracksLocation(&fields))
    case "transition": self = .transition(try OwnTracksTransition(&fields))
    case "waypoint": self = .waypoint(try OwnTracksWaypoint(&fields))
    case "waypoints":
      let list = try MessageFields.require(fields.verbatim("waypoints"), "waypoints")
      self = .waypoints(try OwnTracksWaypoint.list(list), rest: fields.rest)
    case "lwt":
      let time = try MessageFields.require(try fields.time("tst"), "tst")
      self = .lastWill(connectedAt: time, rest: fields.rest)
    case "status": self = .status(fields.rest)
    case "cmd": self = .command(try OwnTracksCommand(&fields))
    case "card": self = .card(try OwnTracksCard(&fields))
    case "encrypted": self = .encrypted(try Self.encrypted(&fields))
    default: self = .other(type: type, rest: fields.rest)
    }
  }

  private static func encrypted(_ fields: inout MessageFields) throws(MessageError) -> [UInt8] {
    let text = try MessageFields.require(try fields.text("data"), "data")
    guard let bytes = Base64.bytes(text) else { throw MessageError("it is not base64", at: "data") }
    return bytes
  }

  /// The messages in a server's answer: a list of them, or one alone (booklet, tech/http). Invalid
  /// ones are omitted.
  public static func answered(_ body: [UInt8]) -> [OwnTracksMessage] {
    guard let json = try? VerbatimJSON(parsing: body) else { return [] }
    return (json.items ?? [json]).compactMap { try? OwnTracksMessage($0) }
  }

  /// The encoded message: the same message always gives the same bytes.
  public var bytes: [UInt8] {
    var json = JSONWriter(reserving: 256)
    append(to: &json)
    return json.bytes
  }

  private func append(to json: inout JSONWriter) {
    switch self {
    case .location(let location): location.append(to: &json)
    case .transition(let transition): transition.append(to: &json)
    case .waypoint(let waypoint): waypoint.append(to: &json)
    case .command(let command): command.append(to: &json)
    case .card(let card): card.append(to: &json)
    case .waypoints(let waypoints, let rest):
      typed("waypoints", &json) { json in
        json.array("waypoints") { json in waypoints.forEach { $0.append(to: &json) } }
        json.members(rest)
      }
    case .lastWill(let connectedAt, let rest):
      typed("lwt", &json) { json in
        json.field("tst", unixTime: connectedAt)
        json.members(rest)
      }
    case .status(let rest): typed("status", &json) { $0.members(rest) }
    case .encrypted(let encrypted):
      typed("encrypted", &json) { $0.field("data", Base64.text(encrypted)) }
    case .other(let type, let rest): typed(type, &json) { $0.members(rest) }
    }
  }

  private func typed(
    _ type: String, _ json: inout JSONWriter, _ body: (inout JSONWriter) -> Void
  ) {
    json.object { json in
      json.field("_type", type)
      body(&json)
    }
  }
}

/// The owner of a device, for a map (`_type` "card").
public struct OwnTracksCard: Equatable, Sendable {
  var name: String?
  var trackerID: String?
  /// A PNG or JPEG in base64; 192 by 192 pixels are recommended.
  var face: String?
  var rest: [VerbatimMember] = []

  init(name: String?, trackerID: String?) {
    self.name = name
    self.trackerID = trackerID
  }

  init(_ fields: inout MessageFields) throws(MessageError) {
    name = try fields.text("name")
    trackerID = try fields.text("tid")
    face = try fields.text("face")
    rest = fields.rest
  }

  func append(to json: inout JSONWriter) {
    json.object { json in
      json.field("_type", "card")
      if let name { json.field("name", name) }
      if let trackerID { json.field("tid", trackerID) }
      if let face { json.field("face", face) }
      json.members(rest)
    }
  }
}
