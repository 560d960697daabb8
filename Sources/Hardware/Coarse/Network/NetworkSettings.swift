import Core

/// The network that the board is joined to, from the kernel.
public struct NetworkSettings: Hashable, SettingGroup {
  public enum Kind: String, Sendable, CaseIterable { case netlink, none }

  public var kind = Kind.netlink
  /// Nil: all of them.
  public var interface: String?

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "network",
      "The network that the board is joined to, as the kernel tells it: which access point, which "
        + "gateway. Nobody is asked and nothing is sent.")
    setting(
      "kind", &kind, .choice,
      "\"netlink\": the kernel's notices. \"none\": it is not looked at.")
    setting(
      "interface", &interface, .optional(.text(bytes: 0...15), noneAt: ""),
      "The one interface that counts, such as \"wlan0\". An empty text means all of them: the one "
        + "with the default route, else a joined Wi-Fi.")
  }
}
