import Core

/// A Wi-Fi network to join.
struct WiFiNetwork: SettingGroup {
  enum Security: String, CaseIterable, Sendable {
    /// WPA2 or WPA3, depending on the access point; open without a password.
    case automatic = "auto"
    /// SAE only.
    case wpa3
  }

  /// In bytes (IEEE 802.11-2020, 9.4.2.2).
  static let nameLengths = 1...32
  /// A passphrase in bytes (IEEE 802.11-2020, J.4.1). 64 hexadecimal digits are the key itself.
  static let passphraseLengths = 8...63
  static let keyLength = 64

  var name = ""
  /// Nil: an open network.
  var password: String?
  var isHidden = false
  var security = Security.automatic

  init() {}

  /// Whether the password is the key itself.
  var hasKey: Bool { password?.utf8.count == Self.keyLength }

  mutating func declare(_ setting: SettingVisitor) {
    setting("ssid", &name, .networkName, "Name of the network.")
    setting(
      "password", &password, .wifiPassword,
      "Password of 8 to 63 characters, or the key itself in 64 hexadecimal digits. Empty: an open "
        + "network.")
    setting("hidden", &isHidden, .flag, "The access point hides its name.")
    setting(
      "security", &security, .choice,
      "\"auto\": WPA2 or WPA3, as offered by the access point. \"wpa3\": only WPA3.")
  }
}

extension SettingKind where Value == String {
  fileprivate static var networkName: Self {
    let accepts = "text of 1 to 32 bytes"
    return Self(
      accepts: accepts,
      read: { value throws(SettingMismatch) in
        let text = try value.textWithoutNull
        guard WiFiNetwork.nameLengths.contains(text.utf8.count) else {
          throw SettingMismatch("has \(text.utf8.count) bytes; expected \(accepts)")
        }
        return text
      },
      show: { .text($0) })
  }
}

extension SettingKind where Value == String? {
  /// Messages never contain the password.
  fileprivate static var wifiPassword: Self {
    let accepts =
      "text of 8 to 63 characters, 64 hexadecimal digits, or \"\" for an open network"
    return Self(
      accepts: accepts,
      read: { value throws(SettingMismatch) in
        if case .integer = value.content {
          throw SettingMismatch("is a number; write it in quotes")
        }
        let text = try value.textWithoutNull
        guard !text.isEmpty else { return nil }
        let count = text.utf8.count
        let isKey =
          count == WiFiNetwork.keyLength && text.utf8.allSatisfy { Self.isHexadecimal($0) }
        guard isKey || WiFiNetwork.passphraseLengths.contains(count) else {
          throw SettingMismatch("has \(count) bytes; expected \(accepts)")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
          throw SettingMismatch("contains a control character, which no password has")
        }
        return text
      },
      show: { .text($0 ?? "") })
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
