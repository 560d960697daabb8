import Ports
import Core
import Records

/// The store's queries for choosing what is shown.
struct ContentQueries {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  func counts(of contents: [String]) throws(PortError) -> [ContentCount] {
    var counts: [ContentCount] = []
    for content in contents {
      let statement = try connection.prepared(
        "SELECT action, count(*) FROM content_actions WHERE content_id = ?1 GROUP BY action")
      statement.bind(1, content)
      defer { statement.reset() }
      while try statement.step() {
        guard let kind = statement.text(0).flatMap(ContentAction.Kind.init(rawValue:)) else {
          continue
        }
        let count = Int(clamping: statement.integer(1) ?? 0)
        counts.append(ContentCount(contentID: content, kind: kind, count: count))
      }
    }
    return counts
  }

  func shown(atCrossing id: Int64) throws(PortError) -> ContentAction? {
    var rows = try RowCursor<ContentAction>(
      connection, "WHERE crossing_id = ?1 AND action = 'shown' ORDER BY id DESC LIMIT 1"
    ) { $0.bind(1, id) }
    // An unreadable one counts as none.
    var remarks: [String] = []
    return try rows.readable(&remarks).first
  }

  func crossings(since: UTCInstant, atMost most: Int) throws(PortError) -> [Crossing] {
    var rows = try RowCursor<Crossing>(
      connection, "WHERE time >= ?1 ORDER BY id DESC LIMIT ?2"
    ) {
      $0.bind(1, since)
      $0.bind(2, Int64(most))
    }
    var remarks: [String] = []
    return try rows.readable(&remarks).reversed()
  }
}
