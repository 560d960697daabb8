#if canImport(Glibc)
  import Glibc
#endif

/// What is wrong with a file of the kernel's that should have held a value.
struct AttributeFault: Error, Equatable {
  enum Reason: Equatable {
    /// With the C library's error number.
    case system(Int32)
    case notANumber
    /// The label that was asked for, and those that are there.
    case noLabel(String, [String])
    /// A power supply that does not measure what flows.
    case noCurrent
  }

  let path: String
  let reason: Reason

  var message: String {
    switch reason {
    case .system(let code): return "\(path): \(SystemClock.message(code))"
    case .notANumber: return "\(path) holds no number"
    case .noCurrent:
      return "\(path) has neither current_now nor power_now with voltage_now; set "
        + "power_monitor.device to a supply that measures its current"
    case .noLabel(let label, let labels):
      let list = labels.filter { !$0.isEmpty }.joined(separator: ", ")
      return "\(path) has no channel with the label \"\(label)\" (power_monitor.label); it has: "
        + (list.isEmpty ? "none, use power_monitor.channel" : list)
    }
  }

  /// The device behind the file is no more: its driver was unbound, or its bus went.
  var isGone: Bool {
    [.system(ENOENT), .system(ENODEV), .system(ENXIO), .system(EBADF)].contains(reason)
  }

  /// What to do about it.
  var advice: String {
    switch reason {
    // What I2C controllers say when nobody acknowledges: drivers/i2c/busses.
    case .system(EREMOTEIO), .system(EIO), .system(ENXIO), .system(ETIMEDOUT), .system(EAGAIN):
      "; the chip does not answer on the bus: check its supply, which must not be the switched "
        + "one, and its wiring (i2cdetect -y BUS shows who answers)"
    case .system(EACCES), .system(EPERM):
      "; let the service's group read it (udev rules) or run as root"
    case .system(ENODATA): "; the channel is switched off (write 1 to its in*_enable)"
    default: ""
    }
  }
}
