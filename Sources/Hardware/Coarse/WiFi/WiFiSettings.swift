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
  var shortestScanInterval = Seconds(300)
  public var scanEnergy = Joules(0.69)

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "wifi",
      "Access points in range. Their names are not stored, and their addresses only as hashes with "
        + "a salt of this device (coarse.identifiers).")
    setting(
      "kind", &kind, .choice,
      "\"auto\": NetworkManager if it runs, else \"nl80211\". \"network-manager\": its list, and "
        + "scans as it permits. \"nl80211\": the kernel's list, without scans. \"none\": not used.")
    setting(
      "interface", &interface, .optional(.text(bytes: 0...15), noneAt: ""),
      "Name of the interface, such as \"wlan0\". Empty: the first interface.")
    setting(
      "scan_interval_s", &shortestScanInterval, .quantity(30...86_400),
      "Minimum interval of requested scans. Results of other programs' scans cost nothing and are "
        + "always used.")
    setting(
      "scan_J", &scanEnergy, .quantity(0...100),
      "Energy of a scan, for the energy accounts. The default is from the data sheet in "
        + "docs/design/simulation-model.md.")
  }
}
