import Notation
import Quantities

/// What somebody asks of a device (`_type` "cmd").
public struct OwnTracksCommand: Equatable, Sendable {
  public enum Action: Equatable, Sendable {
    /// A fresh location.
    case reportLocation
    /// Those it has are kept, but for those of the same name.
    case setWaypoints([OwnTracksWaypoint])
    case clearWaypoints
    /// Those it has.
    case waypoints
    case status
    case setConfiguration(JSONValue)
    /// Another word, whose members are the rest.
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
  public var rest: JSONValue = .object([])

  public init(_ action: Action) { self.action = action }

  init(_ fields: inout MessageFields) throws(MessageError) {
    let word = try MessageFields.require(try fields.text("action"), "action")
    switch word {
    case "reportLocation": action = .reportLocation
    case "setWaypoints": action = .setWaypoints(try Self.waypoints(&fields))
    case "clearWaypoints": action = .clearWaypoints
    case "waypoints": action = .waypoints
    case "status": action = .status
    case "setConfiguration":
      action = .setConfiguration(
        try MessageFields.require(fields.value("configuration"), "configuration"))
    default: action = .other(word)
    }
    rest = fields.rest
  }

  /// Both ways of writing them: a list, or a message of `_type` "waypoints" around it.
  private static func waypoints(
    _ fields: inout MessageFields
  ) throws(MessageError) -> [OwnTracksWaypoint] {
    let given = try MessageFields.require(fields.value("waypoints"), "waypoints")
    return try OwnTracksWaypoint.list(given["waypoints"] ?? given)
  }

  func append(to json: inout JSONWriter) {
    json.object { json in
      json.field("_type", "cmd")
      json.field("action", action.word)
      switch action {
      case .setWaypoints(let waypoints):
        json.object("waypoints") { json in
          json.field("_type", "waypoints")
          json.array("waypoints") { json in waypoints.forEach { $0.append(to: &json) } }
        }
      case .setConfiguration(let configuration): json.field("configuration", configuration)
      default: break
      }
      json.members(rest)
    }
  }
}
