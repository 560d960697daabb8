import Core

/// The settings of a board's image besides the daemon's: host name, networks, SSH keys.
public struct ImageSettings: SettingGroup {
  static let maxKeys = 32
  static let maxNetworks = 32

  /// Nil: derived from the device's name.
  public var hostname: String?
  /// As lines of authorized_keys(5).
  public var sshKeys: [String] = []
  /// In capital letters.
  public var wifiCountry: String?
  /// Nil: UTC.
  public var timezone: String?
  /// Nil: enabled if receiver.kind requires it.
  public var gpsd: Bool?
  /// Nil: closed unless the daemon needs the network.
  public var isClosed: Bool?
  public var networks: [WiFiNetwork] = []

  private static let moment = SettingActivation.atNextRun(of: "godwit image apply")

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "image", counts: Self.moment,
      "The board in its network. Only on the boot partition of an image.")
    setting(
      "hostname", &hostname, .hostName,
      "Its name in the network. Empty: made from device.name, else \"\(HostName.fallback)\".")
    setting(
      "ssh_keys", &sshKeys,
      .texts(atMost: Self.maxKeys, each: "a public key in quotes, the line of a .pub file") {
        text throws(SettingMismatch) in try SSHKey(text).line
      },
      "Who may log in over ssh, as the user of the image. There is no log-in with a password; "
        + "without a key there is none at all.")
    setting(
      "wifi_country", &wifiCountry, .country,
      "The country whose rules for radio apply. Wi-Fi on 5 GHz may need it. Empty: the world's.")
    setting(
      "timezone", &timezone, .optional(.text(bytes: 0...64), noneAt: ""),
      "For log-ins and journals, such as \"Europe/Berlin\". Records are in UTC in any case, which "
        + "an empty text means here, too.")
    setting(
      "gpsd", &gpsd, .automaticFlag,
      "Whether gpsd runs. \"auto\": where receiver.kind = \"gpsd\" reaches one on this board.")
    setting(
      "closed", &isClosed, .automaticFlag,
      "Whether the daemon is shut off from all networks. \"auto\": where it needs none, that is "
        + "without gpsd, network.kind, wifi.kind and lookup.url.")
    setting.list(
      "image.wifi_networks", counts: Self.moment,
      "The Wi-Fi networks to join, the most wanted first.", &networks,
      atMost: Self.maxNetworks, required: ["ssid", "password"])
  }
}

extension SettingKind where Value == Bool? {
  static var automaticFlag: Self {
    let accepts = "true, false or \"auto\""
    return Self(
      accepts: accepts,
      read: { value throws(SettingMismatch) in
        switch value.content {
        case .bool(let flag): return flag
        case .string("auto"): return nil
        default: throw SettingMismatch("takes \(accepts)")
        }
      },
      show: { $0.map { .bool($0) } ?? .text("auto") })
  }
}

extension SettingKind where Value == String? {
  fileprivate static var hostName: Self {
    Self(
      accepts: HostName.accepts,
      read: { value throws(SettingMismatch) in
        let text = try value.textWithoutNull
        guard text.isEmpty || HostName.isValid(text) else {
          throw SettingMismatch("is no host name; it takes \(HostName.accepts)")
        }
        return text.isEmpty ? nil : text
      },
      show: { .text($0 ?? "") })
  }

  fileprivate static var country: Self {
    let accepts = "the two letters of a country (ISO 3166), such as \"DE\""
    return Self(
      accepts: accepts,
      read: { value throws(SettingMismatch) in
        let code = try value.textWithoutNull.uppercased()
        guard !code.isEmpty else { return nil }
        guard code != "UK" else {
          throw SettingMismatch("is no country; write \"GB\" for the United Kingdom")
        }
        guard Countries.codes.contains(code) else {
          throw SettingMismatch("is no country; it takes \(accepts)")
        }
        return code
      },
      show: { .text($0 ?? "") })
  }
}
