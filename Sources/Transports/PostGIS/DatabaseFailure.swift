import Core
import Ports

/// Why a statement or a connection has failed.
struct DatabaseFailure: Error {
  /// Five characters (www.postgresql.org/docs/15/errcodes-appendix.html); empty: not reported by
  /// the server.
  var state = ""
  /// In one line.
  let text: String
  /// Whether the connection cannot be used any more.
  var isLost = false

  init(_ text: String, state: String = "", isLost: Bool = false) {
    self.text = Self.line(text)
    self.state = state
    // 08: the connection; 57P01 to 57P03: the server shuts down or starts.
    self.isLost = isLost || state.hasPrefix("08") || state.hasPrefix("57P0")
  }

  /// libpq's messages end with a line break, and some have several lines. Most come from the
  /// server.
  static func line(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      String(line.drop(while: \.isWhitespace))
    }
    return TerminalText.line(lines.joined(separator: "; "))
  }

  /// What happened, where, and what to do next.
  ///
  /// - Parameters:
  ///   - action: the attempted action, to follow "cannot".
  ///   - database: its name in messages.
  func storeError(_ action: String, _ database: String) -> PortError {
    let what = "cannot \(action) \(database): \(text)"
    switch state {
    // disk_full
    case "53100": return .full("\(what); free some space there")
    // read_only_sql_transaction: a standby
    case "25006": return .readOnly("\(what); name the server that accepts changes")
    // insufficient_privilege
    case "42501":
      return .readOnly(
        "\(what); as the database's owner run: CREATE SCHEMA \(CollectionTables.schema) "
          + "AUTHORIZATION its user, or, if it exists, ALTER SCHEMA … OWNER TO, and the same "
          + "for each of its tables")
    // data_corrupted, index_corrupted
    case "XX001", "XX002": return .corrupt("\(what); restore it from a backup")
    // serialization_failure, deadlock_detected, lock_not_available, query_canceled
    case "40001", "40P01", "55P03", "57014": return .busy("\(what); it is retried")
    default: return isLost ? .busy("\(what); it is retried") : .failed(what)
    }
  }
}
