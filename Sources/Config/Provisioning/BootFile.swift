import Core

/// All that the boot file may contain: what the daemon's settings file may, and the image's own.
public struct BootFile<Daemon: SettingGroup>: SettingGroup {
  public var daemon = Daemon()
  public var image = ImageSettings()

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    daemon.declare(setting)
    image.declare(setting)
  }
}
