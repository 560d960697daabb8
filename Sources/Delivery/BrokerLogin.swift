import Core

/// Who comes to a broker, and how it is known there.
public struct BrokerLogin: Hashable, Sendable {
  public enum Identity: Hashable, Sendable {
    /// TLS without a certificate of our own, or none at all.
    case none
    /// Files as PEM.
    case certificate(file: String, key: String)
    /// A key that both have: hexadecimal.
    case sharedKey(identity: String, key: Secret)
  }

  /// The same at every visit: the broker keeps the session by it.
  public var clientID: String
  public var user: String?
  public var password: Secret?
  /// After so long without a word the other side is asked whether it is still there; 5 to 65535 s.
  public var keepAlive: Seconds
  /// For how long the broker keeps what comes while nobody is there.
  public var sessionExpiry: Seconds
  /// Whether the broker forgets what it has kept for the client: subscriptions, and what came.
  public var discardsSession = false
  /// Of whoever may vouch for the broker, as PEM; nil: whom the system trusts.
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
