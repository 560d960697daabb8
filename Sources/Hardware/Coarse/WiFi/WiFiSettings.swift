import Core

/// Which service reports the access points in range.
public struct WiFiSettings: Hashable, SettingGroup {
  public enum Kind: String, Sendable, CaseIterable {
    case automatic = "auto"
    case networkManager = "network-manager"
    case nl80211, none
  }

  public var kind = Kind.automatic
  /// Nil: the first one found.
  public var interface: String?
  public var shortestScanInterval = Seconds(300)
  public var scanEnergy = Joules(0.69)

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "wifi",
      "The access points around. Their names are not kept, and their addresses only as hashes "
        + "with a salt of this device's (coarse.identifiers).")
    setting(
      "kind", &kind, .choice,
      "\"auto\": NetworkManager where it runs, else \"nl80211\". \"network-manager\": its list, "
        + "and scans as it allows them. \"nl80211\": what the kernel has heard; nothing is "
        + "scanned for. \"none\": not looked at.")
    setting(
      "interface", &interface, .optional(.text(bytes: 0...15), noneAt: ""),
      "Such as \"wlan0\". An empty text means the first that there is.")
    setting(
      "scan_interval_s", &shortestScanInterval, .quantity(30...86_400),
      "Scans are asked for at most so often. What others have scanned for costs nothing and is "
        + "always used.")
    setting(
      "scan_J", &scanEnergy, .quantity(0...100),
      "What a scan takes, for the books. The default is that of the data sheet in "
        + "docs/design/simulation-model.md.")
  }
}
