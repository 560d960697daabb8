import Glibc
import Platform
import Ports
import Core

/// One notice in progress: the connection that sends it and receives the answer. No call blocks.
final class CommandConnection {
  static let advice = "see journalctl -t godwit-alert"

  let id: Int64
  let deadline: BootInstant
  let descriptor: Int32
  let socket: String
  private var unsent: ArraySlice<UInt8>
  private var received: [UInt8] = []

  init(
    to socket: String, sending request: CommandRequest, deadline: BootInstant
  ) throws(PortError) {
    descriptor = try Self.connected(to: socket)
    self.socket = socket
    id = request.notice.id
    self.deadline = deadline
    unsent = request.line[...]
    // What does not fit is sent later. After a failed write a read fails, too, and that is
    // reported.
    send()
  }

  deinit { close(descriptor) }

  var hasUnsent: Bool { !unsent.isEmpty }

  private static func connected(to path: String) throws(PortError) -> Int32 {
    guard let address = UnixAddress(path: path) else {
      throw .unavailable(
        "alerts.command_socket: a socket's path must have 1 to \(UnixAddress.maxPathLength) bytes"
      )
    }
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = Glibc.socket(AF_UNIX, Int32(type), 0)
    guard descriptor >= 0 else { throw .unavailable("\(path): \(SystemError.last.text)") }
    guard let failure = address.connect(descriptor) else { return descriptor }
    close(descriptor)
    throw .unavailable(explain(failure, path))
  }

  private static func explain(_ failure: SystemError, _ path: String) -> String {
    switch failure.code {
    case ENOENT, ECONNREFUSED:
      "\(path): nothing runs commands there; start it (systemctl enable --now "
        + "godwit-alert.socket), or set alerts.command_socket"
    case EAGAIN: "\(path): too many requests wait there already; \(advice)"
    case EACCES:
      "\(path): permission denied; "
        + (FileAccess.denial(of: .writing, to: path) ?? "set SocketUser= of godwit-alert.socket")
    default: "\(path): \(failure.text)"
    }
  }

  /// Sends and receives as much as possible without blocking. Nil while the exchange continues.
  func exchange() -> NoticeOutcome.Result? {
    send()
    return receive()
  }

  private func send() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        // Broken connection: what the other end sent before it closed can still be read.
        if errno != EAGAIN { unsent = [] }
        return
      }
      unsent = unsent.dropFirst(count)
    }
  }

  private func receive() -> NoticeOutcome.Result? {
    var chunk = [UInt8](repeating: 0, count: CommandAnswer.longestLine)
    while received.count <= CommandAnswer.longestLine {
      let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return nil }
      guard count > 0 else {
        let how = received.isEmpty ? "without an answer" : "in the middle of its answer"
        return .unanswered("\(socket): closed \(how); \(CommandConnection.advice)")
      }
      received += chunk[..<count]
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        return result(of: Array(received[..<end]))
      }
    }
    return result(of: received)
  }

  private func result(of line: [UInt8]) -> NoticeOutcome.Result {
    guard line.count < CommandAnswer.longestLine, let answer = CommandAnswer(line: line, to: id)
    else {
      return .unanswered(
        "\(socket): the reply is not an answer to notice \(id); is it another program's socket?")
    }
    return answer.result
  }
}
