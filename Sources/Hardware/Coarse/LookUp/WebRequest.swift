import CLinux
import Glibc
import Core
import Platform

/// One POST by the program curl in a separate process: the memory that TLS needs is freed with it,
/// and a slow name resolution blocks nothing.
final class WebRequest {
  struct Failure: Error, Equatable {
    let text: String
  }

  /// In bytes. An answer takes a few hundred.
  private static let longestAnswer = 16_384
  /// curl itself gives up after this.
  private static let timeout = "20"  // s
  static let program = "curl"

  /// Ready when the process has ended (pidfd_open(2)).
  let descriptor: Int32
  private let process: ChildProcess
  private let output: Int32
  private var hasEnded = false

  /// - Parameters:
  ///   - url: http or https; curl refuses everything else.
  ///   - body: with the URL at most 4096 bytes: a pipe holds as much before it is read (pipe(7)).
  init(_ url: String, body: [UInt8]) throws(Failure) {
    guard let input = PipeEnds(), let output = PipeEnds() else {
      throw Failure(text: "cannot create a pipe: \(SystemError.last.text)")
    }
    guard input.write(Self.instructions(url, body)) else {
      throw Failure(text: "the request is too long")
    }
    process = try Self.curl(input: input.reading, output: output.writing)
    self.output = output.releaseReadEnd()
    descriptor = pidfd_open(process.id, 0)
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

  /// Ignores the user's settings, and reads its own from standard input: every user can read
  /// arguments, and the URL may contain a key.
  private static let arguments = ["--disable", "--config", "-"]

  /// curl(1), --config. Brackets in the URL are not ranges.
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

  private static func curl(input: Int32, output: Int32) throws(Failure) -> ChildProcess {
    do throws(SystemError) {
      return try ChildProcess(
        program, arguments,
        descriptors: [STDIN_FILENO: input, STDOUT_FILENO: output, STDERR_FILENO: output])
    } catch {
      throw Failure(
        text: error.code == ENOENT
          ? "the program curl is missing: install the package curl"
          : "curl cannot be started: \(error.text)")
    }
  }

  /// Whether the process has ended.
  var hasAnswered: Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0
  }

  /// The server's answer. To be called when the process has ended.
  func finish() throws(Failure) -> (status: Int, body: [UInt8]) {
    let text = answer()
    guard let status = end(), status == 0 else {
      throw Failure(text: Self.complaint(in: text))
    }
    guard let line = text.lastIndex(of: UInt8(ascii: "\n")),
      let code = Int(String(decoding: text[(line + 1)...], as: UTF8.self))
    else { throw Failure(text: "curl reports no HTTP status") }
    return (code, Array(text[..<line]))
  }

  /// Only curl's own message: the rest comes from the server.
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

  /// Ends the process if it still runs, and reaps it.
  /// - Returns: its exit status; nil: it was killed, or was reaped before.
  @discardableResult
  private func end() -> Int32? {
    guard !hasEnded else { return nil }
    hasEnded = true
    var ending = process.end()
    if ending == nil {
      process.send(SIGKILL)
      ending = process.waitForEnd()
    }
    guard case .exit(let status)? = ending else { return nil }
    return status
  }
}
