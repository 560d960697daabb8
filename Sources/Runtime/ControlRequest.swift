import Notation
import ReceiverProtocols
import Tracking

/// What may be asked over the control socket: `{"command":"status"}`,
/// `{"command":"gnss","state":"on"}`, `{"command":"gnss","restart":"cold"}`,
/// `{"command":"commit"}`, `{"command":"watch"}`.
package enum ControlRequest: Equatable, Sendable {
  case status
  case gnss(GnssOverride)
  /// The receiver is to begin anew, and to forget what the kind says.
  case restart(RestartKind)
  case commit
  /// The answer is the status, and news follow, a line each.
  case watch

  /// What is wrong with a request, and what would be right.
  package struct Refusal: Error, Equatable, Sendable {
    package let reason: String
  }

  package init(_ json: JSONValue) throws(Refusal) {
    switch json["command"]?.string {
    case "status": self = .status
    case "gnss": self = try Self.gnss(json)
    case "commit": self = .commit
    case "watch": self = .watch
    default:
      throw Refusal(
        reason: "\"command\" is one of \"status\", \"gnss\", \"commit\", \"watch\"")
    }
  }

  private static func gnss(_ json: JSONValue) throws(Refusal) -> ControlRequest {
    switch (json["state"], json["restart"]) {
    case (let state?, nil):
      if let wanted = state.string.flatMap(GnssOverride.init(rawValue:)) { return .gnss(wanted) }
    case (nil, let restart?):
      if let kind = restart.string.flatMap(RestartKind.init(rawValue:)) { return .restart(kind) }
    default: break
    }
    throw Refusal(
      reason: "gnss takes either \"state\": \"on\", \"off\" or \"auto\", or \"restart\": "
        + "\"cold\", \"warm\" or \"hot\"")
  }

  package var json: JSONValue {
    switch self {
    case .status: .object([("command", .string("status"))])
    case .gnss(let wanted):
      .object([("command", .string("gnss")), ("state", .string(wanted.rawValue))])
    case .restart(let kind):
      .object([("command", .string("gnss")), ("restart", .string(kind.rawValue))])
    case .commit: .object([("command", .string("commit"))])
    case .watch: .object([("command", .string("watch"))])
    }
  }
}
