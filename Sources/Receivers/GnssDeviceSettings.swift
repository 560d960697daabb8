/// How to reach a receiver that the kernel's GNSS subsystem serves.
public struct GnssDeviceSettings: Hashable, Sendable {
  /// Such as "/dev/gnss0".
  public var path: String
  /// Where sysfs is mounted.
  var sysfs: String

  public init(path: String) { self.init(path: path, sysfs: "/sys") }

  init(path: String, sysfs: String) {
    self.path = path
    self.sysfs = sysfs
  }
}
