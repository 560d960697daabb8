import CSQLite
import Platform
import Ports

#if canImport(Glibc)
  import Glibc
#endif

extension PortError {
  /// SQLite's last failure on this connection, explained to the user.
  ///
  /// - Parameter use: the purpose for which the connection has the file open.
  init(
    _ handle: OpaquePointer, path: String, doing action: String, _ use: FileAccess.Use
  ) {
    let failure = SQLiteFailure(handle)
    let detail = failure.text
    let attempt = "cannot \(action) the store \(path)"
    switch (failure.code & 0xff, failure.systemCode) {
    case (SQLITE_FULL, _), (SQLITE_IOERR, ENOSPC), (SQLITE_IOERR, EDQUOT):
      self = .full(
        "\(attempt): the disk is full (\(detail)); free space there or lower the retention limits")
    case (SQLITE_IOERR, EROFS), (SQLITE_CANTOPEN, EROFS):
      self = .readOnly("\(attempt): it is read-only (\(detail)); \(Self.otherwise(nil))")
    case (SQLITE_READONLY, _):
      // A file with a log is written even by a statement that only reads.
      let attempt = use == .writing ? "cannot write to the store \(path)" : attempt
      let denial = FileAccess.denial(of: .writing, to: path)
      self = .readOnly("\(attempt): it is read-only (\(detail)); \(Self.otherwise(denial))")
    case (SQLITE_CANTOPEN, EACCES), (SQLITE_PERM, _), (SQLITE_AUTH, _):
      let denial = FileAccess.denial(of: use, to: path)
      self = .readOnly("\(attempt): permission denied (\(detail)); \(Self.otherwise(denial))")
    // First, because data read from a failed disk may be anything.
    case (SQLITE_CORRUPT, _) where FileSystem.refusesWrites(in: PathParts(path).folder):
      self = .corrupt("\(attempt): \(Self.failedDisk(detail))")
    case (SQLITE_IOERR, _) where FileSystem.refusesWrites(in: PathParts(path).folder):
      self = .failed("\(attempt): \(Self.failedDisk(detail))")
    case (SQLITE_CORRUPT, _):
      self = .corrupt(
        "\(attempt): the file is damaged (\(detail)); nothing was changed: \(Self.mending(path))")
    case (SQLITE_NOTADB, _):
      self = .corrupt(
        "\(attempt): it is not an SQLite file, or its beginning is damaged (\(detail)); nothing "
          + "was changed: check that it is the right file; if it is, \(Self.mending(path))")
    case (SQLITE_BUSY, _), (SQLITE_LOCKED, _), (SQLITE_PROTOCOL, _):
      self = .busy(
        "\(attempt): another program keeps it locked (\(detail)); close that program or try again")
    case (SQLITE_CANTOPEN, _):
      let denial = FileAccess.denial(of: use, to: path)
      self = .failed(
        "\(attempt): \(detail); \(denial ?? "check the name, and that its folder exists"), or "
          + "choose another file with --store")
    case (SQLITE_INTERRUPT, _):
      self = .failed(
        "\(attempt): that took too long, or the program was ended meanwhile (\(detail)); "
          + "see `godwit store check --store \(path)`")
    case (SQLITE_NOMEM, _), (SQLITE_TOOBIG, _):
      self = .failed(
        "\(attempt): that needs more memory than allowed (\(detail)); see `godwit store check "
          + "--store \(path)`")
    case (SQLITE_ERROR, _):
      self = .failed("\(attempt): \(detail); see `godwit store check --store \(path)`")
    default:
      self = .failed("\(attempt): \(detail); see `journalctl -k` if the disk may be failing")
    }
  }

  /// A failed system call on the file, explained to the user.
  init(system code: Int32, path: String, doing action: String) {
    let attempt = "cannot \(action) the store \(path): \(SystemError(code: code).text)"
    switch code {
    case ENOSPC, EDQUOT:
      self = .full("\(attempt); the disk is full: free space there")
    case EROFS: self = .readOnly("\(attempt): it is read-only; \(Self.otherwise(nil))")
    case EACCES, EPERM:
      self = .readOnly(
        "\(attempt); \(Self.otherwise(FileAccess.denial(of: .writing, to: path)))")
    default:
      self = .failed(
        "\(attempt); check the name, that its folder exists and is writable for this user, "
          + "or choose another file with --store")
    }
  }

  /// The file could be opened, but not for writing.
  static func notWritable(_ path: String, name: String) -> PortError {
    .readOnly(
      "cannot write to the store \(name): it is read-only; "
        + otherwise(FileAccess.denial(of: .writing, to: path)))
  }

  /// - Parameter denial: why this user may not use the file, according to its permissions.
  private static func otherwise(_ denial: String?) -> String {
    "\(denial ?? "make the file and its folder writable for this user"), or choose another file "
      + "with --store"
  }

  private static func mending(_ path: String) -> String {
    "stop the daemon and save the readable part with `godwit store repair --store \(path)`, or "
      + "restore a backup with `godwit store restore FILE --store \(path)`"
  }

  private static func failedDisk(_ detail: String) -> String {
    "its file system accepts no writes, as after an error of the disk (\(detail)); see "
      + "`journalctl -k`, and check the file system (fsck, or a restart of the board) before you "
      + "repair or replace the store"
  }

  static func damagedRow(
    _ table: String, id: Int64, column: String, path: String
  ) -> PortError {
    .corrupt(
      "the store \(path) has an unreadable value in \(table), id \(id), column \(column); "
        + "correct or delete that row with sqlite3 or QGIS, or leave it out with `godwit store "
        + "repair --store \(path)`")
  }
}
