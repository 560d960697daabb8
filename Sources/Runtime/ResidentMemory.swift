import CLinux
import CShims
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// Releases memory that only the start, a rare command or the last wake needed: the daemon, and an
/// uplink that stays connected, are idle for months on a small board.
package struct ResidentMemory {
  /// The interval for a process that is never idle.
  private static let longestInterval: Seconds = 600
  private static let idleTime: Seconds = 20
  private let leastInterval: Seconds
  private var last: BootInstant?

  /// - Parameters:
  ///   - leastInterval: reading the pages of a wake-up again takes about a millisecond on a small
  ///     board: a hundred faults, of 16 pages each, from the page cache (Linux, mm/memory.c,
  ///     do_fault_around).
  ///   - last: when memory was last released; nil: it is released before the first idle time.
  package init(every leastInterval: Seconds = 60, since last: BootInstant? = nil) {
    self.leastInterval = leastInterval
    self.last = last
  }

  /// Releases memory before an idle time, at most once in the least interval, and otherwise every
  /// ten minutes. Never causes a wake.
  /// - Parameter next: when the process is next due; nil: never.
  /// - Returns: whether memory was released.
  @discardableResult
  package mutating func giveBack(before next: BootInstant?, at time: BootInstant) -> Bool {
    let rests = next.map { $0 - time >= Self.idleTime } ?? true
    if let last {
      let elapsed = time - last
      guard elapsed >= Self.longestInterval || (rests && elapsed >= leastInterval) else {
        return false
      }
    } else if !rests {
      return false
    }
    Self.giveBack()
    last = time
    return true
  }

  /// Returns freed heap to the kernel, and unmaps the code and the constants of the program and its
  /// libraries. They are read again from the page cache, a few pages at a time, when they are used.
  /// The kernel can reuse unmapped pages first.
  static func giveBack() {
    malloc_trim(0)
    godwit_each_unchanged({ _, start, length in madvise(start, length, MADV_DONTNEED) }, nil)
  }
}
