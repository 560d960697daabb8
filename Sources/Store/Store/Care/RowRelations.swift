import Ports

/// Checks whether rows that are readable one by one are also consistent with each other.
struct RowRelations {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// At most this many rows for each check.
  private static let listed = 20

  private struct Check {
    let kind: StoreProblem.Kind
    let table: String
    /// The ids of the rows.
    let query: String
    let text: String
    /// SQL that corrects such rows, as far as the row itself allows.
    var correction: String?

    init(
      _ kind: StoreProblem.Kind, _ table: String, _ query: String, _ text: String,
      mending: String? = nil
    ) {
      self.kind = kind
      self.table = table
      self.query = query
      self.text = text
      self.correction = mending
    }
  }

  private static let checks = [
    Check(
      .reference, "visits",
      """
      SELECT id FROM visits WHERE destination_id IS NOT NULL
        AND destination_id NOT IN (SELECT id FROM destinations)
      """, "column destination_id names a missing destination"
    ),
    // Sessions are deleted if they began before the oldest record that is kept, and the newest may
    // not be stored yet.
    Check(
      .reference, "track_points",
      """
      SELECT id FROM track_points WHERE session_id NOT IN (SELECT id FROM gnss_sessions)
        AND session_id BETWEEN (SELECT min(id) FROM gnss_sessions WHERE outcome <> 'open')
          AND (SELECT max(id) FROM gnss_sessions)
      """, "column session_id names a missing session"
    ),
    Check(
      .order, "track_points",
      """
      SELECT id FROM track_points
      WHERE abs(id / 1000 - round((julianday(time) - 2440587.5) * 86400000)) > 1000
      """, "the id is not its time in microseconds, which queries by time need",
      mending: """
        UPDATE OR IGNORE track_points
        SET id = CAST(round((julianday(time) - 2440587.5) * 86400000) AS INTEGER) * 1000
        """
    ),
    Check(
      .order, "visits",
      """
      SELECT id FROM visits WHERE arrival_earliest > arrival OR arrival > arrival_latest
        OR arrival > departure OR departure_earliest > departure OR departure > departure_latest
      """, "its times are not in order",
      mending: """
        UPDATE visits SET arrival_earliest = min(arrival_earliest, arrival),
          arrival_latest = max(arrival_latest, arrival), departure = max(departure, arrival),
          departure_earliest = min(departure_earliest, max(departure, arrival)),
          departure_latest = max(departure_latest, max(departure, arrival))
        """
    ),
    Check(
      .order, "gnss_sessions", "SELECT id FROM gnss_sessions WHERE power_on > power_off",
      "it ends before it begins", mending: "UPDATE gnss_sessions SET power_off = power_on"
    ),
  ]

  /// Corrects the order of times, as far as the row itself allows, for a file that is made anew: a
  /// row on a damaged page may be readable, and yet be wrong in one column. The time of a point
  /// counts, not its id.
  ///
  /// - Returns: how many rows.
  func correct() throws(PortError) -> Int {
    var mended = 0
    for question in Self.checks {
      guard let mending = question.correction else { continue }
      let statement = try connection.prepareOnce(
        "\(mending) WHERE id IN (\(question.query))", doing: "write to")
      try statement.run()
      mended += connection.changes
    }
    return mended
  }

  func problems() throws(PortError) -> [StoreProblem] {
    var problems: [StoreProblem] = []
    for question in Self.checks {
      let table = question.table
      let statement = try connection.prepareOnce(question.query + " LIMIT \(Self.listed)")
      while try statement.step() {
        let id = statement.integer(0) ?? 0
        problems.append(
          StoreProblem(
            question.kind, in: table, id: id, "\(table), id \(id): \(question.text)"))
      }
    }
    return problems
  }
}
