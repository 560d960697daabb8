import Notation
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The other end of the control socket, for `godwit status` and `godwit gnss`.
public enum ControlClient {
  static let patience = Seconds(5)

  /// Whether a daemon listens there, also one that does not let this user in.
  public static func isDaemonThere(path: String) -> Bool {
    guard let descriptor = try? UnixSocket.new() else { return false }
    defer { close(descriptor) }
    guard let failure = try? UnixSocket.connect(descriptor, to: path) else { return false }
    return ![ENOENT, ENOTDIR, ECONNREFUSED].contains(failure)
  }

  /// Sends one request and returns its answer. Waits five seconds at most.
  public static func ask(_ request: JSONValue, path: String) throws(ControlError) -> JSONValue {
    let descriptor = try UnixSocket.new(patience: patience)
    defer { close(descriptor) }
    let failure = try UnixSocket.connect(descriptor, to: path)
    guard failure == 0 else { throw explain(failure, path) }
    let bytes = Array((request.text + "\n").utf8)
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw ControlError("\(path): the daemon does not take requests; is it stopping?")
    }
    let line = try receiveLine(descriptor, path)
    let answer: JSONValue
    do {
      answer = try JSONValue(parsing: line)
    } catch {
      throw ControlError("\(path): the answer is \(error); is it another program's socket?")
    }
    if let why = answer["error"]?.string { throw ControlError("the daemon refused: \(why)") }
    return answer
  }

  private static func receiveLine(
    _ descriptor: Int32, _ path: String
  ) throws(ControlError) -> [UInt8] {
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 8192)
    while line.last != UInt8(ascii: "\n"), line.count < 1 << 20 {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0, errno == EAGAIN {
        throw ControlError("\(path): no answer within 5 s; see the daemon's journal")
      }
      guard count > 0 else { throw ControlError("\(path): the daemon closed the connection") }
      line += chunk[..<count]
    }
    return Array(line.dropLast())
  }

  private static func explain(_ failure: Int32, _ path: String) -> ControlError {
    switch failure {
    case ENOENT, ECONNREFUSED:
      ControlError("\(path): no daemon answers there; start it (systemctl start godwit)")
    case EACCES:
      ControlError("\(path): permission denied; join the socket's group or use sudo")
    default: ControlError("\(path): \(String(cString: strerror(failure)))")
    }
  }
}
