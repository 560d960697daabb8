import CSQLite

#if canImport(Glibc)
  import Glibc
#endif

/// What a connection may use, whatever is in the file that it has open: files come from other
/// programs, other people, and failing disks.
///
/// A statement that takes too long ends with SQLITE_INTERRUPT, one that takes too much memory with
/// SQLITE_NOMEM. So does one that is under way when the program is asked to end.
public final class ConnectionLimits {
  /// How much one step of a statement has to do at most.
  public enum Work: Sendable {
    /// A few rows: seconds on the slowest board, less than its watchdog allows.
    case routine
    /// Reading or rewriting the file from end to end.
    case wholeFile

    /// In instructions of SQLite's virtual machine, of which a slow board does ten million in a
    /// second.
    fileprivate var instructions: Int {
      switch self {
      case .routine: 400_000_000
      case .wholeFile: 20_000_000_000
      }
    }
  }

  /// After so many instructions it is looked whether it is time to end.
  private static let interval: Int32 = 50_000
  /// Whatever does less is not ended for a signal: two seconds on a slow board.
  private static let undisturbed = 20_000_000
  /// Of a row, a text, a blob: an area may have a million corners, which is 16 MB.
  private static let bytesOfValue: Int32 = 32 << 20
  /// Those of the store call each other twice.
  private static let nestedTriggers: Int32 = 16
  /// All connections of a process together; what `store` commands sort goes to files.
  private static let bytesOfProcess: Int64 = 256 << 20

  private static let memory: Void = { sqlite3_hard_heap_limit64(bytesOfProcess) }()

  /// What all connections together may take of memory from now on, in a process that itself may
  /// have little.
  public static func limitMemory(toBytes bytes: Int64) {
    _ = memory
    sqlite3_hard_heap_limit64(bytes)
  }

  /// Of every step that begins from now on.
  public var work: Work = .routine {
    didSet { allowed = work.instructions }
  }

  private let handle: OpaquePointer
  private var allowed = Work.routine.instructions
  private var used = 0

  /// - Parameters:
  ///   - isDefensive: false where the file is a draft of our own, which nobody else sees.
  ///   - trustsSchema: whether triggers may write to virtual tables, as those of R-trees do; who
  ///     wants that compares the schema before.
  public init(_ handle: OpaquePointer, isDefensive: Bool = true, trustsSchema: Bool = false) {
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
  public func begin() { used = 0 }

  /// The connection is about to be closed.
  public func end() { sqlite3_progress_handler(handle, 0, nil, nil) }

  private func mustEnd() -> Bool {
    used += Int(Self.interval)
    if used > allowed {
      // Whoever goes on behind what failed, as a repair does, comes to an end all the same.
      if case .wholeFile = work { allowed = max(allowed / 2, Int(Self.interval) * 20) }
      return true
    }
    // What is stored at the end is short, and must not be lost to a second signal.
    return used > Self.undisturbed && Self.isEndRequested
  }

  /// Signals that the event loop has not read yet wait for it (signalfd(2)).
  private static var isEndRequested: Bool {
    var waiting = sigset_t()
    guard sigpending(&waiting) == 0 else { return false }
    return sigismember(&waiting, SIGTERM) == 1 || sigismember(&waiting, SIGINT) == 1
  }
}
