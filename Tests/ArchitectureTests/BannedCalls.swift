/// Calls that make a pure module depend on the time, the machine or chance.
enum BannedCalls {
  static func check(_ file: SourceText) -> [Violation] {
    guard let module = try? Module.named(file.module), module.kind == .pure else { return [] }
    let usesLibm = (try? module.mayImport("Glibc", in: file.folder)) == true
    let banned = usesLibm ? always + withGlibc : always
    return file.code.enumerated().flatMap { index, line -> [Violation] in
      // A declaration of that name is not a call.
      let line = line.contains("func ") ? line.replacing(/func \w+/, with: "func") : line
      return banned.compactMap { pattern, why in
        guard let match = line.firstMatch(of: pattern) else { return nil }
        let message = "\(match.1) in the pure module \(file.module): \(why)"
        return Violation(path: file.path, line: index + 1, message: message)
      }
    }
  }

  private typealias Ban = (pattern: Regex<(Substring, Substring)>, why: String)

  private static var always: [Ban] {
    [
      (
        /\b(ContinuousClock|SuspendingClock|Date\s*\(|DispatchTime|clock_gettime|gettimeofday)/,
        "time comes in with the event"
      ),
      (
        /\b(usleep|nanosleep|await|async|Thread|Task|DispatchQueue|DispatchSemaphore)\b/,
        "nothing waits"
      ),
      (/(?:^|[^.\w])(print|debugPrint|dump|fputs|printf|puts)\s*\(/, "nothing prints"),
      (/\b(CommandLine\b|readLine\s*\(|getenv\s*\(|fopen\s*\()/, "the world is behind the ports"),
      (/\b(SystemRandomNumberGenerator|arc4random|drand48)/, "chance comes from a seed"),
      (
        /\.(random\s*\((?![^)]*using:)|(?:shuffled|shuffle|randomElement)\s*\(\s*\))/,
        "chance comes from a seed"
      ),
    ]
  }

  /// Names of the C library that are also good names for functions of the project. They are banned
  /// only in files that import the C library.
  private static var withGlibc: [Ban] {
    [
      (/(?:^|[^.\w])((?:time|clock|localtime_r|mktime)\s*\()/, "time comes in with the event"),
      (/(?:^|[^.\w])((?:sleep|pause|select|poll)\s*\()/, "nothing waits"),
      (/(?:^|[^.\w])((?:perror|syslog)\s*\()/, "nothing prints"),
      (
        /(?:^|[^.\w])((?:open|read|write|socket|ioctl|exit|abort)\s*\()/,
        "the world is behind the ports"
      ),
      (/(?:^|[^.\w])((?:rand|srand|random)\s*\()/, "chance comes from a seed"),
    ]
  }
}
