import Core

/// The network that the board is joined to, from the kernel.
public struct NetworkSettings: Hashable, SettingGroup {
  public enum Kind: String, Sendable, CaseIterable { case netlink, none }

  public var kind = Kind.netlink
  /// Nil: all of them.
  var interface: String?

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "network",
      "Network that the board is joined to, as reported by the kernel: access point and gateway. "
        + "No server is queried and nothing is sent.")
    setting(
      "kind", &kind, .choice,
      "\"netlink\": the kernel's notifications. \"none\": not used.")
    setting(
      "interface", &interface, .optional(.text(bytes: 0...15), noneAt: ""),
      "Only this interface, such as \"wlan0\". Empty: all of them; the interface with the default "
        + "route, else a joined Wi-Fi.")
  }
}
