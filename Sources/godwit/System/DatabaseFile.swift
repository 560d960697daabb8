import Glibc
import Platform
import Store

/// Whether a file is a database, perhaps a store.
enum DatabaseFile {
  /// The beginning of every SQLite file (sqlite.org/fileformat.html, section 1.3).
  private static let mark = Array("SQLite format 3\0".utf8)

  /// An unreadable file counts as none.
  static func isOne(_ path: String) -> Bool { (try? beginning(of: path)) == mark }

  /// Why a file must not be replaced; nil: it may be.
  static func objection(toReplacing path: String) -> String? {
    do throws(SystemError) {
      if try beginning(of: path) == mark {
        return "it is a database, perhaps a store; remove it or name another file"
      }
    } catch {
      if error.code == EACCES {
        return "this user cannot read the existing file, which may be a store; name another file"
      }
    }
    for suffix in StoreFiles.sideSuffixes where path.hasSuffix(suffix) {
      let main = String(path.dropLast(suffix.count))
      if isOne(main) { return "it belongs to the database \(main); name another file" }
    }
    return nil
  }

  private static func beginning(of path: String) throws(SystemError) -> [UInt8] {
    try SystemFiles.bytes(of: path, atMost: mark.count)
  }
}
