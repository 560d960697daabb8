import Core

/// The whole content of the boot file: the daemon's settings, and those of the image.
public struct BootFile<Daemon: SettingGroup>: SettingGroup {
  var daemon = Daemon()
  var image = ImageSettings()

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    daemon.declare(setting)
    image.declare(setting)
  }
}
