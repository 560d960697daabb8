import Core

/// A request to a device (`_type` "cmd").
public struct OwnTracksCommand: Equatable, Sendable {
  public enum Action: Equatable, Sendable {
    /// A fresh location.
    case reportLocation
    /// Its existing waypoints are kept, except those with the same name.
    case setWaypoints([OwnTracksWaypoint], rest: [VerbatimMember] = [])
    case clearWaypoints
    /// Requests its waypoints.
    case waypoints
    case status
    case setConfiguration(VerbatimJSON)
    /// Another word, whose members are in the rest.
    case other(String)

    fileprivate var word: String {
      switch self {
      case .reportLocation: "reportLocation"
      case .setWaypoints: "setWaypoints"
      case .clearWaypoints: "clearWaypoints"
      case .waypoints: "waypoints"
      case .status: "status"
      case .setConfiguration: "setConfiguration"
      case .other(let word): word
      }
    }
  }

  public var action: Action
  var rest: [VerbatimMember] = []

  init(_ action: Action) { self.action = action }

  init(_ fields: inout MessageFields) throws(MessageError) {
    let word = try MessageFields.require(try fields.text("action"), "action")
    switch word {
    case "reportLocation": action = .reportLocation
    case "setWaypoints": action = try Self.setWaypoints(&fields)
    case "clearWaypoints": action = .clearWaypoints
    case "waypoints": action = .waypoints
    case "status": action = .status
    case "setConfiguration":
      action = .setConfiguration(
        try MessageFields.require(fields.verbatim("configuration"), "configuration"))
    default: action = .other(word)
    }
    rest = fields.rest
  }

  /// Both forms: a list, or a message of `_type` "waypoints" around it.
  private static func setWaypoints(
    _ fields: inout MessageFields
  ) throws(MessageError) -> Action {
    let given = try MessageFields.require(fields.verbatim("waypoints"), "waypoints")
    guard given.members != nil else { return .setWaypoints(try OwnTracksWaypoint.list(given)) }
    var message = try MessageFields(given)
    _ = message.verbatim("_type")
    let list = try MessageFields.require(message.verbatim("waypoints"), "waypoints.waypoints")
    return .setWaypoints(try OwnTracksWaypoint.list(list), rest: message.rest)
  }

  func append(to json: inout JSONWriter) {
    json.object { json in
      json.field("_type", "cmd")
      json.field("action", action.word)
      var rest = rest
      switch action {
      case .setWaypoints(let waypoints, let others):
        json.object("waypoints") { json in
          json.field("_type", "waypoints")
          json.array("waypoints") { json in waypoints.forEach { $0.append(to: &json) } }
          json.members(others)
        }
      case .setConfiguration(let configuration):
        rest.insert(VerbatimMember("configuration", configuration), at: 0)
      default: break
      }
      json.members(rest)
    }
  }
}
