import Core

/// The settings of a board's image besides the daemon's: host name, networks, SSH keys.
struct ImageSettings: SettingGroup {
  static let maxKeys = 32
  static let maxNetworks = 32

  /// Nil: derived from the device's name.
  var hostname: String?
  /// As lines of authorized_keys(5).
  var sshKeys: [String] = []
  /// In capital letters.
  var wifiCountry: String?
  /// Nil: UTC.
  var timezone: String?
  /// Nil: enabled if receiver.kind requires it.
  var gpsd: Bool?
  /// Nil: closed unless the daemon needs the network.
  var isClosed: Bool?
  var networks: [WiFiNetwork] = []

  private static let moment = SettingActivation.atNextRun(of: "godwit image apply")

  init() {}

  mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "image", counts: Self.moment,
      "System settings of the board. Only on the boot partition of an image.")
    setting(
      "hostname", &hostname, .hostName,
      "Host name. Empty: derived from device.name, else \"\(HostName.fallback)\".")
    setting(
      "ssh_keys", &sshKeys,
      .texts(atMost: Self.maxKeys, each: "a public key in quotes, the line of a .pub file") {
        text throws(SettingMismatch) in try SSHKey(text).line
      },
      "Keys that may log in over ssh, as the user of the image. Log-in with a password is "
        + "disabled; without a key nobody can log in.")
    setting(
      "wifi_country", &wifiCountry, .country,
      "Country whose radio rules apply. Wi-Fi on 5 GHz may need it. Empty: the worldwide rules.")
    setting(
      "timezone", &timezone, .optional(.text(bytes: 0...64), noneAt: ""),
      "Time zone of log-ins and journals, such as \"Europe/Berlin\". Records are always in UTC. "
        + "Empty: UTC.")
    setting(
      "gpsd", &gpsd, .automaticFlag,
      "Run gpsd. \"auto\": if receiver.kind = \"gpsd\" connects to a gpsd on this board.")
    setting(
      "closed", &isClosed, .automaticFlag,
      "Block all network access of the daemon. \"auto\": if it needs none, that is without gpsd, "
        + "network.kind, wifi.kind and lookup.url.")
    setting.list(
      "image.wifi_networks", counts: Self.moment,
      "Wi-Fi networks to join, in order of preference.", &networks,
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
        default: throw SettingMismatch("must be \(accepts)")
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
          throw SettingMismatch("is not a host name; expected \(HostName.accepts)")
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
          throw SettingMismatch("is not a country; write \"GB\" for the United Kingdom")
        }
        guard Countries.codes.contains(code) else {
          throw SettingMismatch("is not a country; expected \(accepts)")
        }
        return code
      },
      show: { .text($0 ?? "") })
  }
}
