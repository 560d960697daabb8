import CLinux
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Gives back what only the start, a rare command or the last wake-up needed: the daemon rests for
/// months on a small board.
struct ResidentMemory {
  /// Reading the pages of a wake-up again takes about a millisecond on a small board: a hundred
  /// faults, of 16 pages each, from the page cache (Linux, mm/memory.c, do_fault_around).
  private static let leastInterval: Seconds = 60
  /// Where it never rests.
  private static let longestInterval: Seconds = 600
  private static let rest: Seconds = 20
  private var last: BootInstant

  init(at time: BootInstant) { last = time }

  /// Gives back before a rest, at most once a minute, and every ten minutes. Never a reason to wake
  /// up.
  /// - Parameter next: when the daemon has something to do again; nil: nothing is due.
  /// - Returns: whether it did.
  @discardableResult
  mutating func giveBack(before next: BootInstant?, at time: BootInstant) -> Bool {
    let elapsed = time - last
    let rests = next.map { $0 - time >= Self.rest } ?? true
    guard elapsed >= Self.longestInterval || (rests && elapsed >= Self.leastInterval) else {
      return false
    }
    Self.giveBack()
    last = time
    return true
  }

  /// Returns freed heap to the kernel, and unmaps the program's code and constants, which are read
  /// again from the page cache, a few pages at a time, when they are used. Unmapped pages are the
  /// first that the kernel can use for something else.
  static func giveBack() {
    malloc_trim(0)
    guard let maps = fopen("/proc/self/maps", "re") else { return }
    defer { fclose(maps) }
    var buffer = [CChar](repeating: 0, count: 4352)
    while fgets(&buffer, Int32(buffer.count), maps) != nil {
      let line = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      guard let range = unchangedRange(line) else { continue }
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  /// The addresses of a mapping that is as its file has it, from its line in /proc/PID/maps
  /// (proc(5)); nil for any other. Code is never written to, nor is what a program's or library's
  /// file begins with: its constants, as lld lays them out. Read-only data further on may have been
  /// relocated (elf(5), PT_GNU_RELRO) and would be lost.
  static func unchangedRange(_ line: [UInt8]) -> Range<UInt>? {
    let fields = line.split(separator: UInt8(ascii: " "))
    guard fields.count >= 6, fields[5].first == UInt8(ascii: "/") else { return nil }
    let isCode = fields[1].elementsEqual("r-xp".utf8)
    let isBeginning =
      fields[1].elementsEqual("r--p".utf8) && fields[2].allSatisfy { $0 == UInt8(ascii: "0") }
    guard isCode || isBeginning else { return nil }
    let ends = fields[0].split(separator: UInt8(ascii: "-")).map {
      UInt(String(decoding: $0, as: UTF8.self), radix: 16)
    }
    guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
    return start..<end
  }
}
