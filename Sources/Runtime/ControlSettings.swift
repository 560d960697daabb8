import Core

/// How other processes connect to the daemon.
public struct ControlSettings: Hashable, SettingGroup {
  public var socket = "/run/godwit/control.sock"
  public var group = "godwit"

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "control",
      "How godwit status and godwit gnss reach the daemon.")
    setting(
      "socket", &socket, .text(bytes: 1...107),
      "The socket's path (unix(7) allows 107 bytes).")
    setting("group", &group, .text(bytes: 1...32), "Members of this group may use the socket.")
  }
}
