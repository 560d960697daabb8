import Glibc
import Platform
import Runtime
import Store

/// Checks that the daemon can be reached through its socket.
enum ControlDiagnosis {
  static func finding(_ settings: ControlSettings) -> Finding {
    let part = "control"
    let path = settings.socket
    if let status = FileStatus(path: path) {
      guard status.kind == .socket else {
        return .fail(part, "\(path) is not a socket; remove it or set control.socket")
      }
      if let denial = FileAccess.denial(of: .writing, to: path) { return .warn(part, denial) }
      guard ControlClient.isDaemonThere(path: path) else {
        return .warn(
          part,
          "\(path) was left by a daemon that crashed; start it again (systemctl start godwit)")
      }
      return .ok(part, "\(path) exists; godwit status queries the daemon")
    }
    if SystemError.last.code == EACCES, let denial = FileAccess.denial(of: .writing, to: path) {
      return .warn(part, denial)
    }
    if getgrnam(settings.group) == nil {
      return .fail(
        part,
        "the group \(settings.group) of the socket does not exist; create it "
          + "(addgroup --system \(settings.group)) or set control.group")
    }
    let folder = PathParts(path).folder
    guard access(folder, F_OK) == 0 else {
      return .warn(
        part,
        "\(folder) does not exist; systemd creates /run/godwit when it starts the daemon; create "
          + "any other folder for control.socket yourself")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      return .warn(part, "this user cannot create \(path); the daemon's user must be able to")
    }
    return .ok(part, "\(path) can be created; the daemon is not running")
  }
}
