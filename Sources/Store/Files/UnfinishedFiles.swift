#if canImport(Glibc)
  import Glibc
#endif

/// The names of the files that are being made. A signal that ends the program takes them along, so
/// that an interrupted command leaves behind only what was there.
///
/// The work itself need not know: it may be in the middle of a transaction, a read or a wait. What
/// no program can catch (SIGKILL, a loss of power) leaves a hidden file; see `TemporaryFile`.
enum UnfinishedFiles {
  /// A command makes a handful. What comes beyond is left when a signal comes.
  private static let maxCount = 256
  /// The signal handler reads it at any moment: plain memory that stays where it is, because in a
  /// handler nothing may lock, allocate or be checked for exclusive access (signal-safety(7)).
  private nonisolated(unsafe) static let names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> =
    {
      let names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: maxCount)
      names.initialize(repeating: nil, count: maxCount)
      return names
    }()

  /// Keeps threads apart; the handler does not ask for it.
  private nonisolated(unsafe) static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    return mutex
  }()

  /// All that end a program by default and are not the work of its own fault (signal(7)).
  private static let ending = [
    SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
  ]

  /// Makes files whose names `body` returns. No signal comes between a file and its entry here.
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

  /// Does what must not be left half done: a signal that would end this thread's program waits.
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

  /// Once, so that work which watches for signals from later on keeps that. What is ignored (nohup)
  /// stays so.
  private static let watch: Void = {
    for number in ending where !SignalAction.isIgnored(number) {
      SignalAction.set(number) { UnfinishedFiles.unlinkAll(endedBy: $0) }
    }
  }()

  /// Then the signal does what it does by default, so that whoever waits for the program sees it.
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
