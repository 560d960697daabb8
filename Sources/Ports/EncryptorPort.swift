/// Makes bytes that only those can read, and nobody else can make, who have a passphrase in common:
/// OwnTracks' encrypted messages.
public protocol EncryptorPort: AnyObject {
  /// Other bytes at every call, of the same plain ones, too.
  func encrypt(_ plain: [UInt8]) throws(PortError) -> [UInt8]
  /// - Throws: when they were not sealed with this passphrase, or changed since; nothing of them is
  ///   to be believed then.
  func open(_ encrypted: [UInt8]) throws(PortError) -> [UInt8]
}
