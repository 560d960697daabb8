import CLinux
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Gives back what only the start, or a rare command, needed: the daemon rests for months on a
/// small board.
struct ResidentMemory {
  /// Reading a page of the program again takes microseconds, from the page cache.
  private static let interval: Seconds = 600
  private var due: BootInstant

  init(at time: BootInstant) { due = time + Self.interval }

  /// Gives back when that has not happened for ten minutes. Never a reason to wake up.
  mutating func giveBackWhenDue(at time: BootInstant) {
    guard time >= due else { return }
    Self.giveBack()
    due = time + Self.interval
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
