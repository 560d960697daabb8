import Notation
import Tracking

/// What may be asked over the control socket: `{"command":"status"}`,
/// `{"command":"gnss","state":"on"}`, `{"command":"commit"}`,
/// `{"command":"watch"}`.
package enum ControlRequest: Equatable, Sendable {
  case status
  case gnss(GnssOverride)
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
    case "gnss":
      guard let wanted = json["state"]?.string.flatMap(GnssOverride.init(rawValue:)) else {
        throw Refusal(reason: "gnss takes \"state\": \"on\", \"off\" or \"auto\"")
      }
      self = .gnss(wanted)
    case "commit": self = .commit
    case "watch": self = .watch
    default:
      throw Refusal(
        reason: "\"command\" is one of \"status\", \"gnss\", \"commit\", \"watch\"")
    }
  }

  package var json: JSONValue {
    switch self {
    case .status: .object([("command", .string("status"))])
    case .gnss(let wanted):
      .object([("command", .string("gnss")), ("state", .string(wanted.rawValue))])
    case .commit: .object([("command", .string("commit"))])
    case .watch: .object([("command", .string("watch"))])
    }
  }
}
