import Glibc
import Platform
import Ports

/// Errors of a serial line, with what to do about each.
enum SerialErrorText {
  /// Checked before opening: opening a wrong device node (a watchdog, a tape) has side effects.
  static func checkIsCharacterDevice(_ path: String) throws(PortError) {
    guard let status = FileStatus(path: path) else { throw opening(path, .last) }
    if status.kind != .characterDevice { throw notALine(path) }
  }

  static func opening(_ path: String, _ error: SystemError) -> PortError {
    switch error.code {
    case ENOENT, ENXIO, ENODEV, EIO:
      return .missing(
        "\(path) does not exist (\(error.text))\(danglingTarget(path)); check that the receiver "
          + "is plugged in and the serial port enabled, and check receiver.device")
    case EACCES, EPERM:
      return .refused(
        "\(path) may not be opened: \(error.text). "
          + DeviceAccess.advice(for: path, udevRule: "GROUP=\"dialout\", MODE=\"0660\""))
    case EBUSY:
      return busy(path)
    case EMFILE, ENFILE, ENOMEM, ENOSPC, EINTR:
      return .lost(
        "\(path) could not be opened just now (\(error.text)); close other programs or "
          + "try again")
    default:
      return .refused(
        "\(path) cannot be opened as a serial line: \(error.text); set receiver.device to "
          + "the receiver's device")
    }
  }

  static func busy(_ path: String) -> PortError {
    let who = DeviceUser.find(path).map { "by \($0)" } ?? "by another program"
    return .busy(
      "\(path) is in use \(who); stop it, or for gpsd set receiver.kind to gpsd so that both share "
        + "the receiver")
  }

  static func notALine(_ path: String) -> PortError {
    .refused(
      "\(path) is not a serial line; set receiver.device to one, such as /dev/serial0, "
        + "/dev/ttyUSB0 or a name from /dev/serial/by-id")
  }

  static func gone(_ path: String, _ error: SystemError) -> PortError {
    .lost(
      "\(path) has disappeared (\(error.text)): it was unplugged, or its driver was reset. Plug "
        + "the receiver in again")
  }

  private static func danglingTarget(_ path: String) -> String {
    SystemFiles.target(ofLink: path).map { ", the link's target is \($0)" } ?? ""
  }
}
