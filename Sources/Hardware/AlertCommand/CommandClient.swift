import Glibc
import Platform
import Core

/// The client that requests a command: the daemon, at the other end of the socket that systemd has
/// made standard input, or a person at a terminal, with the answer on standard output.
public struct CommandClient {
  /// Enough, as the daemon sends at once.
  public static let defaultTimeout: Seconds = 10

  private let input: Int32
  private let output: Int32
  private let isSocket: Bool

  public init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    isSocket = getsockopt(input, SOL_SOCKET, SO_TYPE, &type, &length) == 0
    self.input = input
    self.output = isSocket ? input : output
  }

  /// - Throws: why there is no request: none arrived in time, or the input is not a request.
  public func request(
    within limit: Seconds = defaultTimeout
  ) throws(CommandRequest.Fault) -> CommandRequest {
    let deadline = BootClock.now + limit
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while line.count < CommandRequest.longestLine {
      guard BootClock.wait(for: input, until: deadline) else {
        throw CommandRequest.Fault(text: "it did not arrive within \(limit.inWords)")
      }
      let count = read(input, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw CommandRequest.Fault(text: SystemError.last.text) }
      // A truncated request must not run: its sender assumes that it did not.
      guard count > 0 else {
        throw CommandRequest.Fault(text: "it ends after \(line.count) bytes, without a line end")
      }
      let new = chunk[..<count]
      if let end = new.firstIndex(of: UInt8(ascii: "\n")) {
        return try CommandRequest(line: line + new[..<end])
      }
      line += new
    }
    throw CommandRequest.Fault(text: "it has more than \(CommandRequest.longestLine) bytes")
  }

  /// Does not wait for a client that no longer reads: the command has run all the same, and will
  /// run again.
  public func answer(_ answer: CommandAnswer) {
    let line = answer.line
    if isSocket {
      _ = send(output, line, line.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    } else {
      _ = write(output, line, line.count)
    }
  }
}
