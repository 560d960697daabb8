import Core

/// One point of the stored trajectory.
public struct TrackPoint: Hashable, Sendable {
  public enum Reason: String, StoredWord {
    /// The schedule requested this location (Algorithm 1 stores it).
    case scheduled
    /// Kept by the error-bounded simplification of a dense source.
    case shape
    /// A coarse location, kept until a better one with a similar time replaces it.
    case coarse
    /// No location was measured then. The board was at rest at this location, and a sensor detected
    /// the beginning or the end of the rest.
    case rest

    public var meaning: String {
      switch self {
      case .scheduled: "The schedule asked for it."
      case .shape: "It keeps the shape of a denser series, within the error that is set."
      case .coarse: "Nothing better was known at that time."
      case .rest:
        "Nobody located the board then: it was felt to come to rest, or to leave, at this place."
      }
    }
  }

  /// The resolution of stored times: each millisecond has at most one point.
  public static let resolution: Seconds = 0.001

  public var location: Location
  public var reason: Reason
  /// The GNSS session that measured the location.
  public var session: Int64?

  public init(location: Location, reason: Reason, session: Int64? = nil) {
    self.location = location
    self.reason = reason
    self.session = session
  }
}

extension TrackPoint: StoredRecord {
  public static let table = RecordTable<Self>(
    "track_points", "Where the board was", key: .time { $0.location.time }, newest: "time",
    columns: [
      .position("Where the board was.") { $0.location.position },
      .time("time", "When it was there.") { $0.location.time },
      .quantity("accuracy_m", "The radius within which it was with a probability of 68 %.") {
        $0.location.accuracy
      },
      .optionalQuantity("altitude_m", "Above mean sea level; empty where it was not measured.") {
        $0.location.altitude
      },
      .optionalQuantity("speed_m_s", "Over ground, as the receiver measured it.") {
        $0.location.speed
      },
      .optionalQuantity("track_deg", "The course over ground, clockwise from true north.") {
        $0.location.track
      },
      .word("source", "What the location comes from.") { $0.location.source },
      .word("reason", "Why the point is kept.") { $0.reason },
      .optionalInteger("session_id", "The GNSS session that gave it; empty where none did.") {
        $0.session
      },
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    location = Location(
      time: try row.time("time"), position: try row.position("geom"),
      accuracy: try row.quantity("accuracy_m"),
      speed: try row.optionalQuantity("speed_m_s"), track: try row.optionalQuantity("track_deg"),
      altitude: try row.optionalQuantity("altitude_m"), source: try row.word("source"))
    reason = try row.word("reason")
    session = try row.optionalInteger("session_id")
  }

  public var record: Record { .trackPoint(self) }
  public var lastChange: UTCInstant? { location.time }

  public func renumbered(by shift: Renumbering) -> TrackPoint {
    var point = self
    point.session = session.map { $0 + shift.sessions }
    return point
  }
}
