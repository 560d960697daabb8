import CShims
import Delivery
import Platform
import Core

/// A connection to PostgreSQL, one statement at a time, each with a timeout.
final class DatabaseConnection {
  typealias Row = [String?]

  private let handle: OpaquePointer
  private let limits: DatabaseLimits
  /// By their text; PostgreSQL identifies them by a name.
  private var prepared: [String: String] = [:]
  /// Deadline of the present transaction; nil: there is none.
  private var end: BootInstant?

  init(
    _ address: DatabaseAddress, password: Secret?, _ limits: DatabaseLimits
  ) throws(DatabaseFailure) {
    let options = Self.options(address, password, limits)
    let handle = CStrings(options.map(\.name)).with { names in
      CStrings(options.map(\.value)).with { godwit_pg_connect(names, $0) }
    }
    guard let handle else { throw DatabaseFailure("no memory is left", isLost: true) }
    self.handle = handle
    self.limits = limits
    guard godwit_pg_status(handle) == GODWIT_PG_CONNECTION_OK.rawValue else {
      throw DatabaseFailure(String(cString: godwit_pg_error(handle)), isLost: true)
    }
    try configureSession()
  }

  deinit { godwit_pg_finish(handle) }

  /// Options in the address take precedence.
  private static func options(
    _ address: DatabaseAddress, _ password: Secret?, _ limits: DatabaseLimits
  ) -> [(name: String, value: String)] {
    func whole(_ time: Seconds) -> String { String(Int(time.value.rounded(.up))) }
    let probes = 3
    let ours: [(name: String, value: String)] = [
      ("connect_timeout", whole(limits.connecting)),
      ("keepalives", "1"),
      ("keepalives_idle", whole(limits.silence)),
      ("keepalives_interval", whole(limits.silence / Double(probes))),
      ("keepalives_count", String(probes)),
      ("tcp_user_timeout", whole(limits.silence * 1000)),  // ms
      // Of several servers, the one that accepts writes.
      ("target_session_attrs", "read-write"),
      ("fallback_application_name", "godwit collect"),
    ]
    let given = Set(address.options.map(\.name))
    var options = address.options + ours.filter { !given.contains($0.name) }
    if let password { options.append(("password", password.text)) }
    return options + [("client_encoding", "UTF8")]
  }

  /// Settings of every session, whatever the server's defaults are.
  private func configureSession() throws(DatabaseFailure) {
    func milliseconds(_ time: Seconds) -> String { String(Int(time.value * 1000)) }
    for (name, value) in [
      ("statement_timeout", milliseconds(limits.statement)),
      ("lock_timeout", milliseconds(limits.statement)),
      // A hanging collector must not block others.
      ("idle_in_transaction_session_timeout", milliseconds(limits.answer * 2)),
    ] {
      try run("SELECT set_config($1::text, $2::text, false)", [name, value])
    }
    // Acknowledged data have to survive a power cut.
    try run(
      """
      SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') = 'off'
      """)
  }

  /// A parameter reported by the server; nil: none of that name.
  func parameter(_ name: String) -> String? {
    godwit_pg_parameter(handle, name).map { String(cString: $0) }
  }

  // MARK: Statements

  /// Commits all of the statements in it, or none.
  func transaction<Result>(
    _ body: () throws(DatabaseFailure) -> Result
  ) throws(DatabaseFailure) -> Result {
    end = BootClock.now + limits.transaction
    defer { end = nil }
    try run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do throws(DatabaseFailure) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      guard !error.isLost else { throw error }
      let (text, state) = (error.text, error.state)
      do throws(DatabaseFailure) {
        try run("ROLLBACK")
      } catch {
        throw DatabaseFailure(text, state: state, isLost: true)
      }
      throw error
    }
  }

  /// - Parameter values: for $1 and so on, as text.
  /// - Returns: the rows, each value as text.
  @discardableResult func run(
    _ sql: String, _ values: [String?] = []
  ) throws(DatabaseFailure) -> [Row] {
    let name = try statement(sql)
    let isSent = CStrings(values.map { $0.map(Self.storable) }).with {
      godwit_pg_run(handle, name, Int32(values.count), $0)
    }
    guard isSent else { throw lost() }
    return try answer()
  }

  /// A statement without values that is run once.
  func execute(_ sql: String) throws(DatabaseFailure) {
    guard godwit_pg_execute(handle, sql) else { throw lost() }
    _ = try answer()
  }

  private func statement(_ sql: String) throws(DatabaseFailure) -> String {
    if let name = prepared[sql] { return name }
    let name = "godwit_\(prepared.count + 1)"
    guard godwit_pg_prepare(handle, name, sql) else { throw lost() }
    _ = try answer()
    prepared[sql] = name
    return name
  }

  /// PostgreSQL's text accepts all characters but U+0000 (datatype-character).
  private static func storable(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(scalar.value == 0 ? "\u{FFFD}" : scalar) }
    return String(scalars)
  }

  // MARK: Answers

  private func answer() throws(DatabaseFailure) -> [Row] {
    let soon = BootClock.now + limits.answer
    let deadline = min(soon, end ?? soon)
    try send(until: deadline)
    var rows: [Row] = []
    var failure: DatabaseFailure?
    while true {
      while godwit_pg_is_busy(handle) {
        try wait(until: deadline)
        guard godwit_pg_consume(handle) else { throw lost() }
      }
      guard let result = godwit_pg_next_result(handle) else { break }
      defer { godwit_pg_clear(result) }
      switch UInt32(godwit_pg_result_status(result)) {
      case GODWIT_PG_COMMAND_OK.rawValue: break
      case GODWIT_PG_TUPLES_OK.rawValue: rows += Self.rows(result)
      default: failure = failure ?? Self.failure(result)
      }
    }
    guard godwit_pg_status(handle) == GODWIT_PG_CONNECTION_OK.rawValue else {
      throw DatabaseFailure(
        failure?.text ?? String(cString: godwit_pg_error(handle)), state: failure?.state ?? "",
        isLost: true)
    }
    if let failure { throw failure }
    return rows
  }

  private func send(until deadline: BootInstant) throws(DatabaseFailure) {
    while true {
      switch godwit_pg_flush(handle) {
      case 0: return
      case 1:
        // The server may not read before its own data have been read.
        try wait(until: deadline, writes: true)
        guard godwit_pg_consume(handle) else { throw lost() }
      default: throw lost()
      }
    }
  }

  private func wait(until deadline: BootInstant, writes: Bool = false) throws(DatabaseFailure) {
    guard
      BootClock.wait(for: godwit_pg_socket(handle), writes: writes, until: deadline)
    else {
      throw DatabaseFailure("it has not answered in time", isLost: true)
    }
  }

  private func lost() -> DatabaseFailure {
    DatabaseFailure(String(cString: godwit_pg_error(handle)), isLost: true)
  }

  private static func rows(_ result: OpaquePointer) -> [Row] {
    (0..<godwit_pg_row_count(result)).map { row in
      (0..<godwit_pg_column_count(result)).map { column in
        godwit_pg_value(result, row, column).map { String(cString: $0) }
      }
    }
  }

  private static func failure(_ result: OpaquePointer) -> DatabaseFailure {
    func field(_ number: godwit_pg_number) -> String? {
      godwit_pg_result_error(result, Int32(number.rawValue)).map { String(cString: $0) }
    }
    let text = field(GODWIT_PG_PRIMARY) ?? "it sent an answer that is not understood"
    let detail = field(GODWIT_PG_DETAIL).map { " (\($0))" } ?? ""
    return DatabaseFailure(text + detail, state: field(GODWIT_PG_SQLSTATE) ?? "")
  }
}
