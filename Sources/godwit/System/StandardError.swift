import Glibc

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
}
