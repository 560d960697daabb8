import Ports
import Core
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// The client side of the control socket, for `godwit status` and `godwit gnss`.
public enum ControlClient {
  static let timeout = Seconds(5)

  /// Whether a daemon listens there, including one that denies this user access.
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

  /// Sends one request and returns its answer, within five seconds in total.
  public static func query(_ request: JSONValue, path: String) throws(PortError) -> JSONValue {
    try query(request, path: path, within: timeout)
  }

  static func query(
    _ request: JSONValue, path: String, within timeout: Seconds
  ) throws(PortError) -> JSONValue {
    let end = BootClock.now + timeout
    let descriptor = try send(request, to: path, within: timeout)
    defer { close(descriptor) }
    var lines = ControlLineReader(descriptor, path)
    return try parse(try lines.next(until: end), path)
  }

  /// Calls `body` with the answer and with each event after it, until the daemon ends. Only the
  /// first line has a timeout.
  public static func follow(path: String, _ body: (JSONValue) throws -> Void) throws {
    let descriptor = try send(ControlRequest.watch.json, to: path, within: timeout)
    defer { close(descriptor) }
    var lines = ControlLineReader(descriptor, path)
    try body(try parse(try lines.next(until: BootClock.now + timeout), path))
    while let line = try lines.next() {
      let news = try parse(line, path)
      try body(news)
      if news["event"] == StatusReport.farewell["event"] { return }
    }
    throw PortError(
      "\(path): the daemon closed the connection: it was killed, or needed the connection for "
        + "others; run the command again")
  }

  /// - Returns: the connection on which the answer arrives.
  static func send(
    _ request: JSONValue, to path: String, within timeout: Seconds
  ) throws(PortError) -> Int32 {
    // Connecting blocks while the daemon's queue is full.
    let descriptor = try UnixSocket.new(timeout: timeout)
    do throws(PortError) {
      if let failure = try UnixSocket.connect(descriptor, to: path) { throw explain(failure, path) }
      let bytes = Array((request.text + "\n").utf8)
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      guard Glibc.send(descriptor, bytes, bytes.count, flags) == bytes.count else {
        throw PortError("\(path): the daemon does not accept requests; is it stopping?")
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  static func parse(_ line: [UInt8], _ path: String) throws(PortError) -> JSONValue {
    let answer: JSONValue
    do {
      answer = try JSONValue(parsing: line)
    } catch {
      throw PortError("\(path): the answer is \(error); is it another program's socket?")
    }
    if let why = answer["error"]?.string {
      throw PortError("the daemon refused: \(TerminalText.line(why))")
    }
    return answer
  }

  private static func explain(_ failure: SystemError, _ path: String) -> PortError {
    switch failure.code {
    case ECONNREFUSED where FileStatus(path: path).map { $0.kind != .socket } ?? false:
      PortError(
        "\(path) is not a socket: move it away, or set control.socket to the daemon's")
    case ENOENT, ECONNREFUSED:
      PortError("\(path): no daemon answers there; start it (systemctl start godwit)")
    case EAGAIN: PortError("\(path): the daemon accepts no connection; see the daemon's journal")
    case EACCES:
      PortError(
        "\(path): permission denied; "
          + (FileAccess.denial(of: .writing, to: path) ?? "use sudo"))
    default: PortError("\(path): \(failure.text)")
    }
  }
}
