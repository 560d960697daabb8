import CLinux
import Glibc
import Notation
import Platform

/// One POST by the program curl in a process of its own: what TLS needs in memory goes with it, and
/// a name that cannot be resolved holds nothing up.
final class WebRequest {
  struct Failure: Error, Equatable {
    let text: String
  }

  /// Bytes. An answer takes some hundred.
  private static let longestAnswer = 16_384
  /// By itself curl gives up after this.
  private static let timeout = "20"  // s
  static let program = "curl"

  /// Ready when the process has ended (pidfd_open(2)).
  let descriptor: Int32
  private let process: pid_t
  private let output: Int32
  private var hasEnded = false

  /// - Parameters:
  ///   - url: http or https; curl refuses everything else.
  ///   - body: with the URL 4096 bytes at most: what a pipe holds whoever reads it (pipe(7)).
  init(_ url: String, body: [UInt8]) throws(Failure) {
    guard let input = Pipe(), let output = Pipe() else {
      throw Failure(text: "no pipe can be had: \(SystemError.last.text)")
    }
    guard input.write(Self.instructions(url, body)) else {
      throw Failure(text: "the request is too long")
    }
    process = try Self.spawn(input: input.reading, output: output.writing)
    self.output = output.takeReading()
    descriptor = pidfd_open(process, 0)
    guard descriptor >= 0 else {
      let error = SystemError.last
      end()
      throw Failure(text: "its process cannot be waited for: \(error.text)")
    }
  }

  deinit {
    end()
    if descriptor >= 0 { close(descriptor) }
    close(output)
  }

  /// Without a user's settings, and with its own from the input: arguments are for everybody to
  /// read, and the URL may hold a key.
  private static let arguments = [program, "--disable", "--config", "-"]

  /// curl(1), --config. Brackets in the URL are to be no ranges.
  private static func instructions(_ url: String, _ body: [UInt8]) -> [UInt8] {
    let settings = [
      "silent", "show-error", "globoff", "max-time = \(timeout)",
      "max-filesize = \(longestAnswer)", "proto = \"=http,https\"",
      "header = \"Content-Type: application/json\"", "user-agent = \"godwit\"",
      "write-out = \"\\n%{http_code}\"", "url = \(quoted(url.utf8))",
      "data-binary = \(quoted(body))",
    ]
    return Array(settings.joined(separator: "\n").utf8)
  }

  private static func quoted(_ text: some Sequence<UInt8>) -> String {
    var quoted: [UInt8] = []
    for byte in text {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        quoted.append(UInt8(ascii: "\\"))
      }
      quoted.append(byte)
    }
    return "\"" + String(decoding: quoted, as: UTF8.self) + "\""
  }

  private static func spawn(input: Int32, output: Int32) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    // The daemon holds signals back, and a child inherits that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, program, &actions, &attributes, &words, environ)
    guard code != ENOENT else {
      throw Failure(text: "there is no program curl: install the package curl")
    }
    guard code == 0 else {
      throw Failure(text: "curl cannot be started: \(SystemError(code: code).text)")
    }
    return child
  }

  /// Whether the process has ended.
  var hasAnswered: Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0
  }

  /// What the server has answered. To be called when the process has ended.
  func finish() throws(Failure) -> (status: Int, body: [UInt8]) {
    let text = answer()
    guard let status = end(), status == 0 else {
      throw Failure(text: Self.complaint(in: text))
    }
    guard let line = text.lastIndex(of: UInt8(ascii: "\n")),
      let code = Int(String(decoding: text[(line + 1)...], as: UTF8.self))
    else { throw Failure(text: "curl tells no HTTP status") }
    return (code, Array(text[..<line]))
  }

  /// Of curl's: what else there is comes from the server.
  private static func complaint(in text: [UInt8]) -> String {
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let own = lines.last { $0.hasPrefix("curl: (") }
    return own.map { TerminalText.line(String($0.prefix(200))) } ?? "curl has failed"
  }

  private func answer() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.longestAnswer + 64)
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(output, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { break }
      count += read
    }
    return Array(bytes[..<count])
  }

  /// Ends the process if it runs still, and takes its status.
  /// - Returns: its exit status; nil: it was killed, or that was taken already.
  @discardableResult
  private func end() -> Int32? {
    guard !hasEnded else { return nil }
    hasEnded = true
    var status: Int32 = 0
    if waitpid(process, &status, WNOHANG) == 0 {
      kill(process, SIGKILL)
      waitpid(process, &status, 0)
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }
}

/// A pipe whose ends a child does not inherit but by name.
private final class Pipe {
  private(set) var reading: Int32
  let writing: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    // One thread: no other process is begun in between.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = ends[1]
  }

  /// What every pipe holds, so that writing it never waits (pipe(7), PIPE_BUF).
  private static let capacity = 4096

  /// All of it or nothing.
  func write(_ bytes: [UInt8]) -> Bool {
    bytes.count <= Self.capacity && Glibc.write(writing, bytes, bytes.count) == bytes.count
  }

  /// The end to read from, which is the caller's from now on and never waits.
  func takeReading() -> Int32 {
    defer { reading = -1 }
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    return reading
  }

  deinit {
    if reading >= 0 { close(reading) }
    close(writing)
  }
}
