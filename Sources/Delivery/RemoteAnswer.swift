import Core
import Records

/// The answer to a remote request, as a JSON object with the request's id.
public struct RemoteAnswer: Hashable, Sendable {
  /// The request's id; nil: it has none.
  let id: String?
  private let word: String?
  private let members: [(name: String, value: JSONValue)]
  private let error: String?

  public static func == (a: Self, b: Self) -> Bool { a.bytes == b.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  public init(to request: RemoteRequest, _ members: [(name: String, value: JSONValue)]) {
    id = request.id
    word = request.actionName
    self.members = members
    error = nil
  }

  /// A refusal.
  ///
  /// - Parameter members: additional data.
  public init(
    to request: RemoteRequest, refusedBecause why: String,
    _ members: [(name: String, value: JSONValue)] = []
  ) {
    id = request.id
    word = request.actionName
    self.members = members
    error = why
  }

  /// The request was invalid.
  public init(to error: RemoteRequestError) {
    id = error.id
    word = nil
    members = []
    self.error = error.message
  }

  /// Whether the request is refused.
  public var isRefused: Bool { error != nil }

  /// For the log: the request, and why it was refused.
  public var summary: String {
    (word ?? "something") + (error.map { ": \(TerminalText.line($0))" } ?? "")
  }

  public var bytes: [UInt8] {
    let head: [(name: String, value: JSONValue)] = [
      ("id", .text(id)), ("do", .text(word)), ("ok", .bool(error == nil)),
      ("error", .text(error)),
    ]
    let object = JSONValue.object(head.filter { $0.value != .null } + members)
    return Array(object.text.utf8)
  }
}

extension JSONValue {
  /// A point of the track, with units in the names.
  public static func point(_ point: TrackPoint) -> JSONValue {
    let location = point.location
    return .object([
      ("time", .string(ISO8601.text(location.time))),
      ("lat", .rounded(location.position.latitude.value, digits: 7)),
      ("lon", .rounded(location.position.longitude.value, digits: 7)),
      ("accuracy_m", .rounded(location.accuracy.value, digits: 1)),
      ("altitude_m", .rounded(location.altitude?.value, digits: 1)),
      ("speed_m_s", .rounded(location.speed?.value, digits: 2)),
      ("course_deg", .rounded(location.track?.value, digits: 1)),
      ("source", .string(location.source.rawValue)),
    ])
  }

  public static func visit(_ visit: Visit) -> JSONValue {
    .object([
      ("id", .count(visit.id)),
      ("arrival", .string(ISO8601.text(visit.arrival.estimate))),
      ("departure", .text(visit.departure.map { ISO8601.text($0.estimate) })),
      ("lat", .rounded(visit.position.latitude.value, digits: 7)),
      ("lon", .rounded(visit.position.longitude.value, digits: 7)),
      ("accuracy_m", .rounded(visit.accuracy.value, digits: 1)),
      ("destination_id", .count(visit.destination)),
    ])
  }
}
