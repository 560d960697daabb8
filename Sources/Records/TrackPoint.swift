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
      case .scheduled: "The schedule requested it."
      case .shape: "It preserves the shape of a denser series, within the configured error."
      case .coarse: "No better location was known at that time."
      case .rest:
        "Not a location: a sensor detected arrival at rest, or departure, at this place."
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
      .position("Position of the board.") { $0.location.position },
      .time("time", "Time of the position.") { $0.location.time },
      .quantity("accuracy_m", "Radius within which it was with a probability of 68 %.") {
        $0.location.accuracy
      },
      .optionalQuantity("altitude_m", "Height above mean sea level; empty if not measured.") {
        $0.location.altitude
      },
      .optionalQuantity("speed_m_s", "Speed over ground, as measured by the receiver.") {
        $0.location.speed
      },
      .optionalQuantity("track_deg", "Course over ground, clockwise from true north.") {
        $0.location.track
      },
      .word("source", "Source of the location.") { $0.location.source },
      .word("reason", "Reason for which the point is kept.") { $0.reason },
      .optionalInteger("session_id", "GNSS session of the location; empty if none.") {
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
