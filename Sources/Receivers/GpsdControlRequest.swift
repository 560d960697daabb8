import Glibc

/// One request to gpsd over its control socket (gpsd(8)).
///
/// Each has a connection of its own, whose sending side is shut at once: gpsd takes what one read
/// gives it for one command, and then reads on until the end of the connection, with nobody else
/// served (gpsd.c). A client that lingers would hold up every user of gpsd.
final class GpsdControlRequest {
  enum Outcome: Equatable {
    /// gpsd did it.
    case done
    /// gpsd did not, or said something that is no answer of gpsd.
    case refused
    /// No answer in time. gpsd may still obey.
    case silent
    /// The error number of the attempt.
    case unreachable(Int32)
  }

  /// gpsd answers within a turn of its loop, some milliseconds, unless it is just opening a device:
  /// 1.9 s with 3.22, 2.6 s with 3.25. This is the longest that the event loop stands still for an
  /// answer, once in a power cycle.
  static let patience: Int32 = 1000  // ms

  /// Readable when there is an answer.
  let descriptor: Int32
  /// Why it could not be asked.
  private let failure: Int32

  init(_ command: String, socket path: String) {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    descriptor = socket(AF_UNIX, Int32(kind), 0)
    failure = descriptor < 0 ? errno : Self.send(command, over: descriptor, to: path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The longest that several requests in a row hold up the event loop: orbits that are given back
  /// to a receiver take some forty. Well below the watchdog's time.
  static let patienceWithMany = 10_000  // ms

  /// Asks and waits for the answer, `patience` at most.
  ///
  /// - Parameter end: when the caller has no more time, on the clock of `now`.
  static func ask(_ command: String, socket path: String, before end: Int = .max) -> Outcome {
    let deadline = min(now + Int(patience), end)
    if deadline <= now { return .silent }
    let request = GpsdControlRequest(command, socket: path)
    while true {
      if let outcome = request.outcome { return outcome }
      let left = deadline - now
      if left <= 0 { return .silent }
      var entry = pollfd(fd: request.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, Int32(left))
    }
  }

  /// Nil while there is none.
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
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // EAGAIN: nobody accepts, and the queue is full.
    guard connected == 0 else { return errno }
    let bytes = Array(command.utf8)
    let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    guard sent == bytes.count else { return sent < 0 ? errno : EMSGSIZE }
    return shutdown(descriptor, Int32(SHUT_WR)) == 0 ? 0 : errno
  }

  /// Milliseconds of a clock that is never set.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
