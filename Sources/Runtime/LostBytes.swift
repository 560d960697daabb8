import Ports
import Core
import Records

/// Reports received bytes that were lost before they were read: at the first loss, and then at most
/// hourly.
struct LostBytes {
  static let pause = Seconds(3600)

  private var reportedLosses = 0
  private var reportedAt: BootInstant?

  mutating func takeWarning(of errors: LineErrors?, on name: String, at now: BootInstant)
    -> LogEvent?
  {
    guard let errors, errors.losses > reportedLosses else { return nil }
    if let reportedAt, now - reportedAt < Self.pause { return nil }
    reportedLosses = errors.losses
    reportedAt = now
    return LogEvent(
      "receiver-bytes-lost",
      "\(name): bytes were lost before they were read (\(errors.overruns) overruns of the UART, "
        + "\(errors.bufferOverruns) of the kernel's buffer); reduce the receiver's output, lower "
        + "its speed, or check what keeps the machine busy", level: .warning)
  }
}
