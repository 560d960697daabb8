import Platform
import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// The log that the store's last user left beside it. After a crash it contains what the main file
/// lacks. If the main file was replaced since, the log is another file's, and SQLite would write
/// its pages over this one (sqlite.org/howtocorrupt.html, 1.4).
///
/// The two files have no mark of belonging together. It shows in their combined content, compared
/// with the main file alone.
struct StaleLog {
  private let path: String
  private let files: StoreFiles

  /// Nil if nothing was left.
  init?(beside path: String) {
    self.path = path
    files = StoreFiles(path)
    guard files.isThere, let status = FileStatus(path: files.log), status.kernel.st_size > 0
    else { return nil }
  }

  /// For the daemon, moves aside a log that belongs to another file.
  /// - Returns: what was done.
  static func examine(
    beside path: String, isDaemon: Bool
  ) throws(PortError) -> String? {
    guard let log = StaleLog(beside: path) else { return nil }
    // The daemon that has the file open has the log, too, and has checked it.
    if !isDaemon, StoreLock.isKnownToBeHeld(path) { return nil }
    guard try log.isForeign() else { return nil }
    guard isDaemon else { throw log.refusal }
    return "the log beside the store \(path) belonged to an earlier file of that name; it is kept "
      + "as \(try log.moveAside())"
  }

  /// Whether it belongs to another file. Reads the whole store, with the log and without.
  func isForeign() throws(PortError) -> Bool {
    if let status = FileStatus(path: files.main), status.kernel.st_size == 0 { return true }
    let alone = try Connection(path: path, access: .immutable)
    defer { alone.close() }
    // With a damaged file this cannot be determined.
    guard try alone.isWhole() else { return false }
    let together = try Connection(path: path, access: .readWriteCreating)
    together.keepsLogOnClose = true
    defer { together.close() }
    guard try together.isWhole(), try !cutsOff(together, alone) else { return true }
    return try !OpeningMarks.canFollow(together, alone)
  }

  /// Whether the log makes the file smaller. Only rewriting all of it does (VACUUM), and then all
  /// pages are in the log.
  private func cutsOff(_ together: Connection, _ alone: Connection) throws(PortError) -> Bool {
    let pages = try together.integer("PRAGMA page_count") ?? 0
    let before = try alone.integer("PRAGMA page_count") ?? 0
    return pages < before && loggedPages.count < pages
  }

  /// The pages contained in it (sqlite.org/fileformat2.html, 4.1).
  private var loggedPages: Set<UInt32> {
    guard let file = fopen(files.log, "re") else { return [] }
    defer { fclose(file) }
    var header = [UInt8](repeating: 0, count: 32)
    guard fread(&header, 1, 32, file) == 32 else { return [] }
    let pageSize = Int(header.bigEndian(8, count: 4))
    var frame = [UInt8](repeating: 0, count: 24)
    var pages: Set<UInt32> = []
    while fread(&frame, 1, 24, file) == 24, frame[8..<16] == header[16..<24] {
      pages.insert(frame.bigEndian(0, count: 4))
      guard fseek(file, pageSize, SEEK_CUR) == 0 else { break }
    }
    return pages
  }

  /// Renames it so that SQLite does not find it. The store must not be open anywhere.
  /// - Returns: the name.
  func moveAside() throws(PortError) -> String {
    let name = StoreFiles.freeName(for: files.log, "of-another-file")
    guard rename(files.log, name) == 0 else {
      throw PortError(system: errno, path: path, doing: "rename the log of another file beside")
    }
    unlink(files.index)
    return name
  }

  var refusal: PortError {
    .corrupt(
      "the log \(files.log) does not belong to this store but to an earlier file; nothing was "
        + "changed: a daemon renames it when it starts, or move it away yourself")
  }
}

extension Connection {
  /// Whether the pages form one valid database. Another program's rows that violate a column's rule
  /// are no damage.
  fileprivate func isWhole() throws(PortError) -> Bool {
    do {
      let ofRows = ["NULL value in", "CHECK constraint failed", "NUMERIC value", "TEXT value"]
      return try integrityProblems(atMost: 100).allSatisfy { problem in
        ofRows.contains { problem.hasPrefix($0) }
      }
    } catch {
      if case .corrupt = error { return false }
      throw error
    }
  }
}
