import Glibc
import Platform
import Core

/// One request to gpsd over its control socket (gpsd(8)).
///
/// Each has its own connection, whose sending side is shut down at once: gpsd handles the bytes of
/// one read as one command, then reads on until the end of the connection and serves no other
/// client meanwhile (gpsd.c). A connection that stays open would block every user of gpsd.
final class GpsdControlRequest {
  enum Outcome: Equatable {
    /// gpsd executed it.
    case done
    /// gpsd refused, or the answer is not gpsd's.
    case refused
    /// No answer in time. gpsd may still execute it.
    case timedOut
    /// The error number of the attempt.
    case unreachable(Int32)
  }

  /// gpsd answers within one pass of its loop, some milliseconds, unless it is just opening a
  /// device: 1.9 s with 3.22, 2.6 s with 3.25. This is the longest that an answer may block the
  /// event loop, once in a power cycle.
  static let timeout = Seconds(1)

  /// Readable when there is an answer.
  let descriptor: Int32
  /// Why the request could not be sent.
  private let failure: Int32

  init(_ command: String, socket path: String) {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    descriptor = socket(AF_UNIX, Int32(kind), 0)
    failure = descriptor < 0 ? errno : Self.send(command, over: descriptor, to: path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The longest that several requests in a row block the event loop: restoring a navigation
  /// database takes some forty. Well below the watchdog's time.
  static let timeoutOfMany = Seconds(10)

  /// Sends a request and waits for the answer, `timeout` at most.
  ///
  /// - Parameter end: when the caller has no more time; nil: no such limit.
  static func ask(
    _ command: String, socket path: String, before end: BootInstant? = nil
  ) -> Outcome {
    let own = BootClock.now + timeout
    let deadline = end.map { min($0, own) } ?? own
    if deadline <= BootClock.now { return .timedOut }
    let request = GpsdControlRequest(command, socket: path)
    repeat {
      if let outcome = request.outcome { return outcome }
    } while BootClock.now < deadline && BootClock.wait(for: request.descriptor, until: deadline)
    return .timedOut
  }

  /// Nil while there is no answer.
  var outcome: Outcome? {
    if failure != 0 { return .unreachable(failure) }
    var answer = [UInt8](repeating: 0, count: 64)
    let got = recv(descriptor, &answer, answer.count, 0)
    if got < 0 { return errno == EAGAIN || errno == EINTR ? nil : .unreachable(errno) }
    // gpsd ended before it answered.
    if got == 0 { return .unreachable(ECONNRESET) }
    return Self.agrees(answer.prefix(got)) ? .done : .refused
  }

  /// gpsd up to 3.22 answers OK or ERROR, 3.25 in JSON (gpsd.c, handle_control).
  static func agrees(_ answer: some Sequence<UInt8>) -> Bool {
    let answer = Array(answer)
    return ["OK", #"{"class":"ACK""#].contains { answer.starts(with: Array($0.utf8)) }
  }

  /// - Returns: an error number, or 0.
  private static func send(_ command: String, over descriptor: Int32, to path: String) -> Int32 {
    guard let address = UnixAddress(path: path) else { return ENAMETOOLONG }
    // EAGAIN: gpsd accepts no connections, and the queue is full.
    if let failure = address.connect(descriptor) { return failure.code }
    let bytes = Array(command.utf8)
    let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    guard sent == bytes.count else { return sent < 0 ? errno : EMSGSIZE }
    return shutdown(descriptor, Int32(SHUT_WR)) == 0 ? 0 : errno
  }
}
