import Core

#if canImport(Glibc)
  import Glibc
#endif

/// The progress of an import, on one line of a terminal; nothing if standard error is no terminal.
struct ImportProgress {
  /// The number of bytes read between two updates.
  private let step: Int
  private let size: Int?
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var shown = 0
  private var isOpen = false

  /// - Parameter size: the total in bytes; nil if unknown.
  init(of size: Int?, every step: Int = 16 << 20) {
    self.size = size
    self.step = step
  }

  mutating func show(_ offset: Int, rows: Int) {
    guard isTerminal, offset - shown >= step else { return }
    shown = offset
    let share = size.map { ", \(min(100, offset / max(1, $0 / 100))) %" } ?? ""
    write("\r\(offset >> 20) MB read\(share), \(rows) rows kept ")
    isOpen = true
  }

  func note(_ text: String) { write("godwit: \(text)\n") }

  mutating func end() {
    if isOpen { write("\r\u{1B}[K") }
    isOpen = false
  }

  private func write(_ text: String) {
    StandardError().write(text)
  }
}
