import Glibc
import Core

/// The stream for messages: `print(text, to: &stream)`. Unbuffered: nothing is lost at exit.
struct StandardError: TextOutputStream {
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(0, written))
    }
  }

  /// Prints one line of untrusted text.
  static func report(_ text: String) {
    var messages = StandardError()
    print("godwit: \(TerminalText.line(text))", to: &messages)
  }
}

/// One line on a terminal that shows the progress of long work; nothing elsewhere.
final class ProgressLine {
  private let label: String
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var shown = ""

  init(label: String) { self.label = label }

  /// - Parameter moment: the virtual time that the work has reached.
  func show(_ moment: UTCInstant) {
    guard isTerminal else { return }
    show(ISO8601.text(moment, digits: 0))
  }

  func show(_ state: String) {
    guard isTerminal else { return }
    let text = "\(label): \(state)"
    guard text != shown else { return }
    // The rest of a longer line is erased.
    write("\r\(text)\u{1b}[K")
    shown = text
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
