import Glibc

/// The permissions of a device, and how this user gets access.
public enum DeviceAccess {
  /// The advice after the kernel has denied this user the device.
  ///
  /// - Parameter rule: the udev rule that gives the device to a group, for a device without one:
  ///   "GROUP=\"dialout\", MODE=\"0660\"".
  public static func advice(for path: String, udevRule rule: String) -> String {
    let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    let name = user ?? "user \(geteuid())"
    let status = FileStatus(path: path)
    if status == nil, SystemError.last.code == EACCES {
      return "Grant \(name) access to the device's directory"
    }
    return advice(name, group: status.flatMap { $0.group(with: FileAccess.Use.writing.bits) }, rule)
  }

  static func advice(_ user: String, group: String?, _ rule: String) -> String {
    guard let group else {
      return "Assign it to a group with a udev rule (\(rule)) and add \(user) to that group"
    }
    return "Add \(user) to its group and start again: usermod -aG \(group) \(user)"
  }
}
