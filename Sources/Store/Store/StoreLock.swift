import CLinux
import Platform
import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// The exclusive right of one daemon to write to a store, or of one command to rewrite it.
///
/// A flock(2) on the store file itself: it holds for every name of the file, the kernel releases it
/// when the process dies, and it is independent of the fcntl(2) locks by which SQLite admits
/// readers, labels and QGIS. SQLite's locks end when any descriptor of the file is closed in this
/// process (fcntl(2), sqlite.org/howtocorrupt.html 2.2), so the lock is acquired before SQLite
/// opens the file and released after SQLite has closed it: hand it over to the `GeoPackageStore`.
/// For the same reason, do not try to lock a store that is open in the same process.
public final class StoreLock {
  /// The purpose of the lock, which determines the advice if another process has it.
  public enum Purpose: Sendable {
    /// Writes to a store, which may be any one, for as long as it runs.
    case daemon
    /// Rewrites this one, and ends.
    case maintenance

    var advice: String {
      switch self {
      case .daemon: "end it, or name another store with --store"
      case .maintenance: "end it first; if it is the daemon, with `systemctl stop godwit`"
      }
    }
  }

  let descriptor: Int32
  private var isHeld = true

  /// Limit of attempts for a file that is replaced repeatedly while it is being locked.
  private static let attempts = 10

  /// A copy does not stay empty for longer.
  private static let settlingSeconds: Int64 = 5

  /// Acquires the lock, without waiting. A missing file is created, empty.
  ///
  /// - Parameter unlessJustMade: leave an empty file alone that was created just now: it may be the
  ///   beginning of a copy, which has no lock.
  /// - Throws: `busy` if another process has the lock; otherwise why the file cannot be opened for
  ///   writing, or locked.
  public init(
    path: String, for purpose: Purpose = .maintenance, unlessJustMade: Bool = false
  ) throws(PortError) {
    if unlessJustMade, let file = FileStamp(path: path), file.size == 0,
      file.isWritten(within: Self.settlingSeconds)
    {
      throw .busy(
        "the store \(path) has been empty for less than \(Self.settlingSeconds) s; if no program "
          + "copies data into it, it is created again")
    }
    for _ in 0..<Self.attempts {
      let candidate = try Self.open(path)
      do {
        try Self.lock(candidate, path: path, purpose)
      } catch {
        close(candidate)
        throw error
      }
      // Between opening and locking, the name may have been given to another file.
      if FileIdentity(descriptor: candidate) == FileIdentity(path: path) {
        descriptor = candidate
        return
      }
      close(candidate)
    }
    throw .busy("the store \(path) is replaced again and again; wait until that has ended")
  }

  private init(holding descriptor: Int32) { self.descriptor = descriptor }

  /// Acquires the lock of a file to be replaced, without writing to it: this user may lack the
  /// permission.
  ///
  /// - Returns: nil on a network file system, where no store can be in use.
  static func ofReplaced(_ path: String) throws(PortError) -> StoreLock? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw PortError(system: errno, path: path, doing: "replace") }
    guard !isNetworked(descriptor) else {
      close(descriptor)
      return nil
    }
    do {
      try lock(descriptor, path: path, .maintenance)
    } catch {
      close(descriptor)
      throw error
    }
    return StoreLock(holding: descriptor)
  }

  /// Whether any process has the lock of this file, under any name. It is requested as a shared
  /// one, which can block a starting daemon for some microseconds only.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return !isNetworked(descriptor) && flock(descriptor, LOCK_SH | LOCK_NB) != 0
      && errno == EWOULDBLOCK
  }

  /// Whether the kernel lists a process that has the lock. For a caller that may have the store
  /// open itself: the file is not touched.
  public static func isKnownToBeHeld(_ path: String) -> Bool {
    FileIdentity(path: path).flatMap { holder(of: $0) } != nil
  }

  deinit { release() }

  /// Releases the lock. SQLite must have closed the store in this process.
  public func release() {
    guard isHeld else { return }
    isHeld = false
    SystemFiles.closeLocked(descriptor)
  }

  /// Opened for writing, as a name may refer to another file once that is written (overlayfs).
  private static func open(_ path: String) throws(PortError) -> Int32 {
    if let status = FileStatus(path: path), status.kind != .regular {
      throw .failed(
        "cannot open the store \(path): it is not a regular file; choose another with --store")
    }
    // The permissions that SQLite uses (SQLITE_DEFAULT_FILE_PERMISSIONS).
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else { throw PortError(system: errno, path: path, doing: "open") }
    return descriptor
  }

  private static func lock(
    _ descriptor: Int32, path: String, _ purpose: Purpose
  ) throws(PortError) {
    if isNetworked(descriptor) {
      throw .failed(
        "cannot lock the store \(path): it is on a network file system, where SQLite's "
          + "write-ahead log is not safe; put it on a local disk with --store")
    }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK:
        let process = FileIdentity(descriptor: descriptor).flatMap { holder(of: $0) }
        let words = process.map { " (process \($0))" } ?? ""
        throw .busy(
          "another godwit\(words) writes to the store \(path); \(purpose.advice)")
      default: throw PortError(system: errno, path: path, doing: "lock")
      }
    }
  }

  /// On NFS and SMB a flock(2) becomes byte-range locks, which block SQLite's own (statfs(2) has
  /// the numbers).
  private static let networked: Set<Int64> = [0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42]

  private static func isNetworked(_ descriptor: Int32) -> Bool {
    var system = statfs()
    return fstatfs(descriptor, &system) == 0 && networked.contains(Int64(system.f_type))
  }

  /// The process that holds the lock, according to /proc/locks (proc_locks(5)): processes of other
  /// containers have no number here.
  private static func holder(of file: FileIdentity) -> Int32? {
    guard let locks = fopen("/proc/locks", "re") else { return nil }
    defer { fclose(locks) }
    var buffer = [CChar](repeating: 0, count: 256)
    while fgets(&buffer, Int32(buffer.count), locks) != nil {
      let line = String(
        decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if let process = holder(of: file, in: line) { return process }
    }
    return nil
  }

  /// A line such as "1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF": the device's numbers are
  /// hexadecimal, the others decimal.
  static func holder(of file: FileIdentity, in line: String) -> Int32? {
    let fields = line.split { $0 == " " || $0 == "\n" }
    guard fields.count >= 6, fields[1] == "FLOCK", fields[3] == "WRITE",
      let process = Int32(fields[4]), process > 0
    else { return nil }
    let parts = fields[5].split(separator: ":")
    guard parts.count == 3, let major = UInt32(parts[0], radix: 16),
      let minor = UInt32(parts[1], radix: 16), let inode = UInt64(parts[2]),
      file.inode == inode,
      DeviceNumber(file.device) == DeviceNumber(major: major, minor: minor)
    else { return nil }
    return process
  }
}
