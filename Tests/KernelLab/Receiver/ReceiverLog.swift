import Glibc
import Core

/// The receiver's events and their times: lines of `boot_s,event,value`.
final class ReceiverLog {
  private let file: Int32

  init(path: String) throws(LabReceiverError) {
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      throw LabReceiverError(description: "\(path): \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(file) }

  func write(_ event: String, _ value: String, at now: BootInstant) {
    let micros = now.nanoseconds / 1000
    let digits = String(micros % 1_000_000 + 1_000_000).dropFirst()
    let text = Array("\(micros / 1_000_000).\(digits),\(event),\(value)\n".utf8)
    _ = Glibc.write(file, text, text.count)
  }
}
