import Glibc
import Platform
import Core

/// Who asks for a command: the daemon, at the other end of the socket that systemd has made
/// standard input, or somebody at a terminal, whose answer goes to standard output.
public struct CommandClient {
  /// The daemon sends at once.
  public static let usualPatience: Seconds = 10

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

  /// - Throws: why there is no request: none came in time, or what came is none.
  public func request(
    within patience: Seconds = usualPatience
  ) throws(CommandRequest.Fault) -> CommandRequest {
    let deadline = BootClock.now + patience
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while line.count < CommandRequest.longestLine {
      guard BootClock.wait(for: input, until: deadline) else {
        throw CommandRequest.Fault(text: "it has not come within \(patience.inWords)")
      }
      let count = read(input, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw CommandRequest.Fault(text: SystemError.last.text) }
      // One that is cut off must not run: whoever sent it believes that it did not.
      guard count > 0 else {
        throw CommandRequest.Fault(text: "it ends after \(line.count) bytes, without a line's end")
      }
      let new = chunk[..<count]
      if let end = new.firstIndex(of: UInt8(ascii: "\n")) {
        return try CommandRequest(line: line + new[..<end])
      }
      line += new
    }
    throw CommandRequest.Fault(text: "it has more than \(CommandRequest.longestLine) bytes")
  }

  /// Who does not listen any more is not waited for: the command is run all the same, and again.
  public func answer(_ answer: CommandAnswer) {
    let line = answer.line
    if isSocket {
      _ = send(output, line, line.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    } else {
      _ = write(output, line, line.count)
    }
  }
}
