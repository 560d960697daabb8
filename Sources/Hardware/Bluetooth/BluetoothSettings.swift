import Core

/// Which radio receives Bluetooth beacons.
public struct BluetoothSettings: Hashable, SettingGroup {
  public enum Kind: String, Sendable, CaseIterable { case none, bluez }

  public enum Method: String, Sendable, CaseIterable {
    case automatic = "auto"
    case monitors, discovery
  }

  public var kind = Kind.none
  /// Nil: the first one found.
  public var adapter: String?
  public var method = Method.automatic
  public var listeningPower = Watts(0.06)

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "bluetooth",
      "The radio that hears beacons (see [beacons]): asked for by BlueZ's service on the system "
        + "bus.")
    setting(
      "kind", &kind, .choice,
      "\"bluez\": the service bluetoothd. \"none\": nothing is listened for, and no service asked.")
    setting(
      "adapter", &adapter, .optional(.text(bytes: 0...15), noneAt: ""),
      "Such as \"hci0\". An empty text means the first that there is.")
    setting(
      "method", &method, .choice,
      "\"auto\": advertisement monitors where the service offers them, which wake this board only "
        + "when a beacon comes or goes; else discovery, which wakes it for everything that is "
        + "heard. \"monitors\", \"discovery\": that one alone. \"godwit doctor\" tells which it is "
        + "here, and how monitors are switched on.")
    setting(
      "listening_mW", &listeningPower, .quantity(0...5000),
      "What the radio's receiver draws while it is on, for the books. The default is of the order "
        + "of data sheets; measure it with \"godwit power test\".")
  }
}
