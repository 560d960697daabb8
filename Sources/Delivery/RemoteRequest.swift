import Core

/// A remote request to the board: one JSON object on its request topic.
///
///     {"id": "a1", "do": "fix", "sent": "2026-05-01T08:00:00Z", "within_s": 120}
public struct RemoteRequest: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    /// The last position.
    case position
    /// A fresh fix, with the wanted accuracy, within a time.
    case fix(within: Seconds, accuracy: Metres?)
    /// Points from then on, one page of them.
    case track(from: UTCInstant, to: UTCInstant?, most: Int)
    case visits(from: UTCInstant, to: UTCInstant?, most: Int)
    case status
    case places
    case alerts
    case budget
    case gnss(GnssOrder)
  }

  public enum GnssOrder: String, Sendable { case on, off, auto }

  /// Limit of a page: 200 points take 20 kB.
  static let mostRecords = 200
  private static let longestID = 64
  /// In bytes. Anything longer is not a request.
  static let longest = 4096

  /// Identifies the answer.
  public let id: String
  public let action: Action
  /// When it was sent; nil: not given.
  public let sent: UTCInstant?
  /// How long after that an answer is still useful.
  public let validity: Seconds

  /// Whether it costs energy or changes what the board does: such a request needs the time of
  /// sending, as it may have waited for days.
  public var isCommand: Bool {
    switch action {
    case .fix, .gnss: true
    case .position, .track, .visits, .status, .places, .alerts, .budget: false
    }
  }

  /// The word of its action.
  var actionName: String {
    switch action {
    case .position: "position"
    case .fix: "fix"
    case .track: "track"
    case .visits: "visits"
    case .status: "status"
    case .places: "places"
    case .alerts: "alerts"
    case .budget: "budget"
    case .gnss: "gnss"
    }
  }

  /// - Throws: what is wrong with it, with the id if that is known.
  public init(parsing bytes: [UInt8]) throws(RemoteRequestError) {
    guard bytes.count <= Self.longest, let json = try? JSONValue(parsing: bytes) else {
      throw RemoteRequestError(
        nil, "a request must be a JSON object of at most \(Self.longest) bytes")
    }
    guard let id = json["id"]?.string, (1...Self.longestID).contains(id.utf8.count),
      !TerminalText.hasControlCharacter(id)
    else {
      throw RemoteRequestError(nil, "\"id\" must be a text of 1 to \(Self.longestID) bytes")
    }
    self.id = id
    let fields = RequestFields(json, id)
    sent = try fields.time("sent")
    validity = try fields.seconds("valid_s", 1...604_800) ?? 3600
    action = try Self.action(fields)
  }

  private static func action(
    _ fields: RequestFields
  ) throws(RemoteRequestError) -> Action {
    switch fields.json["do"]?.string {
    case "position": return .position
    case "fix":
      return .fix(
        within: try fields.seconds("within_s", 10...900) ?? 120,
        accuracy: try fields.number("accuracy_m", 1...10_000).map { Metres($0) })
    case "track":
      let (from, to, most) = try range(fields)
      return .track(from: from, to: to, most: most)
    case "visits":
      let (from, to, most) = try range(fields)
      return .visits(from: from, to: to, most: most)
    case "status": return .status
    case "places": return .places
    case "alerts": return .alerts
    case "budget": return .budget
    case "gnss":
      guard let order = fields.json["state"]?.string.flatMap(GnssOrder.init) else {
        throw fields.error("\"state\" must be \"on\", \"off\" or \"auto\"")
      }
      return .gnss(order)
    default:
      throw fields.error(
        "\"do\" must be \"position\", \"fix\", \"track\", \"visits\", \"status\", \"places\", "
          + "\"alerts\", \"budget\" or \"gnss\"")
    }
  }

  private static func range(
    _ fields: RequestFields
  ) throws(RemoteRequestError) -> (UTCInstant, UTCInstant?, Int) {
    guard let from = try fields.time("from") else {
      throw fields.error("\"from\" is missing: a time such as \"2026-05-01T08:00:00Z\"")
    }
    let most = try fields.number("most", 1...Double(mostRecords)).map { Int($0) } ?? mostRecords
    return (from, try fields.time("to"), most)
  }

  /// Why it is not executed now; nil: it is.
  public func objection(at now: UTCInstant) -> String? {
    guard let sent else {
      return isCommand ? "\"sent\" is missing: the age of the request is unknown" : nil
    }
    let age = now - sent
    if age > validity {
      return "it was sent \(age.inWords) ago, and was valid for \(validity.inWords)"
    }
    // Two clocks always differ a little; one that is far ahead is wrong.
    if age < -600 {
      return "it was sent \((0 - age).inWords) in the future: one of the clocks is wrong"
    }
    return nil
  }
}

public struct RemoteRequestError: Error, Hashable, Sendable {
  /// The request's id; nil: it has none.
  let id: String?
  /// What is wrong, and what would be right.
  let message: String

  init(_ id: String?, _ message: String) {
    self.id = id
    self.message = message
  }
}

/// The members of a request.
private struct RequestFields {
  let json: JSONValue
  private let id: String

  init(_ json: JSONValue, _ id: String) {
    self.json = json
    self.id = id
  }

  func error(_ message: String) -> RemoteRequestError { RemoteRequestError(id, message) }

  func time(_ name: String) throws(RemoteRequestError) -> UTCInstant? {
    guard let value = json[name], value != .null else { return nil }
    guard let time = value.string.flatMap({ ISO8601.parse($0) }) else {
      throw error("\"\(name)\" must be a time such as \"2026-05-01T08:00:00Z\"")
    }
    return time
  }

  func number(
    _ name: String, _ range: ClosedRange<Double>
  ) throws(RemoteRequestError) -> Double? {
    guard let value = json[name], value != .null else { return nil }
    guard let number = value.number, range.contains(number) else {
      throw error("\"\(name)\" must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func seconds(
    _ name: String, _ range: ClosedRange<Double>
  ) throws(RemoteRequestError) -> Seconds? {
    try number(name, range).map { Seconds($0) }
  }
}
