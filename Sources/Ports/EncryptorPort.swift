/// Makes bytes that only those can read, and nobody else can make, who have a passphrase in common:
/// OwnTracks' encrypted messages.
public protocol EncryptorPort: AnyObject {
  /// Other bytes at every call, of the same plain ones, too.
  func encrypt(_ plain: [UInt8]) throws(EncryptionError) -> [UInt8]
  /// - Throws: when they were not sealed with this passphrase, or changed since; nothing of them is
  ///   to be believed then.
  func open(_ encrypted: [UInt8]) throws(EncryptionError) -> [UInt8]
}

public enum EncryptionError: Error, Equatable, Sendable {
  /// What it takes is not installed.
  case unavailable(String)
  /// It cannot be a passphrase.
  case passphrase(String)
  /// What came was not sealed with it, or was changed.
  case refused(String)

  /// What happened, and what to do next.
  public var message: String {
    switch self {
    case .unavailable(let text), .passphrase(let text), .refused(let text): text
    }
  }
}
