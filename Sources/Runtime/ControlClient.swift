import Notation
import Platform
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The other end of the control socket, for `godwit status` and `godwit gnss`.
public enum ControlClient {
  static let timeout = Seconds(5)

  /// Whether a daemon listens there, also one that does not let this user in.
  public static func isDaemonThere(path: String) -> Bool {
    guard let descriptor = try? UnixSocket.new() else { return false }
    defer { close(descriptor) }
    do {
      guard let failure = try UnixSocket.connect(descriptor, to: path) else { return true }
      return ![ENOENT, ENOTDIR, ECONNREFUSED].contains(failure.code)
    } catch {
      return false
    }
  }

  /// Sends one request and returns its answer. All of it takes five seconds at most.
  public static func ask(_ request: JSONValue, path: String) throws(ControlError) -> JSONValue {
    try ask(request, path: path, within: timeout)
  }

  static func ask(
    _ request: JSONValue, path: String, within timeout: Seconds
  ) throws(ControlError) -> JSONValue {
    let end = BootClock.now + timeout
    // Connecting waits while the daemon's queue is full.
    let descriptor = try UnixSocket.new(timeout: timeout)
    defer { close(descriptor) }
    if let failure = try UnixSocket.connect(descriptor, to: path) { throw explain(failure, path) }
    let bytes = Array((request.text + "\n").utf8)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    guard send(descriptor, bytes, bytes.count, flags) == bytes.count else {
      throw ControlError("\(path): the daemon does not take requests; is it stopping?")
    }
    let line = try receiveLine(descriptor, path, until: end)
    let answer: JSONValue
    do {
      answer = try JSONValue(parsing: line)
    } catch {
      throw ControlError("\(path): the answer is \(error); is it another program's socket?")
    }
    if let why = answer["error"]?.string {
      throw ControlError("the daemon refused: \(TerminalText.line(why))")
    }
    return answer
  }

  /// Far more than any answer of the daemon.
  private static let maxAnswerSize = 1 << 18

  private static func receiveLine(
    _ descriptor: Int32, _ path: String, until end: BootInstant
  ) throws(ControlError) -> [UInt8] {
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 8192)
    while line.last != UInt8(ascii: "\n") {
      guard line.count <= maxAnswerSize else {
        throw ControlError(
          "\(path): the answer has more than \(maxAnswerSize) bytes; is it another program's "
            + "socket?")
      }
      guard BootClock.now < end, BootClock.wait(for: descriptor, until: end) else {
        let what =
          line.isEmpty ? "no answer" : "only \(Counted.text(line.count, "byte")) of an answer"
        throw ControlError("\(path): \(what) in time; see the daemon's journal")
      }
      let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { throw ControlError("\(path): the daemon closed the connection") }
      line += chunk[..<count]
    }
    return Array(line.dropLast())
  }

  private static func explain(_ failure: SystemError, _ path: String) -> ControlError {
    switch failure.code {
    case ENOENT, ECONNREFUSED:
      ControlError("\(path): no daemon answers there; start it (systemctl start godwit)")
    case EAGAIN: ControlError("\(path): the daemon takes no connection; see the daemon's journal")
    case EACCES:
      ControlError(
        "\(path): permission denied; "
          + (FileAccess.denial(of: .writing, to: path) ?? "use sudo"))
    default: ControlError("\(path): \(failure.text)")
    }
  }
}
