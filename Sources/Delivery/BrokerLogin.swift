import Core

/// How the board logs in to a broker.
public struct BrokerLogin: Hashable, Sendable {
  public enum Identity: Hashable, Sendable {
    /// TLS without a client certificate, or no TLS.
    case none
    /// Files in PEM.
    case certificate(file: String, key: String)
    /// A key shared by both sides, in hexadecimal.
    case sharedKey(identity: String, key: Secret)
  }

  /// The same for every connection, as it identifies the session at the broker.
  public var clientID: String
  public var user: String?
  public var password: Secret?
  /// A ping is sent after so long without traffic; 5 to 65535 s.
  public var keepAlive: Seconds
  /// How long the broker keeps the session of a disconnected client.
  public var sessionExpiry: Seconds
  /// Whether the broker deletes the client's session: subscriptions, and waiting messages.
  public var discardsSession = false
  /// The trusted authorities, in PEM; nil: the system's.
  public var authoritiesFile: String?
  public var identity: Identity

  public init(
    clientID: String, user: String? = nil, password: Secret? = nil, keepAlive: Seconds = 60,
    sessionExpiry: Seconds = .hours(24 * 7), authoritiesFile: String? = nil,
    identity: Identity = .none
  ) {
    self.clientID = clientID
    self.user = user
    self.password = password
    self.keepAlive = keepAlive
    self.sessionExpiry = sessionExpiry
    self.authoritiesFile = authoritiesFile
    self.identity = identity
  }
}
