import Core

/// An MQTT broker, or a cluster of them, and the recipients behind it.
public struct MQTTSettings: Hashable, SettingGroup {
  private var addresses: [String] = []
  /// Whether each recipient behind the brokers gets messages.
  private var choices = Dictionary(
    uniqueKeysWithValues: BrokerRecipients.all.map { ($0.recipient, $0.isUsual) })
  public private(set) var clientID = ""
  public private(set) var username: String?
  public private(set) var passwordFile: String?
  public private(set) var tls = TLSSettings()
  public private(set) var sharedKeyIdentity: String?
  public private(set) var sharedKeyFile: String?

  public init() {}

  public var brokers: [BrokerAddress] { addresses.compactMap { try? BrokerAddress(parsing: $0) } }

  var recipients: [Recipient] { chosen.map { $0.recipient } }

  var encoders: [any RecordEncoder] { chosen.map { $0.init() } }

  private var chosen: [any BrokerRecipient.Type] {
    BrokerRecipients.all.filter { choices[$0.recipient] ?? false }
  }

  /// The name under which the board logs in to the broker; nil: anonymous.
  public var account: String? { username ?? sharedKeyIdentity }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "uplink.mqtt", counts: UplinkSettings.moment,
      "MQTT brokers. Secrets are in files; systemd credentials are files, too.")
    setting(
      "brokers", &addresses, Self.address,
      "Addresses, such as [\"mqtts://broker.example.org\"], tried in order. Empty: no MQTT."
    )
    for kind in BrokerRecipients.all {
      setting(kind.recipient.rawValue, &choices[kind.recipient, default: false], .flag, kind.doc)
    }
    setting(
      "client_id", &clientID, .text(bytes: 0...64),
      "Name of this board's session at the broker. Empty: godwit, the user and the name of the "
        + "board, such as godwit-anna-raspberrypi.")
    setting(
      "user", &username, .optional(.text(bytes: 0...256), noneAt: ""),
      "User name of the board at the broker. Empty: none.")
    setting(
      "password_file", &passwordFile, .file, "File with only the password. Empty: none.")
    tls.declare(setting, for: "broker")
    setting(
      "psk_identity", &sharedKeyIdentity, .optional(.text(bytes: 0...128), noneAt: ""),
      "Name of the board for a pre-shared key with the broker. Empty: no such key.")
    setting(
      "psk_file", &sharedKeyFile, .file, "File with only that key, in hexadecimal digits.")
    setting.conflicts(conflicts)
  }

  /// Stored in the form in which the settings show it.
  private static let address = SettingKind<[String]>.texts(
    atMost: 8, each: "an address such as \"mqtts://broker.example.org\""
  ) { text throws(SettingMismatch) in
    do throws(BrokerAddressError) {
      return try BrokerAddress(parsing: text).description
    } catch {
      throw SettingMismatch(error.message)
    }
  }

  private var conflicts: [SettingConflict] {
    var conflicts: [SettingConflict] = []
    if (sharedKeyIdentity == nil) != (sharedKeyFile == nil) {
      conflicts.append(
        SettingConflict(
          sharedKeyFile == nil ? "psk_file" : "psk_identity",
          "is missing: a pre-shared key needs a name and a file"))
    }
    if sharedKeyFile != nil, tls.certificateFile != nil {
      conflicts.append(
        SettingConflict("psk_file", "cannot be used beside certificate_file: choose one"))
    }
    if passwordFile != nil, username == nil {
      conflicts.append(
        SettingConflict("password_file", "has no effect without user: set both"))
    }
    return conflicts
  }
}
