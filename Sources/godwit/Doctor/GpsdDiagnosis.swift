import Glibc
import GodwitSettings
import Platform

/// Checks that gpsd can be made to release a receiver that is about to be switched off. It only
/// examines the control socket: connecting would block gpsd, and start it where systemd listens.
struct GpsdDiagnosis {
  private static let part = "gpsd.control"

  /// Nil if gpsd does not serve the receiver, or nothing switches it.
  static func finding(_ settings: Settings) -> Finding? {
    let receiver = settings.receiver
    guard receiver.kind == .gpsd, [.gpio, .command].contains(settings.powerSwitch.kind) else {
      return nil
    }
    guard let path = receiver.gpsd.control else {
      return .warn(
        part,
        "receiver.gpsd_control is empty: gpsd \(consequence); set it to gpsd's control socket")
    }
    guard let status = FileStatus(path: path) else {
      return .warn(
        part,
        "\(path): \(SystemError.last.text), so gpsd \(consequence); start gpsd "
          + "(systemctl start gpsd.socket), or correct receiver.gpsd_control")
    }
    guard status.kind == .socket else {
      return .fail(part, "\(path) is not a socket; correct receiver.gpsd_control")
    }
    guard isOpen(path, status.kernel, to: settings.control.group) else {
      return .warn(
        part,
        "\(path) is not open to the group \(settings.control.group), so gpsd \(consequence); "
          + "write [Socket], SocketGroup=\(settings.control.group) and SocketMode=0660 into "
          + "/etc/systemd/system/gpsd.socket.d/godwit.conf and restart gpsd.socket")
    }
    return .ok(part, "\(path) exists: gpsd releases the receiver before it is switched off")
  }

  private static let consequence =
    "keeps the receiver open while it is off or asleep, and probes the silent line"

  /// Whether the socket is open to the daemon, which runs as a member of the group, or to this
  /// user. Access as root is no evidence, because the daemon is not root.
  private static func isOpen(_ path: String, _ status: stat, to group: String) -> Bool {
    if status.st_mode & S_IWOTH != 0 { return true }
    if geteuid() != 0, access(path, W_OK) == 0 { return true }
    guard let entry = getgrnam(group) else { return false }
    return status.st_mode & S_IWGRP != 0 && status.st_gid == entry.pointee.gr_gid
  }
}
