import Platform

/// Whether a file is a database, perhaps a store.
enum DatabaseFile {
  /// How every SQLite file begins (sqlite.org/fileformat.html, section 1.3).
  private static let mark = Array("SQLite format 3\0".utf8)

  /// One that cannot be read is none.
  static func isOne(_ path: String) -> Bool {
    (try? SystemFiles.bytes(of: path, atMost: mark.count)) == mark
  }
}
