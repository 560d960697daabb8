import Notation
import Quantities
import Records

/// What an earlier run left in the store for the next: a tracker's snapshot.
struct SavedState {
  static let version = 1

  private let json: JSONValue

  /// What a run leaves for the next.
  /// - Parameter lineEnd: where the line ends for as long as it is not known how it goes on.
  static func snapshot(
    _ search: GnssSearch, _ pipeline: LocationPipeline, _ coarse: CoarseTracking,
    _ clock: UTCClock, lineEnd: Location?, at now: BootInstant
  ) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("version", .number(Double(version))), ("acquisition", search.snapshot),
      ("perception", pipeline.snapshot),
    ]
    if let learnt = coarse.snapshot { members.append(("coarse", learnt)) }
    if let lineEnd { members.append(("line_end", lineEnd.snapshot)) }
    if let date = clock.snapshot(at: now) { members.append(("date", date)) }
    if let utc = clock.utc(at: now) { members.append(("time", .string(ISO8601.text(utc)))) }
    return .object(members + search.sessionSnapshot)
  }

  /// Nil, with a log event, when it makes no sense: a tracker that starts afresh is better than
  /// one that does not start.
  init?(_ text: String, _ turn: inout Turn) {
    guard let json = try? JSONValue(parsing: text), json["version"]?.integer == Self.version else {
      turn.log(
        "state-ignored", "the state of the last run cannot be read; starting afresh",
        level: .warning)
      return nil
    }
    self.json = json
  }

  subscript(part: String) -> JSONValue? { json[part] }

  /// The last run ended before it was known how its line goes on: it goes as far as it was seen.
  var lineEnd: TrackPoint? {
    guard let end = Location(json["line_end"]) else { return nil }
    return TrackPoint(location: end, reason: .shape, session: sessionID)
  }

  private var sessionID: Int64? { json["session"]?.count.map { Int64($0) } }

  /// The last run ended without switching off: its session is closed with what is known.
  var interruptedSession: GnssSession? {
    guard let id = sessionID else { return nil }
    var session = GnssSession(
      id: id, on: json["session_on"]?.string.flatMap { ISO8601.parse($0) })
    session.off = json["time"]?.string.flatMap { ISO8601.parse($0) }
    session.timeToFirstFix = json["session_ttff_s"]?.number.map { Seconds($0) }
    session.fixesAccepted = json["session_accepted"]?.count ?? 0
    session.fixesRejected = json["session_rejected"]?.count ?? 0
    session.outcome = .interrupted
    return session
  }
}

extension JSONValue {
  /// A number of things, or an id: neither negative nor so large that one more could not be
  /// counted.
  var count: Int? {
    integer.flatMap { (0...Int(RecordIdentifier.highest)).contains($0) ? $0 : nil }
  }
}
