import Delivery
import Core
import Places
import GNSS
import Tracking

/// The requests of the control socket: `{"command":"status"}`,
/// `{"command":"gnss","state":"on"}`, `{"command":"gnss","restart":"cold"}`,
/// `{"command":"commit"}`, `{"command":"watch"}`, `{"command":"edited"}`,
/// `{"command":"alert-test","alert":1}`,
/// `{"command":"device","name":"guide","lat":52.1,"lon":5.1}`,
/// `{"command":"device","name":"guide"}`,
/// `{"command":"fix","within_s":120,"accuracy_m":50}`,
/// `{"command":"uplink","report":{…}}`, `{"command":"near"}`,
/// `{"command":"mail","arrived":[{"topic":…,"text":…}],"sent":[…]}`.
package enum ControlRequest: Equatable, Sendable {
  case status
  case gnss(GnssOverride)
  /// Restarts the receiver, and clears what the kind implies.
  case restart(RestartKind)
  case commit
  /// The answer is the status; events follow, one per line.
  case watch
  /// Places or alerts in the store were edited.
  case edited
  /// Raises an alert, by its number, as a test.
  case alertTest(Int64)
  /// The position of a tracked device, which places may move with.
  case device(String, Coordinate)
  /// Queries the last position of a tracked device.
  case deviceSought(String)
  /// Requests one fix within a time.
  case fix(within: Seconds, accuracy: Metres?)
  /// The uplink's status.
  case uplink(UplinkReport)
  /// Queries the beacons received; the radio listens in detail for some seconds from now on.
  case near
  /// Letters and the like have arrived from a broker, or were acknowledged by it.
  case peerMessages(PeerMessageDelivery)

  /// What is wrong with a request, and what would be valid.
  package struct Refusal: Error, Equatable, Sendable {
    package let reason: String
  }

  package init(_ json: JSONValue) throws(Refusal) {
    switch json["command"]?.string {
    case "status": self = .status
    case "gnss": self = try Self.gnss(json)
    case "commit": self = .commit
    case "watch": self = .watch
    case "edited": self = .edited
    case "alert-test": self = try Self.alertTest(json)
    case "device": self = try Self.device(json)
    case "fix": self = try Self.fix(json)
    case "uplink":
      guard let report = json["report"].flatMap(UplinkReport.init) else {
        throw Refusal(reason: "uplink needs \"report\": the report of the uplink")
      }
      self = .uplink(report)
    case "near": self = .near
    case "mail":
      guard let delivery = PeerMessageDelivery(json) else {
        throw Refusal(
          reason: "mail needs \"arrived\" and \"sent\": lists of \"topic\" and \"text\"")
      }
      self = .peerMessages(delivery)
    default:
      throw Refusal(
        reason: "\"command\" must be one of \"status\", \"gnss\", \"commit\", \"watch\", "
          + "\"edited\", \"alert-test\", \"device\", \"fix\", \"uplink\", \"near\", "
          + "\"mail\"")
    }
  }

  private static func alertTest(_ json: JSONValue) throws(Refusal) -> ControlRequest {
    guard let id = json["alert"]?.integer, id >= 0 else {
      throw Refusal(reason: "alert-test needs \"alert\": the number of an alert")
    }
    return .alertTest(Int64(id))
  }

  private static func device(_ json: JSONValue) throws(Refusal) -> ControlRequest {
    let name = json["name"]?.string.flatMap { (1...PlaceLimits.name) ~= $0.utf8.count ? $0 : nil }
    if let name, json["lat"] == nil, json["lon"] == nil { return .deviceSought(name) }
    guard let name, let latitude = json["lat"]?.number,
      let longitude = json["lon"]?.number,
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude)
    else {
      throw Refusal(
        reason:
          "device needs \"name\" of 1 to \(PlaceLimits.name) bytes, \"lat\" and \"lon\" in "
          + "degrees; without both it queries the last position of the device")
    }
    return .device(name, position)
  }

  private static func fix(_ json: JSONValue) throws(Refusal) -> ControlRequest {
    let accuracy = json["accuracy_m"] ?? .null
    guard let limit = json["within_s"]?.number, (1...3600).contains(limit),
      accuracy == .null || accuracy.number.map({ (1...100_000).contains($0) }) ?? false
    else {
      throw Refusal(
        reason: "fix needs \"within_s\": 1 to 3600, and optionally \"accuracy_m\": 1 to 100000")
    }
    return .fix(within: Seconds(limit), accuracy: accuracy.number.map { Metres($0) })
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
      reason: "gnss needs either \"state\": \"on\", \"off\" or \"auto\", or \"restart\": "
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
    case .edited: .object([("command", .string("edited"))])
    case .alertTest(let id):
      .object([("command", .string("alert-test")), ("alert", .number(Double(id)))])
    case .device(let name, let position):
      .object([
        ("command", .string("device")), ("name", .string(name)),
        ("lat", .number(position.latitude.value)), ("lon", .number(position.longitude.value)),
      ])
    case .deviceSought(let name):
      .object([("command", .string("device")), ("name", .string(name))])
    case .fix(let limit, let accuracy):
      .object([
        ("command", .string("fix")), ("within_s", .number(limit.value)),
        ("accuracy_m", accuracy.map { .number($0.value) } ?? .null),
      ])
    case .uplink(let report):
      .object([("command", .string("uplink")), ("report", report.json)])
    case .near: .object([("command", .string("near"))])
    case .peerMessages(let delivery): delivery.json
    }
  }
}
