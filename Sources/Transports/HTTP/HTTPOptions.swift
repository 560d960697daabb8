import Delivery
import Core

/// How one destination is talked to. Whoever has several destinations with different certificates
/// has an uploader for each.
public struct HTTPOptions: Sendable {
  public struct ClientCertificate: Sendable {
    /// Files in PEM; the key may stand in the same file as the certificate.
    public let file: String
    public let keyFile: String
    /// Of the key; nil: it has none.
    public let passphrase: Secret?

    public init(file: String, keyFile: String, passphrase: Secret? = nil) {
      self.file = file
      self.keyFile = keyFile
      self.passphrase = passphrase
    }
  }

  /// Such as "godwit/1.2".
  public var userAgent: String
  /// A file in PEM whose authorities are trusted, and no others; nil: the system's.
  public var authorities: String?
  public var clientCertificate: ClientCertificate?
  /// Whether `http_proxy` and its sisters count. Whoever sets them reads along.
  public var usesEnvironmentProxy = false
  /// Name, connection and handshake.
  public var connectTimeout: Seconds = 30
  /// From the begin to the whole answer.
  public var totalTimeout: Seconds = 90
  /// With less than `slowest` for so long it is given up; whole seconds.
  public var stallTimeout: Seconds = 40
  /// Bytes in a second, either way.
  public var slowest = 4
  /// Requests, and connections for them.
  public var mostAtOnce = 8

  public init(userAgent: String) { self.userAgent = userAgent }
}
