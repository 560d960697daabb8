import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A file that is made under a hidden name beside its target, `.NAME.XXXXXX`, and gets its own name
/// when complete: an earlier file stays until then. If it is abandoned, or a signal interrupts, the
/// hidden file is deleted. After SIGKILL or a loss of power it is left; it does no harm and may be
/// removed.
public final class TemporaryFile {
  /// A name may have 255 bytes (NAME_MAX); the suffixes need room.
  private static let maxNameLength = 200
  private static let attempts = 100

  public let path: String
  private let target: String
  private let names: [String]
  private var descriptor: Int32
  private var isThere = true

  /// - Parameters:
  ///   - target: the final path, which is not followed if it is a link.
  ///   - mode: the permissions, less the umask(2); the owner may always read and write the file.
  ///   - companions: suffixes of the hidden name for files that are deleted with it.
  public init(
    for target: String, mode: mode_t = 0o666, companions: [String] = []
  ) throws(SystemError) {
    let place = PathParts(target)
    let name = String(decoding: place.name.utf8.prefix(Self.maxNameLength), as: UTF8.self)
    var opened: (path: String, descriptor: Int32)?
    var names: [String] = []
    try UnfinishedFiles.add { () throws(SystemError) in
      let made = try Self.make(mode) {
        PathParts(folder: place.folder, name: ".\(name).\($0)").path
      }
      opened = made
      names = ([""] + companions).map { made.path + $0 }
      return names
    }
    guard let opened else { throw SystemError(code: EEXIST) }
    (path, descriptor) = opened
    self.target = target
    self.names = names
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    for name in names {
      if isThere { unlink(name) }
      UnfinishedFiles.remove(name)
    }
  }

  /// mkstemp(3) would permit the owner alone; here the kernel applies the umask, or the folder's
  /// access list instead.
  private static func make(
    _ mode: mode_t, named: (String) -> String
  ) throws(SystemError) -> (path: String, descriptor: Int32) {
    for _ in 0..<attempts {
      let name = named(String((0..<6).map { _ in letters.randomElement() ?? "x" }))
      let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0o600)
      if descriptor >= 0 { return (name, descriptor) }
      guard errno == EEXIST else { break }
    }
    throw SystemError.last
  }

  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

  /// The file, open for reading and writing; the caller closes it.
  public func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Replaces the file at the target.
  public func replace() throws(SystemError) {
    guard rename(path, target) == 0 else { throw SystemError.last }
    isThere = false
  }

  /// Uses the target name if it is free: link(2) never replaces a file.
  public func appear() throws(SystemError) {
    guard link(path, target) != 0 else {
      unlink(path)
      isThere = false
      return
    }
    let code = errno
    // A file system without hard links, such as FAT.
    guard [EPERM, ENOTSUP, ENOSYS].contains(code) else { throw SystemError(code: code) }
    guard access(target, F_OK) != 0 else { throw SystemError(code: EEXIST) }
    try replace()
  }

  /// The caller has renamed the file itself.
  func hasMoved() { isThere = false }
}

/// The names of unfinished files. A signal that ends the program deletes them, so that an
/// interrupted command leaves behind only what was there.
///
/// The work itself does not take part: it may be in the middle of a transaction, a read or a wait.
/// What no program can catch (SIGKILL, a loss of power) leaves a hidden file; see `TemporaryFile`.
enum UnfinishedFiles {
  /// A command makes a handful. Files beyond this are left at a signal.
  private static let maxCount = 256
  /// The signal handler reads it at any moment: plain memory at a fixed address, because a handler
  /// must not lock, allocate or be checked for exclusive access (signal-safety(7)).
  private nonisolated(unsafe) static let names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> =
    {
      let names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: maxCount)
      names.initialize(repeating: nil, count: maxCount)
      return names
    }()

  /// Synchronizes threads; the handler does not use it.
  private nonisolated(unsafe) static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    return mutex
  }()

  /// All signals that end a program by default and are not caused by a fault of its own
  /// (signal(7)).
  private static let ending = [
    SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
  ]

  /// Makes the files whose names `body` returns. Signals are blocked between making a file and its
  /// entry here.
  static func add<Failure: Error>(
    _ body: () throws(Failure) -> [String]
  ) throws(Failure) {
    _ = (names, watch)
    try uninterrupted { () throws(Failure) in
      let made = try body()
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      for name in made {
        guard let free = (0..<maxCount).first(where: { names[$0] == nil }) else { return }
        names[free] = strdup(name)
      }
    }
  }

  /// The file has its own name now, or is gone.
  static func remove(_ name: String) {
    uninterrupted {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      for index in 0..<maxCount {
        guard let entry = names[index], strcmp(entry, name) == 0 else { continue }
        names[index] = nil
        free(entry)
      }
    }
  }

  /// Runs what must not be interrupted: signals that would end the program are blocked in this
  /// thread.
  static func uninterrupted<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var held = sigset_t()
    var before = sigset_t()
    sigemptyset(&held)
    for number in ending { sigaddset(&held, number) }
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  /// Once, so that later signal handling of other code stays in place. Ignored signals (nohup) stay
  /// ignored.
  private static let watch: Void = {
    for number in ending where !SignalAction.isIgnored(number) {
      SignalAction.set(number) { UnfinishedFiles.unlinkAll(endedBy: $0) }
    }
  }()

  /// Then the signal has its default effect, so that the parent process sees it.
  private static func unlinkAll(endedBy number: Int32) {
    var index = 0
    while index < maxCount {
      if let name = names[index] { unlink(name) }
      index += 1
    }
    signal(number, SIG_DFL)
    raise(number)
  }
}
