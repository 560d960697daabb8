import MonitorProtocols

#if canImport(Glibc)
  import Glibc
#endif

/// Why a chip cannot be read through its registers.
enum RawFault: Error, Equatable {
  case register(RegisterFault)
  /// A register does not hold what this chip's must.
  case strange(MonitorRegisters.Identity, UInt16)

  static func naming<Value>(
    _ body: () throws(RegisterFault) -> Value
  ) throws(RawFault) -> Value {
    do {
      return try body()
    } catch {
      throw .register(error)
    }
  }

  func message(_ settings: MonitorSettings) -> String {
    switch self {
    case .strange(let identity, let word):
      let wanted = identity.words.map(Self.hexadecimal).joined(separator: " or ")
      let otherwise =
        identity.isSetByOthers
        ? ", or another program has set it up, which ends with its supply" : ""
      return "its register \(BusAddress.text(Int(identity.address))) (\(identity.meaning)) holds "
        + "\(Self.hexadecimal(word)), not \(wanted): another chip answers there\(otherwise); check "
        + "power_monitor.chip and power_monitor.address"
    case .register(let fault):
      return "cannot \(fault.attempt): \(SystemClock.message(fault.code))"
        + Self.advice(fault.code, settings, isOpening: fault.attempt.hasPrefix("open"))
    }
  }

  private static func advice(
    _ code: Int32, _ settings: MonitorSettings, isOpening: Bool
  ) -> String {
    let bus = settings.bus ?? 1
    switch code {
    case EBUSY:
      return "; a kernel driver has this chip: use power_monitor.kind = \"hwmon\" (or \"iio\")"
    case ENOENT where isOpening, ENODEV where isOpening, ENXIO where isOpening:
      return "; there is no bus \(bus) (power_monitor.bus): switch I2C on (raspi-config, or "
        + "dtparam=i2c_arm=on) and load i2c-dev"
    case EREMOTEIO, EIO, ENXIO, ENODEV, ETIMEDOUT, EAGAIN:
      return "; nothing answers at \(BusAddress.text(settings.address ?? 0x40)) "
        + "(power_monitor.address): i2cdetect -y \(bus) shows who does. The monitor's own supply "
        + "must not be the switched one"
    case EACCES, EPERM: return "; the service's user must be in the group i2c"
    case EOPNOTSUPP, EPROTO:
      return "; this bus cannot do the transfer: use power_monitor.kind = \"hwmon\""
    default: return ""
    }
  }

  private static func hexadecimal(_ word: UInt16) -> String {
    let digits = String(word, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
