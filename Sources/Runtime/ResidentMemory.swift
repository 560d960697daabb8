import CLinux
import CShims
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// Gives back what only the start, a rare command or the last wake-up needed: the daemon, and an
/// uplink that stays connected, rest for months on a small board.
package struct ResidentMemory {
  /// Where it never rests.
  private static let longestInterval: Seconds = 600
  private static let rest: Seconds = 20
  private let leastInterval: Seconds
  private var last: BootInstant?

  /// - Parameters:
  ///   - leastInterval: reading the pages of a wake-up again takes about a millisecond on a small
  ///     board: a hundred faults, of 16 pages each, from the page cache (Linux, mm/memory.c,
  ///     do_fault_around).
  ///   - last: when something was given back; nil: before the first rest something is.
  package init(every leastInterval: Seconds = 60, since last: BootInstant? = nil) {
    self.leastInterval = leastInterval
    self.last = last
  }

  /// Gives back before a rest, once in the least interval at most, and every ten minutes. Never a
  /// reason to wake up.
  /// - Parameter next: when the process has something to do again; nil: nothing is due.
  /// - Returns: whether it did.
  @discardableResult
  package mutating func giveBack(before next: BootInstant?, at time: BootInstant) -> Bool {
    let rests = next.map { $0 - time >= Self.rest } ?? true
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
  /// libraries, which are read again from the page cache, a few pages at a time, when they are
  /// used. Unmapped pages are the first that the kernel can use for something else.
  static func giveBack() {
    malloc_trim(0)
    godwit_each_unchanged({ _, start, length in madvise(start, length, MADV_DONTNEED) }, nil)
  }
}
