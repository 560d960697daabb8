import Ports

/// Verifies a file's schema whenever it has changed: other programs may change it while the store
/// is open.
struct SchemaGuard {
  private let refuse: (Connection) throws(PortError) -> Void
  /// SQLite's count of the changes (sqlite.org/pragma.html#pragma_schema_version).
  private var verifiedVersion: Int64?

  init(_ refuse: @escaping (Connection) throws(PortError) -> Void) { self.refuse = refuse }

  mutating func verify(_ connection: Connection) throws(PortError) {
    let version = try connection.integer("PRAGMA schema_version")
    guard verifiedVersion == nil || version != verifiedVersion else { return }
    try refuse(connection)
    verifiedVersion = version
  }
}
