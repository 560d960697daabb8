/// Authenticated encryption with a shared passphrase: OwnTracks' encrypted messages.
public protocol EncryptorPort: AnyObject {
  /// The result differs at every call, also for equal input.
  func encrypt(_ plain: [UInt8]) throws(PortError) -> [UInt8]
  /// - Throws: if the bytes were encrypted with another passphrase, or modified; none of the
  ///   content is trusted then.
  func open(_ encrypted: [UInt8]) throws(PortError) -> [UInt8]
}
