import CLinux

#if canImport(Glibc)
  import Glibc
#endif

/// Gives back what only the start needed: the daemon then rests for months on a small board.
enum StartupMemory {
  /// Returns freed heap to the kernel, and unmaps program code, which is read again from the page
  /// cache, a few pages at a time, when it runs. Unmapped pages are the first that the kernel can
  /// use for something else.
  static func giveBack() {
    malloc_trim(0)
    guard let maps = fopen("/proc/self/maps", "re") else { return }
    defer { fclose(maps) }
    var buffer = [CChar](repeating: 0, count: 4352)
    while fgets(&buffer, Int32(buffer.count), maps) != nil {
      let line = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      guard let range = codeRange(line) else { continue }
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  /// The addresses of a mapping that holds the code of a file, from its line in /proc/PID/maps
  /// (proc(5)); nil for any other. Code is never written to, so that nothing is lost; relocated
  /// data would be.
  static func codeRange(_ line: [UInt8]) -> Range<UInt>? {
    let fields = line.split(separator: UInt8(ascii: " "))
    guard fields.count >= 6, fields[1].elementsEqual("r-xp".utf8),
      fields[5].first == UInt8(ascii: "/")
    else { return nil }
    let ends = fields[0].split(separator: UInt8(ascii: "-")).map {
      UInt(String(decoding: $0, as: UTF8.self), radix: 16)
    }
    guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
    return start..<end
  }
}
