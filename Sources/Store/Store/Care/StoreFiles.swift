import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// The files that make up one store: the main file and those that SQLite keeps beside it while a
/// program has it open (sqlite.org/tempfiles.html). Also for names that are not in use yet.
public struct StoreFiles: Sendable {
  /// The log, the index of the log and the journal of a file that has no log.
  public static let sideSuffixes = [logSuffix, indexSuffix, journalSuffix]
  static let logSuffix = "-wal"
  static let indexSuffix = "-shm"
  static let journalSuffix = "-journal"

  /// The main file, with symbolic links resolved, as SQLite does before it names the others.
  public let main: String

  public init(_ path: String) { main = Self.followed(path) }

  public var all: [String] { [main] + Self.sideSuffixes.map { main + $0 } }

  /// Whether the store is unchanged since that status of the main file.
  public func areUntouched(since status: FileStatus) -> Bool {
    guard let now = FileStatus(path: main) else { return false }
    return now.identity == status.identity && now.kernel.st_size == status.kernel.st_size
      && now.kernel.st_mtim.tv_sec == status.kernel.st_mtim.tv_sec
      && now.kernel.st_mtim.tv_nsec == status.kernel.st_mtim.tv_nsec
      && [log, journal].allSatisfy { FileStatus(path: $0)?.kernel.st_size ?? 0 == 0 }
  }

  var log: String { main + Self.logSuffix }
  var index: String { main + Self.indexSuffix }
  var journal: String { main + Self.journalSuffix }
  var folder: String { PathParts(main).folder }

  /// An unused name under which a log can be kept without SQLite finding it.
  static func freeName(for log: String, _ word: String) -> String {
    freeName(for: log, word) { FileStatus(path: $0) == nil }
  }

  /// An unused name under which a store can be kept beside this one.
  func freeStore(_ word: String) -> StoreFiles {
    StoreFiles(
      Self.freeName(for: main, word) { name in
        let files = StoreFiles(name)
        return !files.isThere && files.strays.isEmpty
      })
  }

  /// NAME.WORD, or the first of NAME.WORD-2 and on that is free.
  private static func freeName(
    for name: String, _ word: String, isFree: (String) -> Bool
  ) -> String {
    var free = "\(name).\(word)"
    var number = 2
    while !isFree(free) {
      free = "\(name).\(word)-\(number)"
      number += 1
    }
    return free
  }

  /// Side files at the main file's path, whether that exists or not: SQLite treats these as parts
  /// of any file put there, and corrupts it with the log of another file.
  public var strays: [String] {
    all.dropFirst().filter { FileStatus(path: $0, followsLinks: false) != nil }
  }

  public var isThere: Bool { access(main, F_OK) == 0 }

  /// Whether the path is one of the files, under any name, or would become one if created.
  public func contains(_ path: String) -> Bool {
    let name = Self.followed(path)
    let identity = FileIdentity(path: name)
    return all.contains { $0 == name || identity != nil && FileIdentity(path: $0) == identity }
  }

  /// Their total size on disk.
  var bytes: Int { all.reduce(0) { $0 + Self.size($1) } }
  var mainBytes: Int { Self.size(main) }

  private static func size(_ path: String) -> Int {
    FileStatus(path: path).map { Int($0.kernel.st_size) } ?? 0
  }

  /// The target of a name, even if nothing is at its end yet.
  private static func followed(_ path: String) -> String {
    var path = path
    // As many links as the kernel follows: path_resolution(7).
    for _ in 0..<40 {
      guard let target = SystemFiles.target(ofLink: path) else { break }
      path = target.hasPrefix("/") ? target : PathParts(path).folder + "/" + target
    }
    let parts = PathParts(path)
    guard let real = SystemFiles.resolved(parts.folder) else { return path }
    return PathParts(folder: real, name: parts.name).path
  }
}
