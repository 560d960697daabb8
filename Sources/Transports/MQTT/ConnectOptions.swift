import CShims
import Delivery
import Core

/// The options of a connection for libmosquitto.
struct ConnectOptions {
  /// No longer messages are sent to a board: 256 KiB.
  private static let longestMessage: UInt32 = 262_144

  private let broker: BrokerAddress
  private let login: BrokerLogin
  private let version: BrokerEvent.Version

  init(_ broker: BrokerAddress, _ login: BrokerLogin, _ version: BrokerEvent.Version) {
    self.broker = broker
    self.login = login
    self.version = version
  }

  /// Why the options cannot be used; nil: they can.
  var problem: String? {
    // Without a client id there is no session, and all connections belong to one.
    if login.clientID.isEmpty { return "the client id is empty" }
    var texts: [(name: String, text: String?)] = [
      ("the host", broker.host), ("the client id", login.clientID), ("the user", login.user),
      ("the password", login.password?.text), ("the authorities' file", login.authoritiesFile),
    ]
    switch login.identity {
    case .none: break
    case .certificate(let file, let key):
      texts += [("the certificate's file", file), ("the key's file", key)]
    case .sharedKey(let name, let key):
      texts += [("the key's identity", name), ("the key", key.text)]
    }
    return WireText.problem(texts)
  }

  /// In whole seconds, as in MQTT, and at least libmosquitto's minimum.
  static func keepAlive(of login: BrokerLogin) -> Seconds {
    Seconds(min(max(login.keepAlive.value, 5), 65_535).rounded(.down))
  }

  /// Calls the body with texts that are valid during the call.
  func use<Result>(_ body: (UnsafePointer<godwit_mqtt_options>) -> Result) -> Result {
    let (certificate, key): (String?, String?) =
      if case .certificate(let file, let key) = login.identity { (file, key) } else { (nil, nil) }
    let (identity, shared): (String?, String?) =
      if case .sharedKey(let name, let key) = login.identity { (name, key.text) } else {
        (nil, nil)
      }
    let texts = [
      broker.host, login.clientID, login.user, login.password?.text, login.authoritiesFile,
      certificate, key, identity, shared,
    ]
    return CStrings(texts).with { texts in
      var options = godwit_mqtt_options()
      options.host = texts[0]
      options.port = broker.port
      options.version = Int32(version == .five ? GODWIT_MQTT_V5 : GODWIT_MQTT_V311)
      options.client_id = texts[1]
      options.username = texts[2]
      options.password = texts[3]
      options.keep_alive_s = UInt16(Self.keepAlive(of: login).value)
      // MQTT 5, 3.1.2.11.2: all ones would mean for ever.
      options.session_expiry_s = UInt32(min(max(login.sessionExpiry.value, 0), 4e9))
      options.discards_session = login.discardsSession
      options.longest_message = Self.longestMessage
      options.uses_tls = broker.isSecure
      options.ca_file = texts[4]
      options.certificate_file = texts[5]
      options.key_file = texts[6]
      options.psk_identity = texts[7]
      options.psk_key = texts[8]
      return body(&options)
    }
  }
}
