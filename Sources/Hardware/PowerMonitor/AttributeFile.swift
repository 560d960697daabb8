import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A sysfs file, kept open: every read queries the driver again.
final class AttributeFile {
  let path: String
  private let descriptor: Int32

  /// Longer than any number that a driver writes.
  private static let maxLength = 64

  init(_ path: String) throws(AttributeFault) {
    self.path = path
    // Non-blocking, so that a pipe of that name cannot block the caller.
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    // Before everything is initialized: `deinit`, which may run as soon as the object is no longer
    // used, would close -1 and overwrite errno.
    guard opened >= 0 else { throw AttributeFault(path: path, reason: .system(errno)) }
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// Nil if there is no such file.
  static func ifPresent(_ path: String) throws(AttributeFault) -> AttributeFile? {
    do {
      return try AttributeFile(path)
    } catch {
      if error.reason == .system(ENOENT) { return nil }
      throw error
    }
  }

  func text() throws(AttributeFault) -> String {
    var bytes = [UInt8](repeating: 0, count: Self.maxLength)
    var count: Int
    repeat { count = pread(descriptor, &bytes, bytes.count, 0) } while count < 0 && errno == EINTR
    guard count >= 0 else { throw AttributeFault(path: path, reason: .system(errno)) }
    guard count < bytes.count else { throw AttributeFault(path: path, reason: .notANumber) }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return String(text.prefix { $0 != "\n" && $0 != "\0" })
  }

  /// In the unit of the file.
  func number() throws(AttributeFault) -> Double {
    let text = try text()
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    guard isPlain, let number = Double(text), number.magnitude < 1e15 else {
      throw AttributeFault(path: path, reason: .notANumber)
    }
    return number
  }

  static func number(at path: String) throws(AttributeFault) -> Double? {
    try ifPresent(path)?.number()
  }

  /// Writes the text in one call, as drivers expect.
  static func write(_ text: String, to path: String) throws(AttributeFault) {
    do throws(SystemError) {
      try SystemFiles.write(text, to: path)
    } catch {
      throw AttributeFault(path: path, reason: .system(error.code))
    }
  }
}

/// Why a file of the kernel gave no value.
struct AttributeFault: Error, Equatable {
  enum Reason: Equatable {
    /// With the C library's error number.
    case system(Int32)
    case notANumber
    /// The label that was requested, and those that exist.
    case noLabel(String, [String])
    /// A power supply that does not measure its current.
    case noCurrent
  }

  let path: String
  let reason: Reason

  var message: String {
    switch reason {
    case .system(let code): return "\(path): \(SystemError(code: code).text)"
    case .notANumber: return "\(path) does not contain a number"
    case .noCurrent:
      return "\(path) has neither current_now nor power_now with voltage_now; set "
        + "power_monitor.device to a supply that measures its current"
    case .noLabel(let label, let labels):
      let list = labels.filter { !$0.isEmpty }.joined(separator: ", ")
      return "\(path) has no channel with the label \"\(label)\" (power_monitor.label); labels: "
        + (list.isEmpty ? "none, use power_monitor.channel" : list)
    }
  }

  /// The device behind the file is gone: its driver was unbound, or its bus removed.
  var isGone: Bool {
    [.system(ENOENT), .system(ENODEV), .system(ENXIO), .system(EBADF)].contains(reason)
  }

  /// What to do about it.
  var advice: String {
    switch reason {
    // What I2C controllers return when no chip acknowledges: drivers/i2c/busses.
    case .system(EREMOTEIO), .system(EIO), .system(ENXIO), .system(ETIMEDOUT), .system(EAGAIN):
      "; the chip does not answer on the bus: check its supply, which must not be the switched "
        + "one, and its wiring (i2cdetect -y BUS shows which chips answer)"
    case .system(EACCES), .system(EPERM):
      "; let the service's group read it (udev rules) or run as root"
    case .system(ENODATA): "; the channel is switched off (write 1 to its in*_enable)"
    default: ""
    }
  }
}
