import Platform
import Records

#if canImport(Glibc)
  import Glibc
#endif

/// The output of the daemon's messages: a descriptor such as standard error that was inherited and
/// is read by another program. Writing to it never blocks. A line that is not accepted is dropped
/// and counted, and the next accepted line is preceded by the number of missing ones.
///
/// O_NONBLOCK belongs to the open file description, which the shell and its other programs share:
/// setting it on standard error would change it for them (fcntl(2)). Instead, in this order,
/// * a socket (systemd's journal) is written with MSG_DONTWAIT in each call;
/// * a pipe or a terminal is opened again through /proc/self/fd, which makes a separate
///   description;
/// * a file that cannot be reopened (another user's terminal) is checked with poll(2) first and
///   receives at most PIPE_BUF bytes, for which a ready pipe has room (pipe(7)). If another program
///   fills it between the two calls, the write blocks until the reader catches up; this case
///   remains.
///
/// A write to a file on a disk that hangs blocks any program; the kernel offers no way around it.
public final class LogOutput {
  private enum Output { case socket, own, shared }

  /// Longer messages are cut.
  static let maxMessageSize = 16_384

  private let transport: Output
  private let descriptor: Int32
  /// The journal itself, where standard error goes to it.
  private let journal: JournalSocket?
  /// The unwritten end of a line that was accepted in part.
  private var pendingLine: ArraySlice<UInt8> = []
  private var unreportedDrops = 0
  /// Messages that were not accepted.
  private(set) var dropped = 0

  public convenience init(_ descriptor: Int32) { self.init(descriptor, mayReopen: true) }

  init(_ descriptor: Int32, mayReopen: Bool) {
    let stream = getenv("JOURNAL_STREAM").map { String(cString: $0) }
    journal = JournalSocket.beside(descriptor, stream: stream)
    let kind = FileStatus(descriptor: descriptor)?.kind
    if kind == .socket {
      transport = .socket
      self.descriptor = descriptor
      return
    }
    let opened =
      mayReopen && (kind == .pipe || isatty(descriptor) == 1)
      ? open(
        "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_APPEND | O_CLOEXEC)
      : -1
    transport = opened >= 0 ? .own : .shared
    self.descriptor = opened >= 0 ? opened : descriptor
  }

  deinit { if transport == .own { close(descriptor) } }

  /// One line, `kind: reason`; in systemd's journal with fields.
  public func write(_ logEvent: LogEvent) {
    write("\(logEvent.kind): \(logEvent.reason)", logEvent)
  }

  /// The final message of a daemon that fails.
  public func fail(_ message: String) {
    write("godwit: \(message)", LogEvent("failed", message, level: .error))
  }

  private func write(_ message: String, _ logEvent: LogEvent) {
    guard let journal else { return write(Self.prefix(of: logEvent.level) + message) }
    guard let failure = journal.send(message, logEvent) else { return }
    if [EAGAIN, ENOBUFS, ENOMEM, EMSGSIZE].contains(failure.code) {
      dropped += 1
    } else {
      // The journal restarts; meanwhile systemd buffers its stream.
      write(Self.prefix(of: logEvent.level) + message)
    }
  }

  /// systemd's journal adds a time stamp and takes the priority from the prefix (sd-daemon(3)).
  private static func prefix(of level: LogEvent.Level) -> String {
    getenv("JOURNAL_STREAM") == nil ? "" : "<\(JournalSocket.priority(of: level))>"
  }

  /// A line without a kind.
  func write(_ message: String) {
    guard finish(), reportDropped(), begin(message) else {
      dropped += 1
      unreportedDrops += 1
      return
    }
  }

  private func reportDropped() -> Bool {
    guard unreportedDrops > 0 else { return true }
    guard begin("log: the reader was too slow; missing messages: \(unreportedDrops)") else {
      return false
    }
    unreportedDrops = 0
    return finish()
  }

  /// Returns whether at least the beginning was accepted; then the rest follows before anything
  /// else.
  private func begin(_ message: String) -> Bool {
    let bytes = message.utf8.prefix(Self.maxMessageSize) + [UInt8(ascii: "\n")]
    pendingLine = Array(bytes)[...]
    if finish() || pendingLine.count < bytes.count { return true }
    pendingLine = []
    return false
  }

  /// Returns whether the pending line is complete.
  private func finish() -> Bool {
    while !pendingLine.isEmpty {
      let count = put(pendingLine.prefix(Int(PIPE_BUF)))
      guard count > 0 else { return false }
      pendingLine = pendingLine.dropFirst(count)
    }
    pendingLine = []
    return true
  }

  private func put(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { buffer in
      switch transport {
      case .socket:
        return send(
          descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      case .own: return Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      case .shared:
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLOUT) != 0 else { return 0 }
        return Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
    }
  }
}
