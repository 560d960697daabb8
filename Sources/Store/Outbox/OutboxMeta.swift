import Core

/// Other data of the outbox, as a table of keys and values.
struct OutboxMeta {
  let database: Database

  func text(_ key: String) throws(Database.Failure) -> String? {
    let row = try value(key)
    defer { row.reset() }
    return try row.step() ? row.text(0) : nil
  }

  func integer(_ key: String) throws(Database.Failure) -> Int64? {
    let row = try value(key)
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// - Parameter key: of a value in microseconds since 1970.
  func instant(_ key: String) throws(Database.Failure) -> UTCInstant? {
    try integer(key).map {
      UTCInstant(nanoseconds: $0.multipliedReportingOverflow(by: 1000).partialValue)
    }
  }

  private func value(_ key: String) throws(Database.Failure) -> DatabaseStatement {
    let row = try database.prepared("SELECT value FROM meta WHERE key = ?1")
    row.bind(1, key)
    return row
  }

  private static let setting = "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)"

  func set(_ key: String, _ value: String?) throws(Database.Failure) {
    let row = try database.prepared(Self.setting)
    row.bind(1, key)
    row.bind(2, value)
    try row.run()
  }

  func set(_ key: String, _ value: Int64?) throws(Database.Failure) {
    let row = try database.prepared(Self.setting)
    row.bind(1, key)
    row.bind(2, value)
    try row.run()
  }

  func remove(_ key: String) throws(Database.Failure) {
    let row = try database.prepared("DELETE FROM meta WHERE key = ?1")
    row.bind(1, key)
    try row.run()
  }
}
