#if canImport(Glibc)
  import Glibc
#endif

/// The maximum size of this program's stack (getrlimit(2), RLIMIT_STACK).
enum StackLimit {
  /// In kilobytes, of the usual 8192. The depth of recursive parsers is limited to fit.
  private static let neededKilobytes: rlim_t = 512

  /// Why the program cannot run; nil if it can. The limit is raised as far as allowed, which takes
  /// effect because the kernel checks it whenever the stack grows.
  static var shortage: String? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0 else { return nil }
    let needed = neededKilobytes * 1024
    guard limit.rlim_cur < needed else { return nil }
    limit.rlim_cur = min(needed, limit.rlim_max)
    if setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0, limit.rlim_cur >= needed
    {
      return nil
    }
    return
      "the stack is limited to \(limit.rlim_cur / 1024) kB, and \(neededKilobytes) are needed: "
      + "raise the limit (ulimit -s 8192 in a shell, LimitSTACK=8M in a unit)"
  }
}
