import Glibc
import Platform

/// Finds the program that has a device open, like fuser(1): by the links in /proc/PID/fd. Only root
/// sees the processes of other users.
public enum DeviceUser {
  /// Such as "gpsd (process 812)"; nil if none is visible.
  public static func find(_ path: String) -> String? {
    guard let device = SystemFiles.resolved(path) else { return nil }
    let own = getpid()
    var anonymous: String?
    for name in SystemFiles.names(in: "/proc") {
      guard let process = Int32(name), holds(process, device) else { continue }
      if process == own {
        anonymous = "this program itself"
        continue
      }
      return "\(command(process)) (process \(process))"
    }
    return anonymous
  }

  private static func holds(_ process: Int32, _ device: String) -> Bool {
    let folder = "/proc/\(process)/fd"
    return SystemFiles.names(in: folder).contains {
      SystemFiles.target(ofLink: "\(folder)/\($0)") == device
    }
  }

  private static func command(_ process: Int32) -> String {
    SystemFiles.firstLine(of: "/proc/\(process)/comm") ?? "a program"
  }
}
