import Platform
import Records

#if canImport(Glibc)
  import Glibc
#endif

/// systemd's journal through its native protocol, so that messages have fields
/// (systemd.io/JOURNAL_NATIVE_PROTOCOL). Sending never blocks.
struct JournalSocket {
  /// Only where standard error goes to the journal already: a redirected standard error is
  /// respected (JOURNAL_STREAM in systemd.exec(5)).
  static func beside(
    _ descriptor: Int32, stream: String?, path: String = "/run/systemd/journal/socket"
  ) -> JournalSocket? {
    guard let stream, let file = FileIdentity(descriptor: descriptor),
      stream == "\(file.device):\(file.inode)"
    else { return nil }
    return JournalSocket(path: path)
  }

  private let descriptor: Int32
  private let address: UnixAddress

  private init?(path: String) {
    guard let address = UnixAddress(path: path) else { return nil }
    self.address = address
    descriptor = UnixAddress.datagramSocket()
    guard descriptor >= 0 else { return nil }
  }

  /// - Returns: why it was not accepted; nil if it was.
  func send(_ message: String, _ logEvent: LogEvent) -> SystemError? {
    address.send(Self.datagram(message, logEvent), from: descriptor)
  }

  /// Priorities of syslog(3).
  static func priority(of level: LogEvent.Level) -> Int {
    switch level {
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }

  /// One line for each field; a value with a line end is preceded by its length.
  static func datagram(_ message: String, _ logEvent: LogEvent) -> [UInt8] {
    let fields = [
      ("MESSAGE", message), ("PRIORITY", "\(priority(of: logEvent.level))"),
      ("SYSLOG_IDENTIFIER", "godwit"), ("GODWIT_KIND", logEvent.kind),
      ("GODWIT_REASON", logEvent.reason),
    ]
    return fields.flatMap { name, value in
      let bytes = Array(value.utf8)
      guard bytes.contains(UInt8(ascii: "\n")) else {
        return Array(name.utf8) + [UInt8(ascii: "=")] + bytes + [UInt8(ascii: "\n")]
      }
      let length = UInt64(bytes.count)
      return Array(name.utf8) + [UInt8(ascii: "\n")]
        + (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + bytes
        + [UInt8(ascii: "\n")]
    }
  }
}
