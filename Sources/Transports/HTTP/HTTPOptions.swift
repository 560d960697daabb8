import Delivery
import Core

/// Options for the connections to one destination. Destinations with different certificates need an
/// uploader each.
public struct HTTPOptions: Sendable {
  public struct ClientCertificate: Sendable {
    /// Files in PEM; the key may be in the same file as the certificate.
    let file: String
    let keyFile: String
    /// Passphrase of the key; nil: it has none.
    let passphrase: Secret?

    public init(file: String, keyFile: String, passphrase: Secret? = nil) {
      self.file = file
      self.keyFile = keyFile
      self.passphrase = passphrase
    }
  }

  /// Such as "godwit/1.2".
  public var userAgent: String
  /// A file in PEM with the only trusted authorities; nil: the system's.
  public var authorities: String?
  public var clientCertificate: ClientCertificate?
  /// Whether `http_proxy` and similar variables apply. Their author can then read the traffic.
  var usesEnvironmentProxy = false
  /// For name resolution, connection and handshake.
  public var connectTimeout: Seconds = 30
  /// From the start to the complete answer.
  public var totalTimeout: Seconds = 90
  /// The transfer is aborted after so long below `slowest`; in whole seconds.
  public var stallTimeout: Seconds = 40
  /// Bytes per second, in either direction.
  public var slowest = 4
  /// Limit of requests, and of connections for them.
  public var mostAtOnce = 8

  public init(userAgent: String) { self.userAgent = userAgent }
}
