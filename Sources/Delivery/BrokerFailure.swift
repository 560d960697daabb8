import Core

/// Why there is no connection to a broker, or no longer one.
public struct BrokerFailure: Error, Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    case libraryMissing
    case nameNotResolved
    case refused
    case unreachable
    case timedOut
    /// It does not support MQTT, or no version in common.
    case noBroker
    case wrongPassword
    case notAllowed
    /// It refuses service at present.
    case unavailable
    /// The broker or the network has closed the connection.
    case closed
    /// More was received than anyone legitimately sends to a board.
    case flooded
    /// Another client has connected with the same id.
    case takenOver
    case certificateExpired
    case certificateNotYetValid
    /// Not signed by a trusted authority.
    case certificateForeign
    case certificateWrongHost
    /// For the board's login data: MQTT cannot transmit them.
    case loginUnusable
    /// For our own certificate, key or authorities.
    case filesUnusable
    case handshakeFailed
    /// An error of the adapter itself, such as no memory.
    case impossible
  }

  public let cause: Cause
  let broker: BrokerAddress
  /// The library's error text; empty: none that would help.
  public let detail: String

  public init(_ cause: Cause, at broker: BrokerAddress, detail: String = "") {
    self.cause = cause
    self.broker = broker
    self.detail = TerminalText.line(String(detail.prefix(200)))
  }

  /// What happened, where, and what to do next.
  public var message: String {
    "\(broker): \(text)" + (detail.isEmpty ? "" : " (\(detail))")
  }

  /// Whether it may end by itself.
  public var isPassing: Bool {
    switch cause {
    case .libraryMissing, .wrongPassword, .notAllowed, .filesUnusable, .loginUnusable, .takenOver:
      false
    default: true
    }
  }

  private var text: String {
    switch cause {
    case .libraryMissing: "MQTT needs libmosquitto"
    case .nameNotResolved:
      "the name is unknown; check the network and the spelling of the name"
    case .refused: "the connection is refused; check that the broker runs, and on this port"
    case .unreachable: "no route to the host; check the network"
    case .timedOut: "no answer; check the network, and firewalls on the way"
    case .noBroker: "the server is not an MQTT broker; check the port, and whether it is for TLS"
    case .wrongPassword:
      "the broker rejects this user with this password; check uplink.mqtt.user and the "
        + "file of uplink.mqtt.password_file"
    case .notAllowed:
      "the broker refuses this client; check uplink.mqtt.user, the file of "
        + "uplink.mqtt.password_file, and the broker's access rules"
    case .unavailable: "the broker is not available now; it is retried"
    case .closed: "the connection has ended; it is retried"
    case .flooded:
      "a connection receives too much; check in the broker's access rules who may publish to the "
        + "board's topics"
    case .takenOver:
      "another client has connected with the same id, so they disconnect each other repeatedly: "
        + "use a different uplink.mqtt.client_id for each board"
    case .certificateExpired, .certificateNotYetValid, .certificateForeign, .certificateWrongHost,
      .filesUnusable, .handshakeFailed:
      certificateText
    case .loginUnusable:
      "the board's credentials cannot be sent; check uplink.mqtt and its files"
    case .impossible: "the connection cannot be made"
    }
  }

  private var certificateText: String {
    switch cause {
    case .certificateExpired:
      "the broker's certificate has expired, or the board's clock is ahead; check it with date(1)"
    case .certificateNotYetValid:
      "the broker's certificate is not valid yet: most likely the board's clock is behind; the "
        + "receiver or the network will set it"
    case .certificateForeign:
      "no trusted authority has signed the broker's certificate; set uplink.mqtt.ca_file to the "
        + "file of its authority, or install ca-certificates"
    case .certificateWrongHost:
      "the broker's certificate is for another name; use that name"
    case .filesUnusable:
      "a file of uplink.mqtt cannot be used; check ca_file, certificate_file and key_file, and "
        + "that the last two belong together"
    default:
      "no secure connection; check that the broker supports TLS 1.2 or later on this port, and "
        + "accepts the board's certificate or key"
    }
  }
}
