import CShims
import Delivery
import Core

/// What libmosquitto is told of a visit.
struct ConnectOptions {
  /// Longer ones are none that anybody sends a board: 256 KiB.
  private static let longestMessage: UInt32 = 262_144

  private let broker: BrokerAddress
  private let visit: BrokerLogin
  private let version: BrokerEvent.Version

  init(_ broker: BrokerAddress, _ visit: BrokerLogin, _ version: BrokerEvent.Version) {
    self.broker = broker
    self.visit = visit
    self.version = version
  }

  /// Why nobody can come that way; nil: they can.
  var problem: String? {
    // Who has no name has no session, and all visits are parts of one.
    if visit.clientID.isEmpty { return "the client id is empty" }
    var texts: [(name: String, text: String?)] = [
      ("the host", broker.host), ("the client id", visit.clientID), ("the user", visit.user),
      ("the password", visit.password?.text), ("the authorities' file", visit.authoritiesFile),
    ]
    switch visit.identity {
    case .none: break
    case .certificate(let file, let key):
      texts += [("the certificate's file", file), ("the key's file", key)]
    case .sharedKey(let name, let key):
      texts += [("the key's identity", name), ("the key", key.text)]
    }
    return WireText.problem(texts)
  }

  /// Whole seconds, as MQTT has them, and no fewer than libmosquitto takes.
  static func keepAlive(of visit: BrokerLogin) -> Seconds {
    Seconds(min(max(visit.keepAlive.value, 5), 65_535).rounded(.down))
  }

  /// With texts that live as long as the call.
  func use<Result>(_ body: (UnsafePointer<godwit_mqtt_options>) -> Result) -> Result {
    let (certificate, key): (String?, String?) =
      if case .certificate(let file, let key) = visit.identity { (file, key) } else { (nil, nil) }
    let (identity, shared): (String?, String?) =
      if case .sharedKey(let name, let key) = visit.identity { (name, key.text) } else {
        (nil, nil)
      }
    let texts = [
      broker.host, visit.clientID, visit.user, visit.password?.text, visit.authoritiesFile,
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
      options.keep_alive_s = UInt16(Self.keepAlive(of: visit).value)
      // MQTT 5, 3.1.2.11.2: all ones would be for ever.
      options.session_expiry_s = UInt32(min(max(visit.sessionExpiry.value, 0), 4e9))
      options.discards_session = visit.discardsSession
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
