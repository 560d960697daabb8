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
  public let broker: BrokerAddress
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
      "the name is not known; is there a network, and is the name written right?"
    case .refused: "the connection is refused; does the broker run, and on this port?"
    case .unreachable: "no way leads there; is there a network?"
    case .timedOut: "nobody answers; is there a network, and does a firewall let it through?"
    case .noBroker: "what answers is no MQTT broker; is the port right, and is it one for TLS?"
    case .wrongPassword:
      "the broker does not know this user with this password; look at uplink.mqtt.user and at the "
        + "file of uplink.mqtt.password_file"
    case .notAllowed: "the broker does not let this client in; look at its access rules"
    case .unavailable: "the broker is there and serves nobody now; it is tried again"
    case .closed: "the connection has ended; it is tried again"
    case .flooded:
      "more comes in than a visit takes; look at the broker's access rules: who may publish to the "
        + "board's topics?"
    case .takenOver:
      "another client has come with the same id, and they would drive each other out for ever: "
        + "give each board an uplink.mqtt.client_id of its own"
    case .certificateExpired, .certificateNotYetValid, .certificateForeign, .certificateWrongHost,
      .filesUnusable, .handshakeFailed:
      certificateText
    case .loginUnusable:
      "what the broker is to know the board by cannot be sent; look at uplink.mqtt and its files"
    case .impossible: "the connection cannot be made"
    }
  }

  private var certificateText: String {
    switch cause {
    case .certificateExpired:
      "the broker's certificate has expired, or the board's clock is ahead; compare with date(1)"
    case .certificateNotYetValid:
      "the broker's certificate is not valid yet: most likely the board's clock is behind; it is "
        + "set when the receiver or the network has told the time"
    case .certificateForeign:
      "nobody who is trusted has signed the broker's certificate; give the file of its authority "
        + "as uplink.mqtt.ca_file, or install ca-certificates"
    case .certificateWrongHost:
      "the broker's certificate is for another name; write the name that it is for"
    case .filesUnusable:
      "a file of uplink.mqtt cannot be used; look at ca_file, certificate_file and key_file, and "
        + "that the last two belong together"
    default:
      "no secure connection comes about; does the broker speak TLS 1.2 or later on this port, and "
        + "does it know our certificate or key?"
    }
  }
}
