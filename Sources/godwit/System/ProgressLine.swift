import Notation
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// One line on a terminal that shows the progress of long work; nothing elsewhere.
final class ProgressLine {
  private let label: String
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var shown = ""

  init(label: String) { self.label = label }

  /// - Parameter moment: the virtual time that the work has reached.
  func show(_ moment: UTCInstant) {
    guard isTerminal else { return }
    let text = "\(label): \(ISO8601.text(moment, digits: 0))"
    guard text != shown else { return }
    shown = text
    write("\r\(text)")
  }

  func clear() {
    guard isTerminal, !shown.isEmpty else { return }
    write("\r\u{1b}[K")
  }

  private func write(_ text: String) {
    var stream = StandardError()
    print(text, terminator: "", to: &stream)
  }
}
