import Glibc
import Platform
import Ports

/// Errors of a GNSS device of the kernel, with what to do about each.
enum GnssDeviceErrorText {
  /// Checked before opening, because opening a wrong device has side effects: only a character
  /// device of the kernel's class gnss, and only with a protocol that can be decoded.
  static func check(_ settings: GnssDeviceSettings) throws(PortError) {
    let path = settings.path
    guard let status = FileStatus(path: path) else { throw opening(path, .last) }
    guard status.kind == .characterDevice else { throw noGnssDevice(path, "no device at all") }
    let folder = "\(settings.sysfs)/dev/char/\(status.device)"
    let subsystem = SystemFiles.resolved("\(folder)/subsystem")
    let kind = subsystem?.split(separator: "/").last ?? "unknown"
    if kind == "tty" {
      throw .refused(
        "\(path) is a serial line; set receiver.kind to serial, or receiver.device to the "
          + "kernel's GNSS device, such as /dev/gnss0")
    }
    guard kind == "gnss" else { throw noGnssDevice(path, "of class \(kind)") }
    // NMEA, SiRF, UBX or MTK, from the driver (sysfs-class-gnss).
    if let type = SystemFiles.firstLine(of: "\(folder)/type"), type == "SiRF" {
      throw .refused(
        "\(path) sends \(type), which is not supported (NMEA, UBX and MTK are); use gpsd for "
          + "the receiver and set receiver.kind to gpsd")
    }
    if let holder = DeviceUser.find(path) { throw busy(path, holder) }
  }

  static func opening(_ path: String, _ error: SystemError) -> PortError {
    switch error.code {
    case ENOENT, ENXIO, ENODEV:
      .missing(
        "\(path) does not exist (\(error.text)); check that the device tree describes the receiver "
          + "and that its driver is loaded (gnss-ubx, gnss-mtk). See ls /sys/class/gnss, and set "
          + "receiver.device to a device of it")
    case EACCES, EPERM:
      .refused(
        "\(path) may not be opened: \(error.text). "
          + DeviceAccess.advice(
            for: path, udevRule: "SUBSYSTEM==\"gnss\", GROUP=\"godwit\", MODE=\"0660\""))
    case EBUSY: busy(path)
    default:
      .missing(
        "\(path) could not be opened (\(error.text)): the receiver's driver could not "
          + "switch it on, or the system lacks a resource; see dmesg")
    }
  }

  static func busy(_ path: String, _ holder: String? = nil) -> PortError {
    .busy(
      "\(path) is in use by \(holder ?? "another program"), which receives a part of the bytes and "
        + "keeps the receiver's power on; stop it")
  }

  static func gone(_ path: String, _ error: SystemError) -> PortError {
    .lost("\(path) has disappeared (\(error.text)): its driver was removed or reset; see dmesg")
  }

  /// The kernel returns EIO both for a driver that cannot write and for a device that was removed;
  /// the next read shows the latter.
  static func notWritten(_ path: String, _ error: SystemError) -> PortError {
    .refused("\(path) accepts no commands (\(error.text)); its driver may be read-only")
  }

  private static func noGnssDevice(_ path: String, _ what: String) -> PortError {
    .refused(
      "\(path) is not a GNSS device of the kernel but \(what); set receiver.device to one, such as "
        + "/dev/gnss0")
  }
}
