import Platform
import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// Detects that the files which SQLite has open are no longer those at the store's path: that the
/// store was deleted, moved, replaced, truncated or overwritten. SQLite itself goes on writing to
/// its open files, and records acknowledged then are in no file with a name
/// (sqlite.org/howtocorrupt.html, 2.4 and 4).
///
/// A check costs four stat(2). A change of the main file alone proves nothing, as other programs
/// may move the log into it; but SQLite counts that in the log's index beside the file, and copying
/// another file over the store does not.
///
/// Not detected: a file overwritten within one tick of the kernel's clock after a checkpoint of
/// ours (4 ms; 2 s on FAT), or between two checks in which another program's SQLite made a
/// checkpoint of its own; and a file with an identical header that also passes SQLite's quick
/// check.
final class StoreFileMonitor {
  private let path: String
  /// SQLite's name of the log: absolute and without links.
  private let log: String
  private let index: String
  private let main: FileIdentity
  private let logFile: FileIdentity
  private let indexFile: FileIdentity
  /// The lock's descriptor of the main file, and one of the index. They are closed only after
  /// SQLite has closed both: closing one releases SQLite's own locks (fcntl(2)).
  private let lock: StoreLock
  private let indexDescriptor: Int32
  private var seen: Snapshot

  /// - Parameters:
  ///   - path: the store's name, as the user gave it.
  ///   - main: the same file under the name to which SQLite adds its suffixes.
  ///   - lock: held on the file since before SQLite opened it.
  /// - Throws: `moved` if the file disappeared before SQLite opened it.
  init(path: String, main name: String, lock: StoreLock) throws(PortError) {
    self.path = path
    self.lock = lock
    log = name + StoreFiles.logSuffix
    index = name + StoreFiles.indexSuffix
    let descriptor = open(index, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 || errno == ENOENT else {
      throw PortError(system: errno, path: path, doing: "check the log's index of")
    }
    guard let main = FileIdentity(descriptor: lock.descriptor), main == FileIdentity(path: path),
      let logFile = FileIdentity(path: log), let indexFile = FileIdentity(descriptor: descriptor),
      indexFile == FileIdentity(path: index)
    else {
      if descriptor >= 0 { close(descriptor) }
      throw .moved("the store \(path) was moved or replaced while it was being opened")
    }
    self.main = main
    self.logFile = logFile
    self.indexFile = indexFile
    indexDescriptor = descriptor
    seen = Snapshot(main: lock.descriptor, index: descriptor)
  }

  deinit { close(indexDescriptor) }

  /// What has happened to the store since the last check; nil if it is in place.
  ///
  /// - Parameter isSound: called if the file's date, and perhaps more, was changed by another
  ///   program.
  /// - Throws: why the files cannot be checked.
  func check(isSound: () throws(PortError) -> Bool) throws(PortError) -> StoreFileEvent? {
    if let event = try contents(isSound) { return event }
    let named = try identity(path)
    guard named == main else {
      if isNamed { return .moved(to: presentName) }
      return named == nil ? .deleted : .replaced
    }
    guard try identity(log) == logFile, try identity(index) == indexFile else { return .lostLog }
    return isLogCut ? .cutLog : nil
  }

  /// Whether the log is shorter than the frames that its index counts (sqlite.org/walformat.html,
  /// 2.1: page size at 14, frames at 16, in native byte order).
  private var isLogCut: Bool {
    let size = FileStatus(path: log)?.kernel.st_size ?? 0
    let header = Self.bytes(indexDescriptor, count: 20, at: 0)
    guard header.count == 20 else { return false }
    let (pageSize, frames) = header.withUnsafeBytes {
      ($0.load(fromByteOffset: 14, as: UInt16.self), $0.load(fromByteOffset: 16, as: UInt32.self))
    }
    guard frames > 0 else { return false }
    return size < 32 + Int(frames) * (24 + (pageSize == 1 ? 65_536 : Int(pageSize)))
  }

  private func contents(_ isSound: () throws(PortError) -> Bool) throws(PortError)
    -> StoreFileEvent?
  {
    let now = Snapshot(main: lock.descriptor, index: indexDescriptor)
    guard now.stamp != seen.stamp else {
      seen = now
      return nil
    }
    // A checkpoint writes the first page first, and its count at the end.
    if now.checkpoint.isUnderWay { return nil }
    if now.isCutShort { return .truncated }
    if now.checkpoint == seen.checkpoint {
      guard now.header == seen.header, try isSound() else { return .overwritten }
    }
    seen = now
    return nil
  }

  /// Removes the log and its index, if they are still the ones that SQLite has open: beside another
  /// main file, SQLite would use the log for that one.
  func removeLog() {
    for (name, file) in [(log, logFile), (index, indexFile)]
    where FileIdentity(path: name) == file {
      unlink(name)
    }
  }

  /// Moves the log beside its moved main file, or to a free name: its content is nowhere else.
  ///
  /// - Returns: its present name; nil if it is gone.
  func moveLog(with event: StoreFileEvent) throws(PortError) -> String? {
    guard FileIdentity(path: log) == logFile else { return nil }
    var target = StoreFiles.freeName(for: log, "kept")
    if case .moved(let name?) = event {
      let beside = name + StoreFiles.logSuffix
      if FileIdentity(path: beside) == nil { target = beside }
    }
    guard rename(log, target) == 0 else {
      throw PortError(system: errno, path: path, doing: "keep the log of")
    }
    return target
  }

  /// Nil if no file has this name.
  private func identity(_ name: String) throws(PortError) -> FileIdentity? {
    if let identity = FileIdentity(path: name) { return identity }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw PortError(system: errno, path: path, doing: "check")
    }
    return nil
  }

  private var isNamed: Bool {
    FileStatus(descriptor: lock.descriptor).map { $0.kernel.st_nlink > 0 } ?? false
  }

  /// Where the open file is now, according to the kernel (proc_pid_fd(5)).
  private var presentName: String? {
    guard let name = SystemFiles.target(ofLink: "/proc/self/fd/\(lock.descriptor)") else {
      return nil
    }
    return FileIdentity(path: name) == main ? name : nil
  }
}

extension StoreFileMonitor {
  /// The state of the open files at one check.
  private struct Snapshot {
    let stamp: FileStamp?
    /// The main file's first 100 bytes (sqlite.org/fileformat.html, 1.3).
    let header: [UInt8]
    let checkpoint: Checkpoint

    init(main: Int32, index: Int32) {
      stamp = FileStamp(descriptor: main)
      header = StoreFileMonitor.bytes(main, count: 100, at: 0)
      checkpoint = Checkpoint(index: index)
    }

    /// Whether the file is shorter than its header states.
    var isCutShort: Bool {
      guard header.count == 100 else { return true }
      let pageSize = header.bigEndian(16, count: 2)
      // Version-valid-for: whether the count of pages is up to date.
      guard header[24..<28] == header[92..<96] else { return false }
      let pages = header.bigEndian(28, count: 4)
      return stamp.map { $0.size < Int64(pages) * Int64(pageSize == 1 ? 65_536 : pageSize) } ?? true
    }
  }

  /// How much of which log SQLite has moved into the main file, from the log's index
  /// (sqlite.org/walformat.html, 2.1).
  private struct Checkpoint: Equatable {
    /// The salt of the log, new whenever it is restarted.
    private let salt: [UInt8]
    private let moved: [UInt8]
    private let attempted: [UInt8]

    init(index: Int32) {
      salt = StoreFileMonitor.bytes(index, count: 8, at: 32)
      moved = StoreFileMonitor.bytes(index, count: 4, at: 96)
      attempted = StoreFileMonitor.bytes(index, count: 4, at: 128)
    }

    var isUnderWay: Bool { moved != attempted }
  }

  private static func bytes(_ descriptor: Int32, count: Int, at offset: off_t) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &buffer, count, offset)
    return Array(buffer.prefix(max(0, read)))
  }
}

extension [UInt8] {
  func bigEndian(_ start: Int, count: Int) -> UInt32 {
    self[start..<start + count].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// What may happen to a store while it is open.
enum StoreFileEvent: Equatable, Sendable {
  case deleted
  /// It is gone, and another file has its name.
  case replaced
  /// It has another name now; nil if the kernel does not report it.
  case moved(to: String?)
  /// The log beside it, or the log's index, was deleted or replaced.
  case lostLog
  /// The log is shorter than its index states: records in it are gone, and the rest would corrupt
  /// the main file.
  case cutLog
  /// The file is shorter than its header states.
  case truncated
  /// A program other than SQLite has written to it.
  case overwritten

  /// Whether the open file is still as SQLite left it, so that its log belongs to it.
  var leavesFileIntact: Bool {
    switch self {
    case .moved, .lostLog: true
    case .deleted, .replaced, .cutLog, .truncated, .overwritten: false
    }
  }

  /// What happened, and the consequences.
  func message(_ path: String) -> String {
    switch self {
    case .deleted:
      "the store \(path) was deleted while it was in use; its records are lost, new ones are "
        + "written to the file of that name"
    case .replaced:
      "another file replaced the store \(path) while it was in use; its records are lost, new "
        + "ones are written to the new file"
    case .moved(let name):
      "the store \(path) was moved\(name.map { " to \($0)" } ?? "") while it was in use; its "
        + "records are there, new ones are written to the file of the old name"
    case .lostLog:
      "the log of the store \(path), or its index, was deleted or replaced while it was in use; "
        + "its records are in the store now"
    case .cutLog:
      "the log of the store \(path) was truncated while it was in use; the newest records, which "
        + "were in it, are lost, earlier ones are in the store"
    case .truncated:
      "the store \(path) was truncated while it was in use; its records are lost, new ones are "
        + "written to the file of that name"
    case .overwritten:
      "the store \(path) was overwritten by a program other than SQLite while it was in use; "
        + "its records are lost, new ones are written to the present file, if that is a store"
    }
  }
}
