import Ports

/// Whether rows that can be read one by one also fit together.
struct RowRelations {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// At most this many of each question.
  private static let listed = 20

  private static let questions: [(StoreProblem.Kind, table: String, String, text: String)] = [
    (
      .reference, "visits",
      """
      SELECT id FROM visits WHERE destination_id IS NOT NULL
        AND destination_id NOT IN (SELECT id FROM destinations)
      """, "column destination_id names a destination that is not there"
    ),
    // Sessions are deleted when they began before the oldest record that is kept, and the newest
    // may still be on its way.
    (
      .reference, "track_points",
      """
      SELECT id FROM track_points WHERE session_id NOT IN (SELECT id FROM gnss_sessions)
        AND session_id BETWEEN (SELECT min(id) FROM gnss_sessions WHERE outcome <> 'open')
          AND (SELECT max(id) FROM gnss_sessions)
      """, "column session_id names a session that is not there"
    ),
    (
      .order, "track_points",
      """
      SELECT id FROM track_points
      WHERE abs(id / 1000 - round((julianday(time) - 2440587.5) * 86400000)) > 1000
      """, "the id is not its time in microseconds, by which ranges of time are found"
    ),
    (
      .order, "visits",
      """
      SELECT id FROM visits WHERE arrival_earliest > arrival OR arrival > arrival_latest
        OR arrival > departure OR departure_earliest > departure OR departure > departure_latest
      """, "its times are not in their order"
    ),
    (
      .order, "gnss_sessions", "SELECT id FROM gnss_sessions WHERE power_on > power_off",
      "it ends before it begins"
    ),
  ]

  func problems() throws(StoreError) -> [StoreProblem] {
    var problems: [StoreProblem] = []
    for (kind, table, query, text) in Self.questions {
      let statement = try connection.prepareOnce(query + " LIMIT \(Self.listed)")
      while try statement.step() {
        let id = statement.integer(0) ?? 0
        problems.append(
          StoreProblem(kind, in: table, id: id, "\(table), id \(id): \(text)"))
      }
    }
    return problems
  }
}
