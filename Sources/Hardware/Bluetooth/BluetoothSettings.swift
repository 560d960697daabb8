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
  var adapter: String?
  public var method = Method.automatic
  public var listeningPower = Watts(0.06)

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "bluetooth",
      "Radio for beacons (see [beacons]), through the service of BlueZ on the system bus.")
    setting(
      "kind", &kind, .choice,
      "\"bluez\": the service bluetoothd. \"none\": no reception, and no request to the service.")
    setting(
      "adapter", &adapter, .optional(.text(bytes: 0...15), noneAt: ""),
      "Name of the adapter, such as \"hci0\". Empty: the first adapter.")
    setting(
      "method", &method, .choice,
      "Method of reception. \"auto\": advertisement monitors if the service offers them, which "
        + "wake this board only when a beacon appears or disappears; otherwise discovery, which "
        + "wakes it for every received packet. \"monitors\", \"discovery\": only this method. "
        + "\"godwit doctor\" shows the method in use, and how to enable monitors.")
    setting(
      "listening_mW", &listeningPower, .quantity(0...5000),
      "Power of the radio's receiver while it is on, for the energy accounts. The default is of "
        + "the order of data sheets; measure it with \"godwit power test\".")
  }
}
