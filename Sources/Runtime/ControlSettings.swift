import Core

/// How other processes connect to the daemon.
public struct ControlSettings: Hashable, SettingGroup {
  public var socket = "/run/godwit/control.sock"
  public var group = "godwit"

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "control",
      "Access of godwit status, godwit gnss and other commands to the daemon.")
    setting(
      "socket", &socket, .text(bytes: 1...107),
      "Path of the socket (unix(7) allows 107 bytes).")
    setting("group", &group, .text(bytes: 1...32), "Group whose members may use the socket.")
  }
}
