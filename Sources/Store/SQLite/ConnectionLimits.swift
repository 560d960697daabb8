import CSQLite

#if canImport(Glibc)
  import Glibc
#endif

/// Resource limits of a connection, whatever its file contains: files come from other programs,
/// other people, and failing disks.
///
/// A statement that takes too long ends with SQLITE_INTERRUPT, one that takes too much memory with
/// SQLITE_NOMEM. A statement in progress also ends when the program is asked to end.
final class ConnectionLimits {
  /// The limit for one step of a statement.
  enum Work: Sendable {
    /// A few rows: seconds on the slowest board, less than its watchdog allows.
    case routine
    /// Reading or rewriting the file from end to end.
    case wholeFile

    /// In instructions of SQLite's virtual machine, of which a slow board executes ten million per
    /// second.
    fileprivate var instructions: Int {
      switch self {
      case .routine: 400_000_000
      case .wholeFile: 20_000_000_000
      }
    }
  }

  /// Interval, in instructions, at which the limits are checked.
  private static let interval: Int32 = 50_000
  /// A shorter statement is not ended by a signal: two seconds on a slow board.
  private static let uninterruptible = 20_000_000
  /// Limit for a row, a text or a blob: an area may have a million corners, which is 16 MB.
  private static let bytesOfValue: Int32 = 32 << 20
  /// The store's triggers are nested two deep.
  private static let nestedTriggers: Int32 = 16
  /// For all connections of a process together; `store` commands sort in files.
  private static let bytesOfProcess: Int64 = 256 << 20

  private static let memory: Void = { sqlite3_hard_heap_limit64(bytesOfProcess) }()

  /// Limits the memory of all connections together from now on, for a process with a small limit.
  static func limitMemory(toBytes bytes: Int64) {
    _ = memory
    sqlite3_hard_heap_limit64(bytes)
  }

  /// Applies to every step that begins from now on.
  var work: Work = .routine {
    didSet { allowed = work.instructions }
  }

  private let handle: OpaquePointer
  private var allowed = Work.routine.instructions
  private var used = 0

  /// - Parameters:
  ///   - isDefensive: false if the file is a draft that no other program sees.
  ///   - trustsSchema: whether triggers may write to virtual tables, as those of R-trees do; the
  ///     caller has to compare the schema before.
  init(_ handle: OpaquePointer, isDefensive: Bool = true, trustsSchema: Bool = false) {
    _ = Self.memory
    self.handle = handle
    if !trustsSchema { godwit_distrust_schema(handle) }
    godwit_set_defensive(handle, isDefensive ? 1 : 0)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.bytesOfValue)
    sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, Self.nestedTriggers)
    sqlite3_progress_handler(
      handle, Self.interval,
      { context in
        guard let context else { return 0 }
        let limits = Unmanaged<ConnectionLimits>.fromOpaque(context).takeUnretainedValue()
        return limits.mustEnd() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// A step begins.
  func begin() { used = 0 }

  /// The connection is about to be closed.
  func end() { sqlite3_progress_handler(handle, 0, nil, nil) }

  private func mustEnd() -> Bool {
    used += Int(Self.interval)
    if used > allowed {
      // A caller that goes on after the failure, such as a repair, comes to an end all the same.
      if case .wholeFile = work { allowed = max(allowed / 2, Int(Self.interval) * 20) }
      return true
    }
    // What is stored at the end is short, and must not be lost to a second signal.
    return used > Self.uninterruptible && Self.isEndRequested
  }

  /// Signals that the event loop has not read yet stay pending (signalfd(2)).
  private static var isEndRequested: Bool {
    var waiting = sigset_t()
    guard sigpending(&waiting) == 0 else { return false }
    return sigismember(&waiting, SIGTERM) == 1 || sigismember(&waiting, SIGINT) == 1
  }
}
