import Glibc

/// Shared by the measurements: time, memory and readable numbers.
enum Stopwatch {
  /// Seconds of CPU that this process has used; other processes do not count.
  static var cpu: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Runs `body` several times and returns the CPU seconds of the fastest.
  static func best(of count: Int = 5, _ body: () -> Void) -> Double {
    var best = Double.infinity
    for _ in 0..<count {
      let start = cpu
      body()
      best = min(best, cpu - start)
    }
    return best
  }

  /// The peak memory of this process, in MB.
  static var peakMemory: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_maxrss) / 1000
  }

  static func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
