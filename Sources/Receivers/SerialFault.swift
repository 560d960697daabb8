import Glibc
import Ports

/// What the kernel's refusals mean to the person who set up the board.
enum SerialFault {
  /// Before opening: opening some other device node by mistake (a watchdog, a tape) has effects.
  static func checkIsCharacterDevice(_ path: String) throws(ReceiverError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw opening(path, errno) }
    if status.st_mode & S_IFMT != S_IFCHR { throw notALine(path) }
  }

  static func opening(_ path: String, _ code: Int32) -> ReceiverError {
    switch code {
    case ENOENT, ENXIO, ENODEV, EIO:
      return .missing(
        "\(path) is not there (\(systemMessage(code)))\(danglingTarget(path)); is the receiver "
          + "plugged in, is the serial port enabled, and is receiver.device right?")
    case EACCES, EPERM:
      return .refused(
        "\(path) may not be opened: \(systemMessage(code)). \(permissionAdvice(path))")
    case EBUSY:
      return busy(path)
    case EMFILE, ENFILE, ENOMEM, ENOSPC, EINTR:
      return .lost(
        "\(path) could not be opened just now (\(systemMessage(code))); close other programs or "
          + "try again")
    default:
      return .refused(
        "\(path) cannot be opened as a serial line: \(systemMessage(code)); set receiver.device to "
          + "the receiver's device")
    }
  }

  static func busy(_ path: String) -> ReceiverError {
    let who = DeviceHolder.find(path).map { "by \($0)" } ?? "by another program"
    return .busy(
      "\(path) is in use \(who); stop it, or for gpsd set receiver.kind to gpsd so that both share "
        + "the receiver")
  }

  static func notALine(_ path: String) -> ReceiverError {
    .refused(
      "\(path) is not a serial line; set receiver.device to one, such as /dev/serial0, "
        + "/dev/ttyUSB0 or a name from /dev/serial/by-id")
  }

  static func gone(_ path: String, _ code: Int32) -> ReceiverError {
    .lost(
      "\(path) went away (\(systemMessage(code))): it was unplugged, or its driver was reset. Plug "
        + "the receiver in again")
  }

  private static func danglingTarget(_ path: String) -> String {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(path, &target, target.count)
    guard length > 0 else { return "" }
    return ", the link's target is " + text(target.prefix(length))
  }

  private static func permissionAdvice(_ path: String) -> String {
    let user = userName(geteuid())
    var status = stat()
    guard stat(path, &status) == 0 else {
      return "Let \(user) enter the device's directory"
    }
    let readableByGroup = status.st_mode & (S_IRGRP | S_IWGRP) == (S_IRGRP | S_IWGRP)
    guard readableByGroup, let group = groupName(status.st_gid) else {
      return "Add a udev rule that gives it GROUP=\"dialout\" and MODE=\"0660\""
    }
    return "Add \(user) to its group and start again: usermod -aG \(group) \(user)"
  }

  private static func groupName(_ id: gid_t) -> String? {
    getgrgid(id).map { String(cString: $0.pointee.gr_name) }
  }

  private static func userName(_ id: uid_t) -> String {
    getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "user \(id)"
  }

  private static func text(_ characters: ArraySlice<CChar>) -> String {
    String(decoding: characters.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
