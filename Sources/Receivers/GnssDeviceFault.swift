import Glibc
import Ports

/// What is wrong with a GNSS device, for the person who set up the board.
enum GnssDeviceFault {
  /// Before opening, because opening some other device by mistake has effects: only a character
  /// device of the kernel's class gnss, and only with a protocol that can be decoded.
  static func check(_ settings: GnssDeviceSettings) throws(ReceiverError) {
    let path = settings.path
    var status = stat()
    guard stat(path, &status) == 0 else { throw opening(path, errno) }
    guard status.st_mode & S_IFMT == S_IFCHR else { throw noGnssDevice(path, "no device at all") }
    let number = "\(major(status.st_rdev)):\(minor(status.st_rdev))"
    let folder = "\(settings.sysfs)/dev/char/\(number)"
    let found = realpath("\(folder)/subsystem", nil)
    defer { free(found) }
    let kind = found.flatMap { String(cString: $0).split(separator: "/").last } ?? "unknown"
    if kind == "tty" {
      throw .refused(
        "\(path) is a serial line; set receiver.kind to serial, or receiver.device to the "
          + "kernel's GNSS device, such as /dev/gnss0")
    }
    guard kind == "gnss" else { throw noGnssDevice(path, "of class \(kind)") }
    // An attribute of every device of the class; a kernel that does not tell does no harm.
    if let type = type(folder), type == "SiRF" {
      throw .refused(
        "\(path) speaks \(type), which is not understood (NMEA, UBX and MTK are); let gpsd serve "
          + "the receiver and set receiver.kind to gpsd")
    }
    if let holder = DeviceHolder.find(path) { throw busy(path, holder) }
  }

  static func opening(_ path: String, _ code: Int32) -> ReceiverError {
    switch code {
    case ENOENT, ENXIO, ENODEV:
      .missing(
        "\(path) is not there (\(systemMessage(code))); does the device tree describe the "
          + "receiver, and is its driver loaded (gnss-ubx, gnss-mtk)? See ls /sys/class/gnss, and "
          + "set receiver.device to a device of it")
    case EACCES, EPERM:
      .refused(
        "\(path) may not be opened: \(systemMessage(code)). Add a udev rule: "
          + "SUBSYSTEM==\"gnss\", GROUP=\"godwit\", MODE=\"0660\"")
    case EBUSY: busy(path)
    default:
      .missing(
        "\(path) could not be opened (\(systemMessage(code))): the receiver's driver could not "
          + "switch it on, or the system is short of something; see dmesg")
    }
  }

  static func busy(_ path: String, _ holder: String? = nil) -> ReceiverError {
    .busy(
      "\(path) is in use by \(holder ?? "another program"), which takes a part of the bytes and "
        + "keeps the receiver's power on; stop it")
  }

  static func gone(_ path: String, _ code: Int32) -> ReceiverError {
    .lost("\(path) went away (\(systemMessage(code))): its driver was removed or reset; see dmesg")
  }

  /// The kernel says EIO both for a driver that cannot write and for a device that was removed; the
  /// latter is met again by reading.
  static func untold(_ path: String, _ code: Int32) -> ReceiverError {
    .refused("\(path) takes no commands (\(systemMessage(code))); its driver may only read")
  }

  private static func noGnssDevice(_ path: String, _ what: String) -> ReceiverError {
    .refused(
      "\(path) is no GNSS device of the kernel but \(what); set receiver.device to one, such as "
        + "/dev/gnss0")
  }

  /// As the driver tells it: NMEA, SiRF, UBX or MTK (sysfs-class-gnss).
  private static func type(_ folder: String) -> String? {
    guard let file = fopen("\(folder)/type", "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 32)
    let length = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer.prefix(length).prefix { $0 > 0x20 && $0 < 0x7f }, as: UTF8.self)
  }

  /// The halves of a device number as glibc packs them (sys/sysmacros.h).
  private static func major(_ device: dev_t) -> UInt64 {
    UInt64(device >> 8 & 0xfff) | UInt64(device >> 32 & ~0xfff)
  }

  private static func minor(_ device: dev_t) -> UInt64 {
    UInt64(device & 0xff) | UInt64(device >> 12 & ~0xff) & 0xffff_ffff
  }
}
